import assert from "node:assert/strict";
import type { RunFilter, RunRecord, Store } from "../../store/index.ts";
import { IncipitError } from "../../text/index.ts";

/** What a case does with an empty store. */
export interface StoreScript {
  /** A claim. */
  readonly name: string;
  script(store: Store): Promise<void>;
}

/** A run to be saved; every field can be set. */
export function sampleRun(fields: Partial<RunRecord> = {}): RunRecord {
  return {
    id: "run-000001",
    startedAt: "2026-01-31T08:05:00.000Z",
    durationMs: 1234.5,
    task: "dictation/content-tags",
    status: "ok",
    inputs: { transcript: "buy milk" },
    result: { value: { topic: "milk", intent: "planning" }, warnings: [] },
    stampId: "5f1d".repeat(16),
    promptDigest: "c0de".repeat(16),
    model: "SmolLM2-135M-Instruct.Q4_1",
    ...fields,
  };
}

/** Saves one run a minute, with ids `run-000000` and up; `fieldsOf` says what else they have. */
export async function saveRuns(
  store: Store,
  count: number,
  fieldsOf: (index: number) => Partial<RunRecord> = () => ({}),
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await store.runs.saveRun(
      sampleRun({ id: toId(index), startedAt: toTime(index), ...fieldsOf(index) }),
    );
  }
}

/** The id of the run saved at that index. */
export function toId(index: number): string {
  return `run-${String(index).padStart(6, "0")}`;
}

/** That many minutes after the start of 2026. */
export function toTime(minutes: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();
}

/** The ids of a list. */
export async function listIds(store: Store, filter: RunFilter = {}): Promise<string[]> {
  return (await store.runs.listRuns(filter)).map(({ id }) => id);
}

/** Asserts that a call rejects with our error of that code, and gives it. */
export async function rejectsWith(
  call: () => Promise<unknown>,
  code: string,
): Promise<IncipitError> {
  const outcome: unknown = await call().then(
    (value) => new Error(`resolved with ${JSON.stringify(value)}, expected ${code}`),
    (error: unknown) => error,
  );
  if (!IncipitError.isInstance(outcome)) throw outcome;
  assert.equal(outcome.code, code);
  return outcome;
}
