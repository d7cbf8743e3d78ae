import { spawnSync } from "node:child_process";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, type TestContext, test } from "vitest";
import { pullModel } from "../../src/model/index.ts";
import { startChild } from "./support/child.ts";
import { createEntry, createModelFile } from "./support/made-up-model.ts";
import { createFolder, toFailure, useHub } from "./support/temporary.ts";

const file = createModelFile(3_000_000);
const catalogue = [createEntry(file)];
const isRoot = process.getuid?.() === 0;

/** A mount of its own for a process; root and most ordinary users of Linux can make one. */
const ownMounts = isRoot ? ["unshare", "--mount"] : ["unshare", "--map-root-user", "--mount"];

function requireOwnMounts(context: TestContext): void {
  const [command = "", ...args] = ownMounts;
  const tried = spawnSync(command, [...args, "true"], { stdio: "ignore" });
  if (tried.status === 0) return;
  const reason = "a small disk can only be made on Linux, by root or with user namespaces";
  if (process.env.CI && process.platform === "linux") throw new Error(reason);
  context.skip(reason);
}

describe("a home that cannot take a model", () => {
  test("for lack of room is refused before the transfer when the size is known", async (context) => {
    requireOwnMounts(context);
    const hub = await useHub(() => ({ file }));
    const home = await createFolder();
    const child = startChild(
      { reference: "made-up", home, endpoint: hub.endpoint, catalogue },
      { prefix: ownMounts, shell: `mount -t tmpfs -o size=1m tmpfs ${home}` },
    );
    const report = await child.ended;
    expect(report).toMatchObject({
      kind: "failed",
      code: "model_disk_full",
      hint: "free some space, or name another folder with INCIPIT_HOME, and pull again",
    });
    expect(JSON.stringify(report)).toMatch(/is full: 3\.0 MB are needed, \d+\.\d [kM]B are free/);
    expect(child.events.some(({ kind }) => kind === "progress")).toBe(false);
  });

  test("because the disk fills up on the way ends with the same failure", async (context) => {
    requireOwnMounts(context);
    const hub = await useHub(() => ({ file, length: false }));
    const home = await createFolder();
    const child = startChild(
      { reference: "hf:maker/made-up/made-up.gguf", home, endpoint: hub.endpoint, catalogue },
      { prefix: ownMounts, shell: `mount -t tmpfs -o size=1m tmpfs ${home}` },
    );
    expect(await child.ended).toMatchObject({ kind: "failed", code: "model_disk_full" });
    expect(child.events.some(({ kind }) => kind === "progress")).toBe(true);
  });

  test("because it is on a read-only disk is refused with its name", async (context) => {
    requireOwnMounts(context);
    const hub = await useHub(() => ({ file }));
    const home = await createFolder();
    const child = startChild(
      { reference: "made-up", home, endpoint: hub.endpoint, catalogue },
      { prefix: ownMounts, shell: `mount -t tmpfs -o ro tmpfs ${home}` },
    );
    expect(await child.ended).toEqual({
      kind: "failed",
      code: "model_read_only",
      message: `"${join(home, "models", "partial")}" cannot be written (EROFS).`,
      hint: "make the folder writable, or name another one with INCIPIT_HOME",
    });
    expect(hub.requests).toHaveLength(0);
  });

  test("because the user may not write there is refused with its name", async (context) => {
    if (process.platform === "win32") context.skip("folders have no such permission on Windows");
    const hub = await useHub(() => ({ file }));
    const home = await createFolder();
    await chmod(home, 0o555);
    const task = { reference: "made-up", home, endpoint: hub.endpoint, catalogue };
    // Permissions do not bind root, so root becomes nobody.
    const child = isRoot
      ? startChild(task, {
          prefix: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"],
        })
      : startChild(task);
    expect(await child.ended).toEqual({
      kind: "failed",
      code: "model_read_only",
      message: `"${join(home, "models", "partial")}" cannot be written (EACCES).`,
      hint: "make the folder writable, or name another one with INCIPIT_HOME",
    });
  });

  test("because it is a file is refused with its name", async () => {
    const home = join(await createFolder(), "home");
    await writeFile(home, "");
    const failure = await toFailure(pullModel("made-up", { home, catalogue }));
    expect(failure.code).toBe("model_storage_failed");
    expect(failure.message).toContain(`"${join(home, "models")}" cannot be used`);
  });

  test("is no hindrance for a model that is here", async (context) => {
    if (process.platform === "win32") context.skip("folders have no such permission on Windows");
    const hub = await useHub(() => ({ file }));
    const home = await createFolder();
    const endpoint = { HF_ENDPOINT: hub.endpoint };
    await pullModel("made-up", { home, catalogue, environment: endpoint });
    // Folders are made for their owner alone; here another user may read them.
    const folders = await readdir(home, { recursive: true, withFileTypes: true });
    await chmod(home, 0o555);
    for (const entry of folders) {
      if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o555);
    }
    const models = join(home, "models");
    const task = { reference: "made-up", home, endpoint: hub.endpoint, catalogue };
    const prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    const child = startChild(task, isRoot ? { prefix } : {});
    expect(await child.ended).toMatchObject({ kind: "pulled", source: null });
    for (const name of ["", "partial", "records"]) await chmod(join(models, name), 0o755);
  });
});

describe("what killed processes left", () => {
  test("does not disturb a pull", async () => {
    const hub = await useHub(() => ({ file }));
    const home = await createFolder();
    const models = join(home, "models");
    const staging = join(models, "partial", "made-up");
    await mkdir(join(staging, "pip-1-dead", "pip-unpack"), { recursive: true });
    await writeFile(join(staging, "hugging-face.part"), "half");
    await writeFile(join(staging, "hugging-face.part.json"), '{"identity":');
    await mkdir(join(models, "records"), { recursive: true });
    await writeFile(join(models, "records", "made-up.json"), '{"version":1,');
    await writeFile(join(models, "records", "made-up.json.1.tmp"), "");
    const model = await pullModel("made-up", {
      home,
      catalogue,
      environment: { HF_ENDPOINT: hub.endpoint },
    });
    expect(model.bytes).toBe(file.length);
    expect(hub.requests[0]?.range).toBe(undefined);
  });
});
