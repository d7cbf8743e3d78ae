import type { Json } from "../text/index.ts";

/** How a run ended. */
export type RunStatus = "ok" | "failed" | "aborted";

/** What a list shows of a run: everything but the large parts. */
export interface RunSummary {
  /**
   * Given by whoever ran it: time-ordered and URL-safe, 6 to 128 of `A–Z a–z 0–9 . _ ~ -`, beginning
   * with a letter or a digit.
   */
  readonly id: string;
  /** ISO 8601, UTC, with milliseconds: `2026-01-31T08:05:00.000Z`. */
  readonly startedAt: string;
  /** In milliseconds; may have a fraction. */
  readonly durationMs: number;
  /** `dictation/content-tags` */
  readonly task: string;
  readonly status: RunStatus;
  /** Digest of the stamp. */
  readonly stampId: string | null;
  readonly promptDigest: string | null;
  /** Name of the model. */
  readonly model: string | null;
}

/** One run as it is kept. It is written once and never changed. */
export interface RunRecord extends RunSummary {
  /** The inputs as they were given. */
  readonly inputs: Json;
  /** The whole result: value, text, stamp, attempts, warnings, usage; or the failure. */
  readonly result: Json;
}

/** A place in the list of runs. A summary is one: the place right after that run. */
export interface RunPosition {
  /** ISO 8601, UTC, with milliseconds. */
  readonly startedAt: string;
  /** Without it, the place before every run that started at that time. */
  readonly id?: string | undefined;
}

/** Which runs to list; every condition given must hold. */
export interface RunFilter {
  readonly task?: string | undefined;
  readonly status?: RunStatus | undefined;
  /** Started at this time or later; ISO 8601, UTC, with milliseconds. */
  readonly since?: string | undefined;
  /** Only what the list has after this place: the last run of one page gives the next page. */
  readonly before?: RunPosition | undefined;
  /** The most runs to give, 1 or more; 100 unless told. */
  readonly limit?: number | undefined;
}

/** Which runs to delete. With both, a run goes only if both say so. */
export interface PruneOptions {
  /** Runs that started earlier than this; ISO 8601, UTC, with milliseconds. */
  readonly before?: string | undefined;
  /** All but this many of the newest runs; 0 or more. */
  readonly keep?: number | undefined;
}

/**
 * A keeper of run records.
 *
 * A promise that resolved is kept: what `saveRun` acknowledged survives a crash. Every write is
 * whole or has not happened. Values come back as they were given, with the text of every string as
 * it was; the exceptions are JSON's own: a member that is `undefined` is left out, and −0 becomes 0.
 *
 * Errors are `IncipitError` with a code that begins `store_`. Calls after `close` reject with
 * `store_closed`.
 */
export interface RunStore {
  /** Keeps a run. Rejects with `store_run_exists` if its id is taken: a record is never changed. */
  saveRun(record: RunRecord): Promise<void>;
  /** The run of that id, or null. */
  getRun(id: string): Promise<RunRecord | null>;
  /**
   * The run of that id, or the only run whose id begins so, or null. Rejects with
   * `store_run_ambiguous` if there are several, `store_prefix_too_short` below 6 characters.
   */
  findRun(prefix: string): Promise<RunRecord | null>;
  /** Runs by the time they started, newest first; equal times by id, highest first. */
  listRuns(filter?: RunFilter): Promise<readonly RunSummary[]>;
  /** Deletes a run for good; false if there was none. */
  deleteRun(id: string): Promise<boolean>;
  /** Deletes runs for good, all of them or none, and gives how many. */
  pruneRuns(options: PruneOptions): Promise<number>;
}

/** An open place of records: one part for each kind of them. */
export interface Store {
  readonly runs: RunStore;
  /** Waits for calls under way and closes. Closing twice is allowed. */
  close(): Promise<void>;
}
