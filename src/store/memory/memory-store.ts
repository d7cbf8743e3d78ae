import {
  checkPruneOptions,
  checkRunFilter,
  checkRunPrefix,
  toAmbiguousRunError,
  toClosedError,
  toRunExistsError,
} from "../run-query.ts";
import { fromStoredRun, type StoredRun, toStoredRun } from "../run-record.ts";
import type { RunFilter, RunPosition, RunSummary, Store } from "../store.ts";

/**
 * Creates a store that lives as long as the process: for tests, browsers and callers who keep
 * nothing. It keeps runs as JSON texts, so a value changed after it was saved stays as it was saved.
 */
export function createMemoryStore(): Store {
  const runs = new Map<string, StoredRun>();
  let closed = false;

  const whileOpen = async <Value>(call: () => Value): Promise<Value> => {
    if (closed) throw toClosedError();
    return call();
  };
  const newestFirst = (): StoredRun[] => [...runs.values()].sort(compareRuns);
  const read = (id: string) => {
    const stored = runs.get(id);
    return stored === undefined ? null : fromStoredRun(stored);
  };

  return {
    runs: {
      saveRun: (record) =>
        whileOpen(() => {
          const stored = toStoredRun(record);
          if (runs.has(stored.id)) throw toRunExistsError(stored.id);
          runs.set(stored.id, stored);
        }),
      getRun: (id) => whileOpen(() => read(id)),
      findRun: (prefix) =>
        whileOpen(() => {
          checkRunPrefix(prefix);
          if (runs.has(prefix)) return read(prefix);
          const ids = [...runs.keys()].filter((id) => id.startsWith(prefix)).sort();
          if (ids.length > 1) throw toAmbiguousRunError(prefix, ids.slice(0, 3));
          return ids[0] === undefined ? null : read(ids[0]);
        }),
      listRuns: (filter = {}) =>
        whileOpen(() => {
          const { limit, ...conditions } = checkRunFilter(filter);
          const matching = newestFirst().filter((run) => matches(run, conditions));
          return matching.slice(0, limit).map(toSummary);
        }),
      deleteRun: (id) => whileOpen(() => runs.delete(id)),
      pruneRuns: (options) =>
        whileOpen(() => {
          const { before, keep = 0 } = checkPruneOptions(options);
          const old = newestFirst()
            .slice(keep)
            .filter((run) => before === undefined || run.startedAt < before);
          for (const { id } of old) runs.delete(id);
          return old.length;
        }),
    },
    close: async () => {
      closed = true;
      runs.clear();
    },
  };
}

function compareRuns(a: RunSummary, b: RunSummary): number {
  if (a.startedAt !== b.startedAt) return a.startedAt < b.startedAt ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}

function matches(run: RunSummary, { task, status, since, before }: RunFilter): boolean {
  if (task !== undefined && run.task !== task) return false;
  if (status !== undefined && run.status !== status) return false;
  if (since !== undefined && run.startedAt < since) return false;
  return before === undefined || isAfter(run, before);
}

/** Whether the list has the run after that place. */
function isAfter(run: RunSummary, { startedAt, id }: RunPosition): boolean {
  if (run.startedAt !== startedAt) return run.startedAt < startedAt;
  return id !== undefined && run.id < id;
}

function toSummary({ inputs: _inputs, result: _result, ...summary }: StoredRun): RunSummary {
  return summary;
}
