import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../../../src/store/sqlite/index.ts";
import { sampleRun } from "../../../src/testing/store-case/script.ts";
import { alterDatabase, checkIntegrity } from "./inspect.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** A store with one run, closed. */
async function createStoreFile(name = "runs.db"): Promise<string> {
  const path = join(createTemporaryFolder(), name);
  const store = await openSqliteStore(path);
  await store.runs.saveRun(sampleRun());
  await store.close();
  return path;
}

/** Both doors refuse the file with that code, and leave it as it was, byte for byte. */
async function expectRefused(path: string, code: string): Promise<void> {
  const before = readFileSync(path);
  const names = readdirSync(dirname(path));
  for (const readOnly of [false, true]) {
    await expect(openSqliteStore(path, { readOnly })).rejects.toMatchObject({ code });
    expect(readFileSync(path).equals(before)).toBe(true);
    // Reading, SQLite may leave the index of an empty log beside it.
    if (!readOnly) expect(readdirSync(dirname(path))).toEqual(names);
  }
}

describe("creating", () => {
  it("creates missing folders and the file, for their owner only", async () => {
    const folder = join(createTemporaryFolder(), "a", "b c");
    const path = join(folder, "runs.db");
    const store = await openSqliteStore(path);
    await store.runs.saveRun(sampleRun());
    if (process.platform !== "win32") {
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      for (const name of ["runs.db", "runs.db-wal", "runs.db-shm"]) {
        expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
      }
    }
    await store.close();
    expect(readdirSync(folder)).toEqual(["runs.db"]);
  });

  it("takes a name that SQLite would take for no file as a file", async () => {
    const names = [":memory:", "file:x?mode=memory", "'\";*.db"];
    for (const name of process.platform === "win32" ? ["ÄÖ 東京.db"] : [...names, "ÄÖ 東京.db"]) {
      const path = await createStoreFile(name);
      expect(existsSync(path)).toBe(true);
      const store = await openSqliteStore(path);
      expect(await store.runs.listRuns()).toHaveLength(1);
      await store.close();
    }
  });

  it("begins a store in an empty file", async () => {
    const path = join(createTemporaryFolder(), "runs.db");
    writeFileSync(path, "");
    const store = await openSqliteStore(path);
    await store.runs.saveRun(sampleRun());
    await store.close();
    expect(checkIntegrity(path)).toBe("ok");
  });

  it("refuses a path that is empty, padded, a folder or below a file", async () => {
    const path = await createStoreFile();
    const folder = join(path, "..");
    mkdirSync(join(folder, "folder"));
    for (const wrong of ["", `${path} `, `${path}\0`, join(folder, "folder"), join(path, "x.db")]) {
      await expect(openSqliteStore(wrong), wrong).rejects.toMatchObject({
        code: "store_invalid_path",
      });
    }
    expect(readdirSync(folder).sort()).toEqual(["folder", "runs.db"]);
  });

  it("creates nothing to read", async () => {
    const folder = createTemporaryFolder();
    const path = join(folder, "missing", "runs.db");
    await expect(openSqliteStore(path, { readOnly: true })).rejects.toMatchObject({
      code: "store_missing",
      message: `There is no store "${path}", expected a SQLite file.`,
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("a file that is no store", () => {
  it.each([
    ["a short text", Buffer.from("hello")],
    ["a long text", Buffer.from("not a database ".repeat(5000))],
    ["binary noise", Buffer.from(Array.from({ length: 9000 }, (_, i) => (i * 31 + 7) % 251))],
    [
      "a header and then noise",
      Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(5000, 7)]),
    ],
  ])("is refused and left untouched: %s", async (_, bytes) => {
    const path = join(createTemporaryFolder(), "runs.db");
    writeFileSync(path, bytes);
    await expectRefused(path, "store_corrupt");
  });

  it("is refused and left untouched: a store whose pages were overwritten", async () => {
    const path = await createStoreFile();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xaa, 100));
    await expectRefused(path, "store_corrupt");
  });

  it("is refused and left untouched: a database of another program", async () => {
    const path = join(createTemporaryFolder(), "other.db");
    alterDatabase(path, "create table run (id text); insert into run values ('theirs')");
    await expectRefused(path, "store_foreign_file");
  });

  it("is refused and left untouched: an empty database that another program has marked", async () => {
    const path = join(createTemporaryFolder(), "other.db");
    alterDatabase(path, "pragma application_id = 7");
    await expectRefused(path, "store_foreign_file");
  });
});

describe("damage found later", () => {
  it("in the pages of some runs is reported, and the other runs are still read", async () => {
    const path = await createStoreFile();
    let store = await openSqliteStore(path);
    const ids = Array.from({ length: 20 }, (_, index) => `run-${100 + index}`);
    const text = "x".repeat(3000);
    for (const id of ids) await store.runs.saveRun(sampleRun({ id, result: text }));
    await store.close();
    const bytes = readFileSync(path);
    const page = Math.floor(bytes.length / 4096 / 2) * 4096;
    writeFileSync(path, bytes.fill(0xaa, page, page + 4096));

    store = await openSqliteStore(path);
    const outcomes: string[] = [];
    for (const id of ids) {
      const read = store.runs
        .getRun(id)
        .then((run) => (run?.result === text ? "sound" : "changed"));
      outcomes.push(await read.catch((error) => error.code));
    }
    await store.close();
    expect(new Set(outcomes)).toEqual(new Set(["sound", "store_corrupt"]));
  });

  it("is reported as such, and the other runs are still read", async () => {
    const path = await createStoreFile();
    let store = await openSqliteStore(path);
    await store.runs.saveRun(sampleRun({ id: "run-000002" }));
    await store.close();
    alterDatabase(path, `update run set result = '{"half' where id = 'run-000001'`);
    store = await openSqliteStore(path);
    await expect(store.runs.getRun("run-000001")).rejects.toMatchObject({
      code: "store_corrupt",
      message: 'The stored text of run "run-000001", result, is not JSON.',
    });
    expect(await store.runs.getRun("run-000002")).toEqual(sampleRun({ id: "run-000002" }));
    expect(await store.runs.listRuns()).toHaveLength(2);
    await store.close();
  });
});

describe("schema", () => {
  it("of a newer version is refused and left untouched", async () => {
    const path = await createStoreFile();
    alterDatabase(path, "insert into kysely_migration values ('9999-later', '2030-01-01')");
    await expectRefused(path, "store_newer_schema");
    await expect(openSqliteStore(path)).rejects.toMatchObject({
      message: `The store "${path}" was written by a newer version of Incipit: it has the migration "9999-later".`,
    });
  });

  it("that is not there yet is not created by the door for reading", async () => {
    const path = join(createTemporaryFolder(), "runs.db");
    writeFileSync(path, "");
    await expect(openSqliteStore(path, { readOnly: true })).rejects.toMatchObject({
      code: "store_older_schema",
    });
    expect(statSync(path).size).toBe(0);
  });

  it("is created whole or not at all", async () => {
    const path = join(createTemporaryFolder(), "runs.db");
    // A table of that name in a file marked as ours: the migration fails in its middle.
    alterDatabase(path, "pragma application_id = 1231971184; create table run_by_time (id text)");
    await expect(openSqliteStore(path)).rejects.toMatchObject({ code: "store_failed" });
    alterDatabase(path, "drop table run_by_time");
    const store = await openSqliteStore(path);
    await store.runs.saveRun(sampleRun());
    expect(await store.runs.listRuns()).toHaveLength(1);
    await store.close();
  });
});

describe("deleting", () => {
  it("takes the text out of the files and gives their space back", async () => {
    const folder = createTemporaryFolder();
    const store = await openSqliteStore(join(folder, "runs.db"));
    const read = () =>
      Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
    const saveAll = async () => {
      for (let index = 0; index < 20; index += 1) {
        const result = "SECRET ".repeat(index % 2 === 0 ? 3 : 20_000);
        const startedAt = "2025-12-31T23:59:59.999Z";
        await store.runs.saveRun(sampleRun({ id: `run-${100 + index}`, startedAt, result }));
      }
    };
    await store.runs.saveRun(sampleRun());
    await saveAll();
    expect(read().includes("SECRET")).toBe(true);
    expect(read().length).toBeGreaterThan(1_400_000);
    for (let index = 0; index < 20; index += 1) await store.runs.deleteRun(`run-${100 + index}`);
    expect(read().includes("SECRET")).toBe(false);
    expect(read().length).toBeLessThan(200_000);
    await saveAll();
    expect(await store.runs.pruneRuns({ keep: 1 })).toBe(20);
    expect(read().length).toBeLessThan(200_000);
    expect(await store.runs.listRuns()).toHaveLength(1);
    await store.close();
  });

  it("succeeds while another store is reading", async () => {
    const path = await createStoreFile();
    const store = await openSqliteStore(path);
    const { default: Database } = await import("better-sqlite3");
    const reader = new Database(path, { readonly: true });
    reader.exec("begin");
    reader.prepare("select count(*) from run").get();
    const started = performance.now();
    expect(await store.runs.deleteRun("run-000001")).toBe(true);
    expect(performance.now() - started).toBeLessThan(5000);
    expect(await store.runs.listRuns()).toEqual([]);
    reader.close();
    await store.close();
  });
});

describe("a path that cannot be a store", () => {
  it.skipIf(process.platform === "win32")(
    "for a pipe or a device is there, is refused",
    async () => {
      const pipe = join(createTemporaryFolder(), "runs.db");
      execFileSync("mkfifo", [pipe]);
      for (const path of [pipe, "/dev/null"]) {
        for (const readOnly of [false, true]) {
          await expect(openSqliteStore(path, { readOnly })).rejects.toMatchObject({
            code: "store_invalid_path",
            message: `"${path}" is not a regular file, expected a file.`,
            hint: "give the path of a file, in a folder that is there or can be made",
          });
        }
      }
    },
  );
});

describe("a wrong question", () => {
  it("is refused with a mend", async () => {
    const store = await openSqliteStore(await createStoreFile());
    await expect(store.runs.findRun("ab")).rejects.toMatchObject({
      code: "store_prefix_too_short",
      hint: "write more of it; a list of the runs shows their ids",
    });
    await expect(store.runs.listRuns({ status: "fail" as "failed" })).rejects.toMatchObject({
      code: "store_invalid_filter",
      hint: 'did you mean "failed"?',
    });
    await expect(store.runs.listRuns({ limit: 0 })).rejects.toMatchObject({
      hint: 'leave "limit" out, or give it as expected',
    });
    await store.close();
    await expect(store.runs.listRuns()).rejects.toMatchObject({
      code: "store_closed",
      hint: "close a store after its last call, or open it again",
    });
  });
});
