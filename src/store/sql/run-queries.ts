import type { Kysely } from "kysely";
import { toAmbiguousRunError } from "../run-query.ts";
import type { StoredRun } from "../run-record.ts";
import type { PruneOptions, RunFilter, RunSummary } from "../store.ts";
import type { StoreDatabase } from "./database.ts";

const summaryColumns = [
  "id",
  "started_at as startedAt",
  "duration_ms as durationMs",
  "task",
  "status",
  "stamp_id as stampId",
  "prompt_digest as promptDigest",
  "model",
] as const;

const allColumns = [...summaryColumns, "inputs", "result"] as const;

/** Sorts after every character that an id may have. */
const afterEveryId = "\u{7f}";

/** Inserts a run in one statement; false if its id is taken. */
export async function insertRun(db: Kysely<StoreDatabase>, run: StoredRun): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("run")
    .values({
      id: run.id,
      started_at: run.startedAt,
      duration_ms: run.durationMs,
      task: run.task,
      status: run.status,
      stamp_id: run.stampId,
      prompt_digest: run.promptDigest,
      model: run.model,
      inputs: run.inputs,
      result: run.result,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Selects a whole run. */
export async function selectRunById(
  db: Kysely<StoreDatabase>,
  id: string,
): Promise<StoredRun | undefined> {
  const query = db.selectFrom("run").select(allColumns).where("id", "=", id);
  // The check constraint of the column keeps its type.
  return (await query.executeTakeFirst()) as StoredRun | undefined;
}

/** Selects the run of an id or of its only prefix; throws `store_run_ambiguous`. */
export async function selectRunByPrefix(
  db: Kysely<StoreDatabase>,
  prefix: string,
): Promise<StoredRun | undefined> {
  const rows = await db
    .selectFrom("run")
    .select("id")
    .where("id", ">=", prefix)
    .where("id", "<", prefix + afterEveryId)
    .orderBy("id")
    .limit(3)
    .execute();
  const [first, second] = rows;
  if (first === undefined) return undefined;
  // An id that is the prefix itself sorts first, and means itself.
  if (second !== undefined && first.id !== prefix) {
    throw toAmbiguousRunError(
      prefix,
      rows.map(({ id }) => id),
    );
  }
  return await selectRunById(db, first.id);
}

/** Selects summaries, newest first. */
export async function selectRuns(
  db: Kysely<StoreDatabase>,
  { task, status, since, before, limit }: RunFilter & { readonly limit: number },
): Promise<RunSummary[]> {
  let query = db.selectFrom("run").select(summaryColumns);
  if (task !== undefined) query = query.where("task", "=", task);
  if (status !== undefined) query = query.where("status", "=", status);
  if (since !== undefined) query = query.where("started_at", ">=", since);
  if (before !== undefined) {
    const { startedAt, id } = before;
    query =
      id === undefined
        ? query.where("started_at", "<", startedAt)
        : query.where((where) =>
            where(where.refTuple("started_at", "id"), "<", where.tuple(startedAt, id)),
          );
  }
  const ordered = query.orderBy("started_at", "desc").orderBy("id", "desc").limit(limit);
  return (await ordered.execute()) as RunSummary[];
}

/** Deletes a run; false if there was none. */
export async function deleteRunById(db: Kysely<StoreDatabase>, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("run")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Deletes old runs in one statement, so all go or none, and gives how many. */
export async function deleteOldRuns(
  db: Kysely<StoreDatabase>,
  { before, keep }: PruneOptions,
): Promise<number> {
  let query = db.deleteFrom("run");
  if (before !== undefined) query = query.where("started_at", "<", before);
  if (keep !== undefined) {
    const newest = db
      .selectFrom("run")
      .select("id")
      .orderBy("started_at", "desc")
      .orderBy("id", "desc")
      .limit(keep);
    query = query.where("id", "not in", newest);
  }
  const { numDeletedRows } = await query.executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
