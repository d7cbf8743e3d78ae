import type { Kysely } from "kysely";
import type { IncipitError } from "../../text/index.ts";
import {
  checkPruneOptions,
  checkRunFilter,
  checkRunPrefix,
  toClosedError,
  toRunExistsError,
} from "../run-query.ts";
import { fromStoredRun, toStoredRun } from "../run-record.ts";
import type { Store } from "../store.ts";
import type { StoreDatabase } from "./database.ts";
import {
  deleteOldRuns,
  deleteRunById,
  insertRun,
  selectRunById,
  selectRunByPrefix,
  selectRuns,
} from "./run-queries.ts";

/** What a database brings to the shared store. */
export interface SqlBackend {
  /** Open, and its schema current. */
  readonly db: Kysely<StoreDatabase>;
  /** Turns an error of the driver into ours. */
  toError(error: unknown): IncipitError;
  /** Called after rows were deleted, to give their space back. */
  reclaim(): void;
  close(): Promise<void>;
}

/** Creates a store over a database that kysely speaks to. */
export function createSqlStore({ db, toError, reclaim, close }: SqlBackend): Store {
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | null = null;

  const whileOpen = async <Value>(call: () => Promise<Value>): Promise<Value> => {
    if (closing !== null) throw toClosedError();
    const running = call();
    underWay.add(running);
    try {
      return await running;
    } catch (error) {
      throw toError(error);
    } finally {
      underWay.delete(running);
    }
  };

  return {
    runs: {
      saveRun: (record) =>
        whileOpen(async () => {
          const run = toStoredRun(record);
          if (!(await insertRun(db, run))) throw toRunExistsError(run.id);
        }),
      getRun: (id) =>
        whileOpen(async () => {
          const run = await selectRunById(db, id);
          return run === undefined ? null : fromStoredRun(run);
        }),
      findRun: (prefix) =>
        whileOpen(async () => {
          checkRunPrefix(prefix);
          const run = await selectRunByPrefix(db, prefix);
          return run === undefined ? null : fromStoredRun(run);
        }),
      listRuns: (filter = {}) => whileOpen(async () => selectRuns(db, checkRunFilter(filter))),
      deleteRun: (id) =>
        whileOpen(async () => {
          const deleted = await deleteRunById(db, id);
          if (deleted) reclaim();
          return deleted;
        }),
      pruneRuns: (options) =>
        whileOpen(async () => {
          const count = await deleteOldRuns(db, checkPruneOptions(options));
          if (count > 0) reclaim();
          return count;
        }),
    },
    close: () => {
      closing ??= (async () => {
        await Promise.allSettled(underWay);
        await close();
      })();
      return closing;
    },
  };
}
