import assert from "node:assert/strict";
import { rejectsWith, type StoreScript, sampleRun, saveRuns } from "./script.ts";

/** What finding one run promises. */
export const findingCases: readonly StoreScript[] = [
  {
    name: "gives null for an id that no run has, whatever is in it",
    script: async (store) => {
      await saveRuns(store, 1);
      for (const id of ["run-000001", "RUN-000000", "run-00000", "", "%", "\0", "' or 1=1 --"]) {
        assert.equal(await store.runs.getRun(id), null);
      }
    },
  },
  {
    name: "finds a run by its id and by a prefix that is its alone",
    script: async (store) => {
      const run = sampleRun({ id: "abcdef-01" });
      await store.runs.saveRun(run);
      await store.runs.saveRun(sampleRun({ id: "abcdeg-01" }));
      assert.deepEqual(await store.runs.findRun("abcdef-01"), run);
      assert.deepEqual(await store.runs.findRun("abcdef"), run);
      assert.equal(await store.runs.findRun("abcdef-01-and-more"), null);
    },
  },
  {
    name: "takes every character of a prefix as itself",
    script: async (store) => {
      await store.runs.saveRun(sampleRun({ id: "abcdef-01" }));
      for (const prefix of ["abc%ef", "abc_ef", "ABCDEF", "abc*ef", "abcdef\u{7f}", "abcdefé"]) {
        assert.equal(await store.runs.findRun(prefix), null, prefix);
      }
    },
  },
  {
    name: "refuses a prefix of several ids, and names some",
    script: async (store) => {
      await saveRuns(store, 5);
      const error = await rejectsWith(() => store.runs.findRun("run-00"), "store_run_ambiguous");
      assert.equal(error.message, 'Several runs have ids that begin with "run-00", expected one.');
      assert.equal(error.hint, 'give more of it: "run-000000", "run-000001", "run-000002"');
    },
  },
  {
    name: "takes a whole id for itself, even where longer ids begin with it",
    script: async (store) => {
      const run = sampleRun({ id: "abcdef" });
      await store.runs.saveRun(run);
      await store.runs.saveRun(sampleRun({ id: "abcdef-2" }));
      await store.runs.saveRun(sampleRun({ id: "abcdef~3" }));
      assert.deepEqual(await store.runs.findRun("abcdef"), run);
    },
  },
  {
    name: "refuses a prefix of fewer than 6 characters",
    script: async (store) => {
      await saveRuns(store, 1);
      await rejectsWith(() => store.runs.findRun("run-0"), "store_prefix_too_short");
      await rejectsWith(() => store.runs.findRun(""), "store_prefix_too_short");
    },
  },
];
