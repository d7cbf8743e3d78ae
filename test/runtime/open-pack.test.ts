import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPack } from "../../src/runtime/index.ts";
import { packFiles } from "../pack/pack-files.ts";

let root: string;
let folder: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "incipit-pack-"));
  folder = join(root, "small");
  for (const [path, text] of packFiles()) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

describe("openPack", () => {
  it("opens a folder", async () => {
    expect((await openPack(folder)).name).toBe("small");
  });

  it("says what is missing", async () => {
    await expect(openPack(join(root, "none"))).rejects.toMatchObject({
      code: "runtime_pack_not_found",
    });
    await expect(openPack(join(folder, "tasks"))).rejects.toMatchObject({
      code: "runtime_pack_not_found",
      message: expect.stringContaining("has no incipit.yaml"),
    });
  });

  it("refuses a link that leads outside, and follows one that stays inside", async () => {
    await symlink(join(folder, "incipit.yaml"), join(folder, "copy.yaml"));
    expect((await openPack(folder)).name).toBe("small");
    await writeFile(join(root, "secret.json"), "{}");
    await symlink(join(root, "secret.json"), join(folder, "fragments.json"));
    await expect(openPack(folder)).rejects.toMatchObject({ code: "runtime_pack_link" });
  });

  it("says so of a link that leads nowhere", async () => {
    await symlink(join(folder, "nothing.yaml"), join(folder, "dangling.yaml"));
    await expect(openPack(folder)).rejects.toMatchObject({
      code: "runtime_pack_file_unreadable",
      message: '"dangling.yaml" cannot be read (ENOENT).',
    });
  });

  it("refuses a file that is not UTF-8 and one that is too large", async () => {
    await writeFile(join(folder, "bad.json"), Buffer.from([0xff, 0xfe, 0x00]));
    await expect(openPack(folder)).rejects.toMatchObject({ code: "runtime_pack_file_not_text" });
    await writeFile(join(folder, "bad.json"), " ".repeat(4 * 1024 * 1024 + 1));
    await expect(openPack(folder)).rejects.toMatchObject({ code: "runtime_pack_file_too_large" });
  });
});
