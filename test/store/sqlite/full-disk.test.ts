import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, type TestContext } from "vitest";
import { openSqliteStore } from "../../../src/store/sqlite/index.ts";
import { sampleRun } from "../../../src/testing/store-case/script.ts";
import { checkIntegrity } from "./inspect.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

const [mount, unmount] = ["/bin/mount", "/bin/umount"] as const;

/** A file system of 3 MB. Needs the right to mount one: skips without it, and fails in CI. */
function mountSmallDisk(context: TestContext): string {
  const folder = createTemporaryFolder();
  try {
    if (process.platform !== "linux") throw new Error("only Linux has tmpfs");
    if (process.getuid?.() !== 0) throw new Error("only root may mount");
    execFileSync(mount, ["-t", "tmpfs", "-o", "size=3m", "incipit-test", folder]);
  } catch (error) {
    if (process.env.CI) throw error;
    context.skip(`needs a small tmpfs: ${String(error)}`);
  }
  onTestFinished(() => {
    execFileSync(unmount, ["--lazy", folder]);
  });
  return folder;
}

const text = "x".repeat(50_000);

/** Saves runs until the disk is full, and gives the ids of those acknowledged. */
async function fill(store: Awaited<ReturnType<typeof openSqliteStore>>): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < 1000; index += 1) {
    const id = `run-${String(index).padStart(6, "0")}`;
    const outcome: unknown = await store.runs
      .saveRun(sampleRun({ id, result: text }))
      .catch((error) => error);
    if (outcome !== undefined) {
      expect(outcome).toMatchObject({ code: "store_full" });
      return ids;
    }
    ids.push(id);
  }
  throw new Error("the disk did not fill");
}

it("refuses a run on a full disk, keeps every earlier one, and works on with some space", async (context) => {
  const folder = mountSmallDisk(context);
  const path = join(folder, "runs.db");
  const filler = join(folder, "filler");
  writeFileSync(filler, Buffer.alloc(1_000_000));
  const store = await openSqliteStore(path);
  const ids = await fill(store);
  expect(ids.length).toBeGreaterThan(10);
  const refused = sampleRun({ id: "refused", result: text });
  await expect(store.runs.saveRun(refused)).rejects.toMatchObject({
    code: "store_full",
    message: `There is no space left on the disk for the store "${path}".`,
  });
  for (const id of ids) expect((await store.runs.getRun(id))?.result).toBe(text);
  expect(await store.runs.getRun("refused")).toBeNull();

  // Deleting needs some space itself; then it gives back what the runs took.
  rmSync(filler);
  expect(await store.runs.pruneRuns({ keep: 5 })).toBe(ids.length - 5);
  writeFileSync(filler, Buffer.alloc(2_000_000));
  await store.runs.saveRun(refused);
  expect((await store.runs.getRun("refused"))?.result).toBe(text);
  await store.close();
  expect(checkIntegrity(path)).toBe("ok");
});

it("keeps every acknowledged run when it is closed and opened on a full disk", async (context) => {
  const folder = mountSmallDisk(context);
  const path = join(folder, "runs.db");
  const store = await openSqliteStore(path);
  const ids = await fill(store);
  await store.close();
  const filler = join(folder, "filler");
  expect(() => writeFileSync(filler, Buffer.alloc(4_000_000))).toThrow(/ENOSPC/);

  const reader = await openSqliteStore(path, { readOnly: true });
  expect(await reader.runs.listRuns({ limit: 1000 })).toHaveLength(ids.length);
  for (const id of ids) expect((await reader.runs.getRun(id))?.result).toBe(text);
  await reader.close();

  const write = async () => {
    const writer = await openSqliteStore(path);
    try {
      await writer.runs.saveRun(sampleRun({ id: "written-last", result: text }));
    } finally {
      await writer.close();
    }
  };
  await expect(write()).rejects.toMatchObject({ code: "store_full" });
  rmSync(filler);
  const writer = await openSqliteStore(path);
  expect(await writer.runs.listRuns({ limit: 1000 })).toHaveLength(ids.length);
  await writer.close();
  expect(checkIntegrity(path)).toBe("ok");
});

it("does not begin a store on a full disk, and begins it once there is space", async (context) => {
  const folder = mountSmallDisk(context);
  const filler = join(folder, "filler");
  expect(() => writeFileSync(filler, Buffer.alloc(4_000_000))).toThrow(/ENOSPC/);
  const path = join(folder, "home", "runs.db");
  await expect(openSqliteStore(path)).rejects.toMatchObject({ code: "store_full" });
  rmSync(filler);
  const store = await openSqliteStore(path);
  await store.runs.saveRun(sampleRun());
  expect(await store.runs.listRuns()).toHaveLength(1);
  await store.close();
});
