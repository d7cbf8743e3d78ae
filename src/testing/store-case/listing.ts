import assert from "node:assert/strict";
import type { RunFilter, RunPosition, RunSummary } from "../../store/index.ts";
import {
  listIds,
  rejectsWith,
  type StoreScript,
  sampleRun,
  saveRuns,
  toId,
  toTime,
} from "./script.ts";

const refusedFilters: readonly Partial<Record<keyof RunFilter, unknown>>[] = [
  { task: 7 },
  { status: "done" },
  { since: "2026-01-31" },
  { before: "2026-01-31T08:05:00.000Z" },
  { before: { startedAt: "yesterday" } },
  { before: { startedAt: "2026-01-31T08:05:00.000Z", id: 7 } },
  { limit: 0 },
  { limit: 1.5 },
  { limit: Number.NaN },
];

/** What lists promise. */
export const listingCases: readonly StoreScript[] = [
  {
    name: "lists summaries without the large parts",
    script: async (store) => {
      const { inputs: _inputs, result: _result, ...summary } = sampleRun();
      await store.runs.saveRun(sampleRun());
      assert.deepEqual(await store.runs.listRuns(), [summary]);
    },
  },
  {
    name: "lists the newest first, in whatever order they were saved",
    script: async (store) => {
      for (const minute of [3, 1, 4, 0, 2]) {
        await store.runs.saveRun(sampleRun({ id: toId(9 - minute), startedAt: toTime(minute) }));
      }
      assert.deepEqual(await listIds(store), [5, 6, 7, 8, 9].map(toId));
    },
  },
  {
    name: "orders runs of the same time by id, bytewise",
    script: async (store) => {
      for (const id of ["run-b1", "run-A1", "run-~1", "run-a1", "run-a10"]) {
        await store.runs.saveRun(sampleRun({ id }));
      }
      assert.deepEqual(await listIds(store), ["run-~1", "run-b1", "run-a10", "run-a1", "run-A1"]);
    },
  },
  {
    name: "lists 100 runs unless told",
    script: async (store) => {
      await saveRuns(store, 101);
      assert.equal((await store.runs.listRuns()).length, 100);
      assert.equal((await store.runs.listRuns({ limit: 1000 })).length, 101);
      assert.deepEqual(await listIds(store, { limit: 1 }), [toId(100)]);
    },
  },
  {
    name: "filters by task, status and time, all at once",
    script: async (store) => {
      await saveRuns(store, 12, (index) => ({
        task: index % 2 === 0 ? "dictation/cleanup" : "dictation/content-tags",
        status: index % 3 === 0 ? "failed" : "ok",
      }));
      assert.deepEqual(await listIds(store, { task: "dictation/cleanup", limit: 2 }), [
        toId(10),
        toId(8),
      ]);
      assert.deepEqual(await listIds(store, { status: "failed" }), [9, 6, 3, 0].map(toId));
      assert.deepEqual(await listIds(store, { since: toTime(10) }), [11, 10].map(toId));
      assert.deepEqual(
        await listIds(store, {
          task: "dictation/cleanup",
          status: "ok",
          since: toTime(4),
          before: { startedAt: toTime(10) },
        }),
        [8, 4].map(toId),
      );
      assert.deepEqual(await listIds(store, { task: "dictation" }), []);
      assert.deepEqual(await listIds(store, { status: "aborted" }), []);
    },
  },
  {
    name: "pages through every run once, among equal times, while runs come and go",
    script: async (store) => {
      await saveRuns(store, 10, (index) => ({ startedAt: toTime(Math.floor(index / 4)) }));
      const seen: string[] = [];
      let before: RunPosition | undefined;
      for (;;) {
        const page: readonly RunSummary[] = await store.runs.listRuns({ limit: 3, before });
        const last = page.at(-1);
        if (last === undefined) break;
        seen.push(...page.map(({ id }) => id));
        before = last;
        await store.runs.deleteRun(last.id);
        await store.runs.saveRun(sampleRun({ id: `newer-${seen.length}`, startedAt: toTime(60) }));
      }
      assert.deepEqual(seen, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map(toId));
    },
  },
  {
    name: "takes a place without an id as before every run of that time",
    script: async (store) => {
      await saveRuns(store, 3);
      await store.runs.saveRun(sampleRun({ id: "run-tie", startedAt: toTime(2) }));
      assert.deepEqual(
        await listIds(store, { before: { startedAt: toTime(2) } }),
        [1, 0].map(toId),
      );
    },
  },
  {
    name: "refuses a malformed filter, naming what is wrong",
    script: async (store) => {
      for (const filter of refusedFilters) {
        const list = () => store.runs.listRuns(filter as RunFilter);
        const { message } = await rejectsWith(list, "store_invalid_filter");
        assert.ok(message.includes(`"${Object.keys(filter)[0]}"`), message);
      }
    },
  },
];
