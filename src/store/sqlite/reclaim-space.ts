import type { Database } from "better-sqlite3";
import { isBusyError, isFullError } from "./sqlite-error.ts";

/**
 * Gives the space of deleted rows back to the disk, and with it their text: the pages that are free
 * now are cut off the file, and the write-ahead log is emptied. While another connection reads, or
 * on a full disk, this waits for the next deletion; the rows are gone all the same.
 */
export function reclaimSpace(sqlite: Database, busyTimeoutMs: number): void {
  sqlite.pragma("busy_timeout = 0");
  try {
    sqlite.pragma("incremental_vacuum");
    sqlite.pragma("wal_checkpoint(truncate)");
  } catch (error) {
    if (!isBusyError(error) && !isFullError(error)) throw error;
  } finally {
    sqlite.pragma(`busy_timeout = ${busyTimeoutMs}`);
  }
}
