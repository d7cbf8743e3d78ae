import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { incipit, makeFolder, readError, root } from "./incipit.ts";

const folder = makeFolder();
const home = join(folder, "home");
const args = ["show", "dictation/content-tags", "-i", "transcript=call Ana"];

beforeAll(() => {
  mkdirSync(join(folder, "packs"));
  cpSync(join(root, "packs", "dictation"), join(folder, "packs", "dictation"), { recursive: true });
});

describe("a pack in ./packs", () => {
  it("goes before the shipped one of its name", async () => {
    const manifest = join(folder, "packs", "dictation", "incipit.yaml");
    const text = readFileSync(manifest, "utf8");
    writeFileSync(manifest, text.replace('version: "1.0"', 'version: "9.9"'));
    const own = await incipit([...args, "--json"], { home, folder });
    expect(own.exitCode).toBe(0);
    const outside = await incipit([...args, "--json"], { home, folder: root });
    expect(JSON.parse(own.stdout).digests.pack).not.toEqual(
      JSON.parse(outside.stdout).digests.pack,
    );
    writeFileSync(manifest, text);
  });

  it("with an error is shown with its place, the line and a caret, and exit code 1", async () => {
    const place = join(folder, "packs", "dictation", "tasks", "content-tags.yaml");
    const text = readFileSync(place, "utf8");
    writeFileSync(place, text.replace("system/tags.yaml", "system/tgas.yaml"));
    const called = await incipit(args, { home, folder });
    expect(called).toMatchObject({ exitCode: 1, stdout: "" });
    expect(called.stderr).toContain("packs/dictation/tasks/content-tags.yaml:3:");
    expect(called.stderr).toContain("3 | system: system/tgas.yaml\n");
    expect(called.stderr).toMatch(/\n {4,}\^+\n/);
    expect(called.stderr).toContain("error pack_file_not_found: ");
    expect(called.stderr).toContain('hint: did you mean "system/tags.yaml"');
    const data = await incipit([...args, "--json"], { home, folder });
    expect(readError(data)).toMatchObject({
      code: "pack_invalid",
      findings: [
        {
          code: "pack_file_not_found",
          span: { path: expect.stringMatching(/^packs.tasks|^packs.dictation.tasks/) },
        },
      ],
    });
    writeFileSync(place, text);
  });
});
