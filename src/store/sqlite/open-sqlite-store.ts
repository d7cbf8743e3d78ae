import type { Store } from "../store.ts";

export interface SqliteStoreOptions {
  /**
   * Opens for reading only: no file, schema or run is created or changed, though SQLite may leave
   * the empty log and its index beside the file. In a folder that cannot be written, or on a full
   * disk, it reads a private copy, which shows the store as it was when it was opened.
   */
  readonly readOnly?: boolean | undefined;
  /** How long to wait for another process that is writing, in milliseconds; 10,000 unless told. */
  readonly busyTimeoutMs?: number | undefined;
}

/**
 * Opens a store in one SQLite file and, unless `readOnly`, creates what is missing: the folder (for
 * its owner only), the file (likewise) and the schema. Any number of processes may have it open.
 *
 * The journal is a write-ahead log with `synchronous = FULL`: an acknowledged run survives a killed
 * process and a power cut. It needs a local file system.
 *
 * Errors of opening: `store_package_missing`, `store_invalid_path`, `store_missing`,
 * `store_not_readable`, `store_not_writable`, `store_full`, `store_busy`, `store_corrupt`,
 * `store_foreign_file`, `store_newer_schema`, `store_older_schema`. A file that is refused is left
 * as it is.
 */
export async function openSqliteStore(
  path: string,
  options: SqliteStoreOptions = {},
): Promise<Store> {
  // kysely and better-sqlite3 take a tenth of a second to load: not before they are needed.
  const { openStore } = await import("./open-store.ts");
  return openStore(path, options);
}
