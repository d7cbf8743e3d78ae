import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { openSqliteStore } from "../../../src/store/sqlite/index.ts";
import { sampleRun } from "../../../src/testing/store-case/script.ts";
import { runChild, startChild } from "./child.ts";
import { checkIntegrity } from "./inspect.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** Saves 200 runs from that many stores on one file, at once. */
const write200 = `
  const [path, name, count] = args;
  const stores = await Promise.all(Array.from({ length: count }, () => openSqliteStore(path)));
  const text = "x".repeat(3000);
  await Promise.all(Array.from({ length: 200 }, (_, index) => {
    const id = name + "-" + String(index).padStart(6, "0");
    return stores[index % count].runs.saveRun(run(id, { inputs: { text }, result: { text, id } }));
  }));
  await Promise.all(stores.map((store) => store.close()));
`;

it.each([
  ["two processes", 1],
  ["50 stores in two processes", 25],
])(
  "loses nothing when %s write 400 runs at once",
  async (_, count) => {
    const path = join(createTemporaryFolder(), "runs.db");
    const names = ["first", "second"];
    await Promise.all(names.map((name) => runChild(write200, [path, name, String(count)])));
    const store = await openSqliteStore(path);
    const expected = names.flatMap((name) =>
      Array.from({ length: 200 }, (_, index) => `${name}-${String(index).padStart(6, "0")}`),
    );
    const listed = await store.runs.listRuns({ limit: 1000 });
    expect(listed.map(({ id }) => id).sort()).toEqual(expected);
    await store.close();
    expect(checkIntegrity(path)).toBe("ok");
  },
  60_000,
);

it("opens a new file from four processes at once, 10 times over", async () => {
  const folder = createTemporaryFolder();
  const script = `
    say("ready");
    for await (const path of lines) {
      const store = await openSqliteStore(path);
      await store.runs.saveRun(run("run-" + process.pid));
      await store.close();
      say("done");
    }
  `;
  const children = [1, 2, 3, 4].map(() => startChild(script, []));
  for (const child of children) expect(await child.nextLine()).toBe("ready");
  for (let round = 0; round < 10; round += 1) {
    const path = join(folder, `new-${round}`, "runs.db");
    for (const child of children) child.send(path);
    for (const child of children) expect(await child.nextLine()).toBe("done");
    const store = await openSqliteStore(path, { readOnly: true });
    expect(await store.runs.listRuns()).toHaveLength(4);
    await store.close();
  }
  for (const child of children) child.process.stdin?.end();
  for (const child of children) await child.finish();
}, 60_000);

it("opens a new file many times at once in one process", async () => {
  const path = join(createTemporaryFolder(), "runs.db");
  const stores = await Promise.all(Array.from({ length: 10 }, () => openSqliteStore(path)));
  await Promise.all(
    stores.map((store, index) => store.runs.saveRun(sampleRun({ id: `run-00000${index}` }))),
  );
  for (const store of stores) expect(await store.runs.listRuns()).toHaveLength(10);
  await Promise.all(stores.map((store) => store.close()));
});

it("shows one store what another wrote, deleted and pruned", async () => {
  const path = join(createTemporaryFolder(), "runs.db");
  const [writer, reader] = [await openSqliteStore(path), await openSqliteStore(path)];
  await writer.runs.saveRun(sampleRun({ id: "run-000001" }));
  await writer.runs.saveRun(sampleRun({ id: "run-000002" }));
  expect(await reader.runs.listRuns()).toHaveLength(2);
  await writer.runs.deleteRun("run-000001");
  expect(await reader.runs.getRun("run-000001")).toBeNull();
  await writer.runs.pruneRuns({ keep: 0 });
  expect(await reader.runs.listRuns()).toEqual([]);
  await Promise.all([writer.close(), reader.close()]);
});

it("says that another process keeps the store locked, after waiting", async () => {
  const path = join(createTemporaryFolder(), "runs.db");
  const store = await openSqliteStore(path, { busyTimeoutMs: 300 });
  const other = new Database(path);
  other.exec("begin immediate");
  const started = performance.now();
  await expect(store.runs.saveRun(sampleRun())).rejects.toMatchObject({
    code: "store_busy",
    message: `Another process keeps the store "${path}" locked.`,
  });
  expect(performance.now() - started).toBeGreaterThan(250);
  other.exec("rollback");
  other.close();
  await store.runs.saveRun(sampleRun());
  expect(await store.runs.listRuns()).toHaveLength(1);
  await store.close();
});
