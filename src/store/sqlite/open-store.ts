import { setTimeout as sleep } from "node:timers/promises";
import { createSqlStore } from "../sql/sql-store.ts";
import type { Store } from "../store.ts";
import { type Connection, connectToRead, connectToWrite } from "./connection.ts";
import type { SqliteStoreOptions } from "./open-sqlite-store.ts";
import { reclaimSpace } from "./reclaim-space.ts";
import { isBusyError, isFullError, toErrorCode, toStoreError } from "./sqlite-error.ts";
import { type DatabaseConstructor, loadSqlitePackage } from "./sqlite-package.ts";
import {
  checkReadableFile,
  copyStoreFile,
  prepareStoreFile,
  type StoreCopy,
  toStorePath,
} from "./store-file.ts";

interface OpenedFile extends Connection {
  /** What is read in place of the file itself. */
  readonly copy: StoreCopy | null;
}

/** Opens a store; `openSqliteStore` says how. */
export async function openStore(path: string, options: SqliteStoreOptions): Promise<Store> {
  const { readOnly = false, busyTimeoutMs = 10_000 } = options;
  const file = toStorePath(path);
  const toError = (error: unknown) => toStoreError(error, { path: file, readOnly });
  const Database = await loadSqlitePackage();
  try {
    const open = readOnly ? openToRead : openToWrite;
    const { sqlite, db, copy } = await whenFree(() => open(Database, file), busyTimeoutMs);
    sqlite.pragma(`busy_timeout = ${busyTimeoutMs}`);
    return createSqlStore({
      db,
      toError,
      reclaim: () => reclaimSpace(sqlite, busyTimeoutMs),
      close: async () => {
        await db.destroy();
        await copy?.remove();
      },
    });
  } catch (error) {
    throw toError(error);
  }
}

async function openToWrite(Database: DatabaseConstructor, file: string): Promise<OpenedFile> {
  await prepareStoreFile(file);
  return { ...(await connectToWrite(Database, file)), copy: null };
}

async function openToRead(Database: DatabaseConstructor, file: string): Promise<OpenedFile> {
  await checkReadableFile(file);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { ...(await connectToRead(Database, file, file)), copy: null };
    } catch (error) {
      if (!isIndexError(error)) throw error;
      const copy = await copyStoreFile(file);
      if (copy !== null) return await openCopy(Database, file, copy);
      // Someone is writing to it, so there is an index by now.
      if (attempt === 10) throw error;
    }
  }
}

async function openCopy(
  Database: DatabaseConstructor,
  file: string,
  copy: StoreCopy,
): Promise<OpenedFile> {
  try {
    return { ...(await connectToRead(Database, copy.path, file)), copy };
  } finally {
    // Open files outlive their names: a killed process leaves no copy behind. Where they do not,
    // closing removes it.
    await copy.remove();
  }
}

/** Whether the index of a write-ahead log could not be created beside the file. */
function isIndexError(error: unknown): boolean {
  return isFullError(error) || /^SQLITE_(READONLY|CANTOPEN|IOERR_SHM)/.test(toErrorCode(error));
}

/** Calls again, for that long, while another connection is in the way. */
async function whenFree<Value>(call: () => Promise<Value>, timeoutMs: number): Promise<Value> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isBusyError(error) || performance.now() >= deadline) throw error;
      await sleep(5);
    }
  }
}
