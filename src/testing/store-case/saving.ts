import assert from "node:assert/strict";
import type { RunRecord } from "../../store/index.ts";
import type { Json } from "../../text/index.ts";
import { listIds, rejectsWith, type StoreScript, sampleRun, toId } from "./script.ts";

/** Values that a store may get wrong. */
const awkwardValues: readonly Json[] = [
  null,
  true,
  "",
  0,
  -1.5,
  5e-324,
  1.7976931348623157e308,
  9007199254740991,
  [],
  {},
  [[], [[]], {}],
  { z: 1, a: 2, "": 3, " ": 4 },
  JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":null}') as Json,
  "null \0 character, \u2028 and \u2029, \ufeff, \ufffe, tab\t, line\r\nbreak",
  "Zürich – 東京 – 👩‍👩‍👧‍👦 – e\u0301 and \u00e9 – \u202eright to left",
  "a lone \ud800 surrogate",
  "'; drop table run; --",
  '{"looks":"like JSON"}',
];

const notJson: readonly (readonly [string, unknown])[] = [
  ["a value that is undefined", undefined],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["a bigint", 1n],
  ["a function", () => 1],
  ["a date", new Date(0)],
  ["a map", new Map()],
  ["an object with toJSON", { toJSON: () => 1 }],
  ["undefined in an array", [undefined]],
];

const refusedFields: readonly Partial<Record<keyof RunRecord, unknown>>[] = [
  { id: "short" },
  { id: "-begins-with-a-hyphen" },
  { id: "with/slash" },
  { id: `a${"b".repeat(128)}` },
  { id: 1234567 },
  { startedAt: "2026-01-31" },
  { startedAt: "2026-02-30T00:00:00.000Z" },
  { startedAt: "2026-01-31T08:05:00.000+01:00" },
  { durationMs: -1 },
  { durationMs: Number.NaN },
  { task: "" },
  { status: "done" },
  { stampId: "" },
  { promptDigest: 7 },
  { model: "null \0 character" },
  { model: "lone \udc00 surrogate" },
];

