import { type Kysely, type Migration, sql } from "kysely";

/**
 * Runs. The large texts come last, so a list never reads them. Ids and times are ASCII, so a
 * bytewise order, SQLite's own, is the order that JavaScript gives them.
 */
export const createRun: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("run")
      .addColumn("id", "text", (column) => column.primaryKey().notNull())
      .addColumn("started_at", "text", (column) => column.notNull())
      .addColumn("duration_ms", "double precision", (column) => column.notNull())
      .addColumn("task", "text", (column) => column.notNull())
      .addColumn("status", "text", (column) => column.notNull())
      .addColumn("stamp_id", "text")
      .addColumn("prompt_digest", "text")
      .addColumn("model", "text")
      .addColumn("inputs", "text", (column) => column.notNull())
      .addColumn("result", "text", (column) => column.notNull())
      .addCheckConstraint("run_status", sql`status in ('ok', 'failed', 'aborted')`)
      .execute();
    await db.schema
      .createIndex("run_by_time")
      .on("run")
      .columns(["started_at desc", "id desc"])
      .execute();
    await db.schema
      .createIndex("run_by_task")
      .on("run")
      .columns(["task", "started_at desc", "id desc"])
      .execute();
  },
};
