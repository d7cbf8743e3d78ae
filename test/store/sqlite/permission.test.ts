import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../../../src/store/sqlite/index.ts";
import { sampleRun } from "../../../src/testing/store-case/script.ts";
import { runChild, startChild } from "./child.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

// Permissions do not bind root: every child here gives up the right to override them.

/** Opens, saves a run, lists, and says how each went. */
const tryAll = `
  const [path, door] = args;
  const attempt = async (name, call) => {
    try {
      say(name + ": " + JSON.stringify(await call()));
    } catch (error) {
      say(name + ": " + error.code + ": " + error.message);
    }
  };
  let store;
  await attempt("open", async () => {
    store = await openSqliteStore(path, { readOnly: door === "read" });
    return "ok";
  });
  if (store !== undefined) {
    await attempt("list", async () => (await store.runs.listRuns()).map(({ id }) => id));
    await attempt("get", async () => (await store.runs.findRun("run-000001")).result);
    await attempt("save", () => store.runs.saveRun(run("run-000002")));
    await store.close();
  }
`;

/** A store with one run in a folder of its own. */
async function createStoreFile(): Promise<string> {
  const path = join(createTemporaryFolder(), "home", "runs.db");
  const store = await openSqliteStore(path);
  await store.runs.saveRun(sampleRun({ result: "kept" }));
  await store.close();
  return path;
}

/** A store whose last writer was killed: its run is in the write-ahead log alone. */
async function createCrashedStore(): Promise<string> {
  const path = join(createTemporaryFolder(), "live", "runs.db");
  const crashed = join(dirname(path), "..", "home", "runs.db");
  mkdirSync(dirname(crashed));
  const store = await openSqliteStore(path);
  await store.runs.saveRun(sampleRun({ result: "kept" }));
  for (const end of ["", "-wal"]) copyFileSync(path + end, crashed + end);
  await store.close();
  expect(readFileSync(crashed).includes("kept")).toBe(false);
  return crashed;
}

function notWritable(path: string): string {
  return `open: store_not_writable: The store "${path}" cannot be written, expected permission to write it and its folder.`;
}

function readsAll(path: string): string[] {
  return [
    'open: "ok"',
    'list: ["run-000001"]',
    'get: "kept"',
    `save: store_not_writable: The store "${path}" was opened for reading only.`,
  ];
}

describe.skipIf(process.platform === "win32")("permissions", () => {
  it("a read-only file is not opened for writing, and is read", async () => {
    const path = await createStoreFile();
    chmodSync(path, 0o400);
    expect(await runChild(tryAll, [path], { bound: true })).toEqual([notWritable(path)]);
    expect(await runChild(tryAll, [path, "read"], { bound: true })).toEqual(readsAll(path));
  });

  it("a store in a read-only folder is not opened for writing, and is read", async () => {
    const path = await createStoreFile();
    chmodSync(dirname(path), 0o500);
    expect(await runChild(tryAll, [path], { bound: true })).toEqual([notWritable(path)]);
    expect(await runChild(tryAll, [path, "read"], { bound: true })).toEqual(readsAll(path));
    expect(readdirSync(dirname(path))).toEqual(["runs.db"]);
    chmodSync(dirname(path), 0o700);
  });

  it("a store in a read-only folder is read with what a killed writer left in the log", async () => {
    const path = await createCrashedStore();
    chmodSync(dirname(path), 0o500);
    expect(await runChild(tryAll, [path, "read"], { bound: true })).toEqual(readsAll(path));
    chmodSync(dirname(path), 0o700);
  });

  it("a store in a read-only folder is read while another process has it open", async () => {
    const path = await createStoreFile();
    const store = await openSqliteStore(path);
    expect(await store.runs.listRuns()).toHaveLength(1);
    chmodSync(dirname(path), 0o500);
    expect(await runChild(tryAll, [path, "read"], { bound: true })).toEqual(readsAll(path));
    chmodSync(dirname(path), 0o700);
    await store.close();
  });

  it("leaves no private copy behind, even where the process does not close", async () => {
    const path = await createStoreFile();
    const temporary = createTemporaryFolder();
    chmodSync(dirname(path), 0o500);
    const script = `
      process.env.TMPDIR = args[1];
      const store = await openSqliteStore(args[0], { readOnly: true });
      say(String((await store.runs.listRuns()).length));
      process.exit(0);
    `;
    expect(await runChild(script, [path, temporary], { bound: true })).toEqual(["1"]);
    expect(readdirSync(temporary)).toEqual([]);
    chmodSync(dirname(path), 0o700);
  });

  it("a file that cannot be read says so at both doors", async () => {
    const path = await createStoreFile();
    chmodSync(path, 0o000);
    expect(await runChild(tryAll, [path], { bound: true })).toEqual([notWritable(path)]);
    expect(await runChild(tryAll, [path, "read"], { bound: true })).toEqual([
      `open: store_not_readable: The store "${path}" cannot be read, expected permission to read it.`,
    ]);
  });

  it("a store is not created in a read-only folder, nor below one", async () => {
    const home = createTemporaryFolder();
    chmodSync(home, 0o500);
    for (const path of [join(home, "runs.db"), join(home, "deeper", "runs.db")]) {
      expect(await runChild(tryAll, [path], { bound: true })).toEqual([notWritable(path)]);
    }
    expect(readdirSync(home)).toEqual([]);
  });

  it("a store that becomes read-only while it is open refuses the run and keeps the others", async () => {
    const path = await createStoreFile();
    const script = `
      const store = await openSqliteStore(args[0]);
      say("open");
      await lines.next();
      await store.runs.saveRun(run("run-000002")).then(() => say("saved"), (error) => say(error.code));
      await store.close().catch((error) => say(error.code));
    `;
    const child = startChild(script, [path], { bound: true });
    expect(await child.nextLine()).toBe("open");
    chmodSync(dirname(path), 0o500);
    child.send("go");
    // The files it needs are open already; a store may do either, and must do what it says.
    const [outcome, ...more] = await child.finish();
    chmodSync(dirname(path), 0o700);
    expect(more).toEqual([]);
    const store = await openSqliteStore(path);
    const ids = (await store.runs.listRuns()).map(({ id }) => id);
    expect([outcome, ...ids.sort()]).toEqual(
      outcome === "saved"
        ? ["saved", "run-000001", "run-000002"]
        : ["store_not_writable", "run-000001"],
    );
    await store.close();
  });
});
