import type { Database } from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { IncipitError } from "../../text/index.ts";
import type { StoreDatabase } from "../sql/database.ts";
import { migrate, readSchemaState } from "../sql/migrate.ts";
import type { DatabaseConstructor } from "./sqlite-package.ts";

/** A connection to a database that is a store and has the current schema. */
export interface Connection {
  readonly sqlite: Database;
  readonly db: Kysely<StoreDatabase>;
}

/** Marks a SQLite file as ours: "Incp". */
const applicationId = 0x496e6370;

/**
 * Connects and brings the schema up to date. Nothing is written before the file has proved to be a
 * store or empty. A lock held by someone else is thrown at once, for the caller to try again:
 * waiting inside SQLite stops this process, and another opening in it that may hold the lock.
 */
export async function connectToWrite(
  Database: DatabaseConstructor,
  path: string,
): Promise<Connection> {
  return connect(new Database(path, { fileMustExist: true, timeout: 0 }), async (sqlite, db) => {
    checkOwner(sqlite, path);
    const schema = await checkSchema(db, path);
    // Takes effect in an empty file only, and there only before the journal is chosen.
    sqlite.pragma("auto_vacuum = incremental");
    sqlite.pragma("journal_mode = wal");
    sqlite.pragma("synchronous = full");
    // macOS: a plain fsync leaves the data in the drive's cache.
    sqlite.pragma("fullfsync = on");
    sqlite.pragma("foreign_keys = on");
    // Deleted text is overwritten where that costs no further page.
    sqlite.pragma("secure_delete = fast");
    if (schema === "older") await migrateUnderLock(sqlite, db, path);
  });
}

/**
 * Connects for reading only; throws `store_older_schema` where a migration would be needed. Errors
 * speak of `path`, which is not `file` when that is a copy.
 */
export async function connectToRead(
  Database: DatabaseConstructor,
  file: string,
  path: string,
): Promise<Connection> {
  const options = { readonly: true, fileMustExist: true, timeout: 0 };
  return connect(new Database(file, options), async (sqlite, db) => {
    checkOwner(sqlite, path);
    if ((await checkSchema(db, path)) === "current") return;
    throw new IncipitError(
      "store_older_schema",
      `The store "${path}" has an older schema, expected the one of this version.`,
      { hint: "run once something that writes to it; that brings it up to date" },
    );
  });
}

async function connect(
  sqlite: Database,
  prepare: (sqlite: Database, db: Kysely<unknown>) => Promise<void>,
): Promise<Connection> {
  try {
    const db = new Kysely<StoreDatabase>({ dialect: new SqliteDialect({ database: sqlite }) });
    await prepare(sqlite, db as Kysely<unknown>);
    return { sqlite, db };
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function checkOwner(sqlite: Database, path: string): void {
  // In one transaction: between the two, another process may create its schema.
  const [owner, entries] = sqlite.transaction(() => [
    sqlite.pragma("application_id", { simple: true }),
    sqlite.prepare("select count(*) from sqlite_master").pluck().get(),
  ])();
  if (owner === applicationId || (owner === 0 && entries === 0)) return;
  throw new IncipitError(
    "store_foreign_file",
    `"${path}" is a SQLite database of another program, expected a store or no file.`,
  );
}

async function checkSchema(db: Kysely<unknown>, path: string): Promise<"current" | "older"> {
  const state = await readSchemaState(db);
  if (state.kind !== "newer") return state.kind;
  const names = state.unknown.map((name) => `"${name}"`).join(", ");
  throw new IncipitError(
    "store_newer_schema",
    `The store "${path}" was written by a newer version of Incipit: it has the migration ${names}.`,
    { hint: "npm install incipit@latest" },
  );
}

/** All migrations in one transaction; whoever comes second finds them done. */
async function migrateUnderLock(sqlite: Database, db: Kysely<unknown>, path: string) {
  sqlite.exec("begin immediate");
  try {
    if ((await checkSchema(db, path)) === "older") await migrate(db);
    sqlite.pragma(`application_id = ${applicationId}`);
    sqlite.exec("commit");
  } catch (error) {
    // A full disk has SQLite roll back by itself.
    if (sqlite.inTransaction) sqlite.exec("rollback");
    throw error;
  }
}
