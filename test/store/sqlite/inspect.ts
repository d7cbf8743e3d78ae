import Database from "better-sqlite3";

/** Runs SQL on a database behind the store's back. */
export function alterDatabase(path: string, sql: string): void {
  const database = new Database(path);
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}

/** What SQLite itself says of a database's soundness: `ok`. */
export function checkIntegrity(path: string): string {
  const database = new Database(path);
  try {
    return String(database.pragma("integrity_check", { simple: true }));
  } finally {
    database.close();
  }
}
