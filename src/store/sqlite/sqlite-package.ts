import { IncipitError } from "../../text/index.ts";

/** The constructor of better-sqlite3. */
export type DatabaseConstructor = typeof import("better-sqlite3");

/** Loads better-sqlite3, its native part included, or throws `store_package_missing`. */
export async function loadSqlitePackage(): Promise<DatabaseConstructor> {
  let Database: DatabaseConstructor;
  try {
    Database = (await import("better-sqlite3")).default;
  } catch (cause) {
    throw new IncipitError(
      "store_package_missing",
      'The package "better-sqlite3" is not installed, expected it for a SQLite store.',
      { hint: "npm install better-sqlite3", cause },
    );
  }
  try {
    // The native part is looked for when the first database is opened.
    new Database(":memory:").close();
  } catch (cause) {
    throw new IncipitError(
      "store_package_missing",
      `The package "better-sqlite3" has no native part that works with Node.js ${process.version}.`,
      { hint: "npm rebuild better-sqlite3", cause },
    );
  }
  return Database;
}
