import assert from "node:assert/strict";
import {
  listIds,
  rejectsWith,
  type StoreScript,
  sampleRun,
  saveRuns,
  toId,
  toTime,
} from "./script.ts";

/** What deleting promises. */
export const deletingCases: readonly StoreScript[] = [
  {
    name: "deletes one run and says whether there was one",
    script: async (store) => {
      await saveRuns(store, 3);
      assert.equal(await store.runs.deleteRun(toId(1)), true);
      assert.equal(await store.runs.deleteRun(toId(1)), false);
      assert.equal(await store.runs.deleteRun("run-00"), false);
      assert.equal(await store.runs.getRun(toId(1)), null);
      assert.deepEqual(await listIds(store), [2, 0].map(toId));
    },
  },
  {
    name: "takes the id of a deleted run again",
    script: async (store) => {
      await store.runs.saveRun(sampleRun({ result: "first" }));
      await store.runs.deleteRun("run-000001");
      await store.runs.saveRun(sampleRun({ result: "second" }));
      assert.equal((await store.runs.getRun("run-000001"))?.result, "second");
    },
  },
  {
    name: "prunes what started before a time, and not at it",
    script: async (store) => {
      await saveRuns(store, 5);
      assert.equal(await store.runs.pruneRuns({ before: toTime(2) }), 2);
      assert.deepEqual(await listIds(store), [4, 3, 2].map(toId));
      assert.equal(await store.runs.pruneRuns({ before: toTime(2) }), 0);
    },
  },
  {
    name: "prunes all but the newest, among equal times those of the highest ids",
    script: async (store) => {
      await saveRuns(store, 6, (index) => ({ startedAt: toTime(Math.floor(index / 3)) }));
      assert.equal(await store.runs.pruneRuns({ keep: 2 }), 4);
      assert.deepEqual(await listIds(store), [5, 4].map(toId));
      assert.equal(await store.runs.pruneRuns({ keep: 2 }), 0);
      assert.equal(await store.runs.pruneRuns({ keep: 0 }), 2);
      assert.deepEqual(await listIds(store), []);
    },
  },
  {
    name: "prunes only what both conditions let go",
    script: async (store) => {
      await saveRuns(store, 6);
      assert.equal(await store.runs.pruneRuns({ before: toTime(4), keep: 4 }), 2);
      assert.deepEqual(await listIds(store), [5, 4, 3, 2].map(toId));
      assert.equal(await store.runs.pruneRuns({ before: toTime(3), keep: 0 }), 1);
      assert.deepEqual(await listIds(store), [5, 4, 3].map(toId));
    },
  },
  {
    name: "prunes nothing without a condition or with a malformed one",
    script: async (store) => {
      await saveRuns(store, 2);
      await rejectsWith(() => store.runs.pruneRuns({}), "store_prune_unbounded");
      const unset = { before: undefined, keep: undefined };
      await rejectsWith(() => store.runs.pruneRuns(unset), "store_prune_unbounded");
      await rejectsWith(() => store.runs.pruneRuns({ keep: -1 }), "store_invalid_filter");
      await rejectsWith(() => store.runs.pruneRuns({ keep: 0.5 }), "store_invalid_filter");
      await rejectsWith(() => store.runs.pruneRuns({ before: "2026" }), "store_invalid_filter");
      const broken = { before: toTime(9), keep: Number.NaN };
      await rejectsWith(() => store.runs.pruneRuns(broken), "store_invalid_filter");
      assert.deepEqual(await listIds(store), [1, 0].map(toId));
    },
  },
];