/** What saving promises. */
export const savingCases: readonly StoreScript[] = [
  {
    name: "gives a run back as it was saved",
    script: async (store) => {
      const run = sampleRun();
      assert.equal(await store.runs.saveRun(run), undefined);
      assert.deepEqual(await store.runs.getRun(run.id), run);
    },
  },
  {
    name: "keeps null fields and every status",
    script: async (store) => {
      for (const status of ["ok", "failed", "aborted"] as const) {
        const none = { stampId: null, promptDigest: null, model: null, durationMs: 0 };
        const run = sampleRun({ id: `run-${status}`, status, ...none });
        await store.runs.saveRun(run);
        assert.deepEqual(await store.runs.getRun(run.id), run);
      }
    },
  },
  {
    name: "gives every JSON value back exactly, members in their order",
    script: async (store) => {
      for (const [index, value] of awkwardValues.entries()) {
        const run = sampleRun({ id: toId(index), inputs: value, result: { deep: [value] } });
        await store.runs.saveRun(run);
        const read = await store.runs.getRun(run.id);
        assert.deepEqual(read, run);
        assert.equal(JSON.stringify(read?.inputs), JSON.stringify(value));
      }
      assert.equal((Object.prototype as { polluted?: unknown }).polluted, undefined);
    },
  },
  {
    name: "does as JSON with −0 and with members that are undefined",
    script: async (store) => {
      const inputs = { zero: -0, left: undefined } as unknown as Json;
      await store.runs.saveRun(sampleRun({ inputs }));
      assert.deepEqual((await store.runs.getRun("run-000001"))?.inputs, { zero: 0 });
    },
  },
  {
    name: "keeps a text of 5 MB and a value 900 levels deep",
    script: async (store) => {
      const large = "0123456789abcdef 東京 ".repeat(222_000);
      assert.ok(new TextEncoder().encode(large).length > 5_000_000);
      let deep: Json = "bottom";
      for (let level = 0; level < 900; level += 1) deep = level % 2 === 0 ? [deep] : { deep };
      await store.runs.saveRun(sampleRun({ inputs: { large }, result: deep }));
      const read = await store.runs.getRun("run-000001");
      assert.ok(JSON.stringify(read?.inputs) === JSON.stringify({ large }), "the text differs");
      assert.equal(JSON.stringify(read?.result), JSON.stringify(deep));
    },
  },
  {
    name: "refuses what JSON cannot carry, naming the place, and keeps nothing of it",
    script: async (store) => {
      const cyclic: unknown[] = [];
      cyclic.push(cyclic);
      const values = [...notJson, ["a cycle", cyclic] as const];
      for (const [what, value] of values) {
        const result = { "a/b": [value] } as unknown as Json;
        const save = () => store.runs.saveRun(sampleRun({ result }));
        const { message } = await rejectsWith(save, "store_invalid_record");
        assert.ok(message.includes('"result/a~1b/0'), `${what}: ${message}`);
      }
      assert.deepEqual(await listIds(store), []);
    },
  },
  {
    name: "refuses a malformed record, naming the field, and keeps nothing of it",
    script: async (store) => {
      for (const fields of refusedFields) {
        const save = () => store.runs.saveRun(sampleRun(fields as Partial<RunRecord>));
        const { message } = await rejectsWith(save, "store_invalid_record");
        assert.ok(message.includes(`"${Object.keys(fields)[0]}"`), message);
      }
      assert.deepEqual(await listIds(store), []);
    },
  },
  {
    name: "keeps a run apart from the values it was saved from and those it gives",
    script: async (store) => {
      const inputs = { list: ["first"] };
      await store.runs.saveRun(sampleRun({ inputs }));
      inputs.list.push("added after saving");
      const read = (await store.runs.getRun("run-000001"))?.inputs as { list: string[] };
      assert.deepEqual(read, { list: ["first"] });
      read.list.push("added after reading");
      assert.deepEqual((await store.runs.getRun("run-000001"))?.inputs, { list: ["first"] });
    },
  },
  {
    name: "refuses an id that is taken and leaves the first run as it was",
    script: async (store) => {
      const first = sampleRun({ result: "first" });
      await store.runs.saveRun(first);
      const again = () =>
        store.runs.saveRun(sampleRun({ result: "second", task: "dictation/cleanup" }));
      await rejectsWith(again, "store_run_exists");
      assert.deepEqual(await store.runs.getRun(first.id), first);
      assert.deepEqual(await listIds(store, { task: "dictation/cleanup" }), []);
    },
  },
  {
    name: "keeps all of 50 runs saved at once, and one of 20 with the same id",
    script: async (store) => {
      const ids = Array.from({ length: 50 }, (_, index) => toId(index));
      await Promise.all(ids.map((id) => store.runs.saveRun(sampleRun({ id, result: id }))));
      assert.deepEqual((await listIds(store)).sort(), ids);
      const same = Array.from({ length: 20 }, (_, result) => sampleRun({ id: "run-same", result }));
      const outcomes = await Promise.allSettled(same.map((run) => store.runs.saveRun(run)));
      assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
    },
  },
  {
    name: "finishes calls under way when it is closed, and refuses later ones",
    script: async (store) => {
      const calls = Array.from({ length: 5 }, (_, n) =>
        store.runs.saveRun(sampleRun({ id: toId(n) })),
      );
      await store.close();
      await Promise.all(calls);
      await store.close();
      await rejectsWith(() => store.runs.saveRun(sampleRun()), "store_closed");
      await rejectsWith(() => store.runs.getRun("run-000001"), "store_closed");
      await rejectsWith(() => store.runs.findRun("run-000001"), "store_closed");
      await rejectsWith(() => store.runs.listRuns(), "store_closed");
      await rejectsWith(() => store.runs.deleteRun("run-000001"), "store_closed");
      await rejectsWith(() => store.runs.pruneRuns({ keep: 0 }), "store_closed");
    },
  },
];
