import { IncipitError, toHint } from "../text/index.ts";
import { isTimestamp, runStatuses, timestampForm } from "./run-record.ts";
import type { PruneOptions, RunFilter, RunPosition } from "./store.ts";

/** How many runs a list gives unless told. */
const usualLimit = 100;

/** How short a prefix of an id may be. */
const shortestPrefix = 6;

/** Checks a filter and fills in its limit; throws `store_invalid_filter`. */
export function checkRunFilter(filter: RunFilter): RunFilter & { readonly limit: number } {
  const { task, status, since, before, limit = usualLimit } = filter;
  if (task !== undefined && typeof task !== "string") refuse("task", task, "a task's id");
  if (status !== undefined && !runStatuses.includes(status)) {
    refuse("status", status, runStatuses.join(", "), toHint(String(status), runStatuses));
  }
  if (since !== undefined && !isTimestamp(since)) refuse("since", since, timestampForm);
  if (before !== undefined && !isPosition(before)) {
    refuse("before", before, `a run, or startedAt with ${timestampForm}`);
  }
  if (!Number.isSafeInteger(limit) || limit < 1) refuse("limit", limit, "a whole number from 1");
  return { ...filter, limit };
}

/** Checks what to prune; throws `store_invalid_filter` or `store_prune_unbounded`. */
export function checkPruneOptions(options: PruneOptions): PruneOptions {
  const { before, keep } = options;
  if (before === undefined && keep === undefined) {
    throw new IncipitError(
      "store_prune_unbounded",
      'Pruning needs "before" or "keep"; without either it would delete every run.',
      { hint: "give the time before which runs may go, or how many of the newest stay" },
    );
  }
  if (before !== undefined && !isTimestamp(before)) refuse("before", before, timestampForm);
  if (keep !== undefined && (!Number.isSafeInteger(keep) || keep < 0)) {
    refuse("keep", keep, "a whole number from 0");
  }
  return options;
}

/** Throws `store_prefix_too_short` unless the prefix is long enough to mean one run. */
export function checkRunPrefix(prefix: string): void {
  if (prefix.length >= shortestPrefix) return;
  throw new IncipitError(
    "store_prefix_too_short",
    `"${prefix}" is too short for a run's id, expected at least ${shortestPrefix} characters of it.`,
    { hint: "write more of it; a list of the runs shows their ids" },
  );
}

/** The error of two calls of `saveRun` with one id. */
export function toRunExistsError(id: string): IncipitError {
  const message = `A run with the id "${id}" is already stored, expected a new id.`;
  return new IncipitError("store_run_exists", message);
}

/** The error of a prefix that several ids begin with. */
export function toAmbiguousRunError(prefix: string, ids: readonly string[]): IncipitError {
  const message = `Several runs have ids that begin with "${prefix}", expected one.`;
  const hint = `give more of it: ${ids.map((id) => `"${id}"`).join(", ")}`;
  return new IncipitError("store_run_ambiguous", message, { hint });
}

/** The error of a call after `close`. */
export function toClosedError(): IncipitError {
  return new IncipitError("store_closed", "The store is closed, expected an open one.", {
    hint: "close a store after its last call, or open it again",
  });
}

function isPosition({ startedAt, id }: RunPosition): boolean {
  return isTimestamp(startedAt) && (id === undefined || typeof id === "string");
}

function refuse(field: string, value: unknown, expected: string, hint?: string): never {
  const shown = (JSON.stringify(value) ?? String(value)).slice(0, 200);
  throw new IncipitError("store_invalid_filter", `"${field}" is ${shown}, expected ${expected}.`, {
    hint: hint ?? `leave "${field}" out, or give it as expected`,
  });
}
