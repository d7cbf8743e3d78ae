import { IncipitError } from "../text/index.ts";
import { parseRecordJson, printRecordJson } from "./record-json.ts";
import type { RunRecord, RunStatus, RunSummary } from "./store.ts";

/** A run as a store holds it: the large parts are JSON texts. */
export interface StoredRun extends RunSummary {
  readonly inputs: string;
  readonly result: string;
}

/** Every way a run can end. */
export const runStatuses: readonly RunStatus[] = ["ok", "failed", "aborted"];

/** Checks a record and gives it as it is stored; throws `store_invalid_record`. */
export function toStoredRun(record: RunRecord): StoredRun {
  const { id, startedAt, durationMs, task, status, stampId, promptDigest, model } = record;
  if (typeof id !== "string" || !/^[A-Za-z0-9][A-Za-z0-9._~-]{5,127}$/.test(id)) {
    refuse("id", id, "6 to 128 of A–Z a–z 0–9 . _ ~ -, beginning with a letter or a digit");
  }
  if (!isTimestamp(startedAt)) refuse("startedAt", startedAt, timestampForm);
  if (typeof durationMs !== "number" || !Number.isFinite(durationMs) || durationMs < 0) {
    refuse("durationMs", durationMs, "a number, 0 or more");
  }
  if (!isName(task)) refuse("task", task, nameForm);
  if (!runStatuses.includes(status)) refuse("status", status, runStatuses.join(", "));
  for (const [field, value] of Object.entries({ stampId, promptDigest, model })) {
    if (value !== null && !isName(value)) refuse(field, value, `null or ${nameForm}`);
  }
  const inputs = printRecordJson(record.inputs, "inputs");
  const result = printRecordJson(record.result, "result");
  const summary = { id, startedAt, durationMs, task, status, stampId, promptDigest, model };
  return { ...summary, inputs, result };
}

/** Reads a stored run; throws `store_corrupt` if its JSON is broken. */
export function fromStoredRun(stored: StoredRun): RunRecord {
  return {
    ...stored,
    inputs: parseRecordJson(stored.inputs, `run "${stored.id}", inputs,`),
    result: parseRecordJson(stored.result, `run "${stored.id}", result,`),
  };
}

/** Whether a value is a time as records and filters write it; such texts sort by time. */
export function isTimestamp(value: unknown): value is string {
  if (typeof value !== "string") return false;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return false;
  const time = Date.parse(value);
  return !Number.isNaN(time) && new Date(time).toISOString() === value;
}

/** What `isTimestamp` accepts, for messages. */
export const timestampForm = "a UTC time such as 2026-01-31T08:05:00.000Z";

const nameForm = "well-formed text, not empty, without a null character";

/** A database column of text cannot hold every string: PostgreSQL has no U+0000. */
function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !/\0|\p{Surrogate}/u.test(value);
}

function refuse(field: string, value: unknown, expected: string): never {
  const shown = (JSON.stringify(value) ?? String(value)).slice(0, 200);
  const message = `The run's "${field}" is ${shown}, expected ${expected}.`;
  throw new IncipitError("store_invalid_record", message);
}
