import { constants, type Stats } from "node:fs";
import { access, copyFile, mkdir, mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { IncipitError } from "../../text/index.ts";
import { pathHint, toErrorCode } from "./sqlite-error.ts";

/** The absolute path of a store; throws `store_invalid_path` for one that SQLite would alter. */
export function toStorePath(path: string): string {
  // better-sqlite3 trims paths, and takes "" and ":memory:" for a database that is not kept.
  if (path === "" || path !== path.trim() || path.includes("\0")) {
    throw new IncipitError(
      "store_invalid_path",
      `"${path}" cannot be a store, expected a path without white space at its ends.`,
      { hint: pathHint },
    );
  }
  return resolve(path);
}

/** Creates the folder and an empty file where they are missing; throws where either is read-only. */
export async function prepareStoreFile(path: string): Promise<void> {
  const folder = dirname(path);
  // Runs hold what people dictated: for the owner only.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await checkKind(path);
  try {
    await (await open(path, "wx", 0o600)).close();
  } catch (error) {
    if (toErrorCode(error) !== "EEXIST") throw error;
  }
  await access(path, constants.R_OK | constants.W_OK);
  await access(folder, constants.W_OK | constants.X_OK);
}

/** Throws unless there is a file that can be read. */
export async function checkReadableFile(path: string): Promise<void> {
  await checkKind(path);
  await access(path, constants.R_OK);
}

/**
 * Throws `store_invalid_path` where there is something that is no file: SQLite would wait at a pipe
 * for ever.
 */
async function checkKind(path: string): Promise<void> {
  let entry: Stats;
  try {
    entry = await stat(path);
  } catch (error) {
    if (toErrorCode(error) === "ENOENT") return;
    throw error;
  }
  if (entry.isFile()) return;
  const kind = entry.isDirectory() ? "a folder" : "not a regular file";
  throw new IncipitError("store_invalid_path", `"${path}" is ${kind}, expected a file.`, {
    hint: pathHint,
  });
}

/** A copy of a database in a folder of its own. */
export interface StoreCopy {
  readonly path: string;
  /** Removes it; while it is open, on the systems that allow that. */
  remove(): Promise<void>;
}

/**
 * Copies a database and its write-ahead log to a private temporary folder. SQLite cannot read a
 * database with such a log in a folder it cannot write, for it keeps an index of the log there.
 * Null if the file changed while it was copied.
 */
export async function copyStoreFile(path: string): Promise<StoreCopy | null> {
  const before = await readTimes(path);
  const folder = await mkdtemp(join(tmpdir(), "incipit-store-"));
  const copy: StoreCopy = {
    path: join(folder, "store.db"),
    remove: () => rm(folder, { recursive: true, force: true }).catch(() => undefined),
  };
  try {
    await copyFile(path, copy.path, constants.COPYFILE_FICLONE);
    try {
      await copyFile(`${path}-wal`, `${copy.path}-wal`, constants.COPYFILE_FICLONE);
    } catch (error) {
      if (toErrorCode(error) !== "ENOENT") throw error;
    }
    if ((await readTimes(path)) === before) return copy;
  } catch (error) {
    await copy.remove();
    throw error;
  }
  await copy.remove();
  return null;
}

/** What changes when either file does. */
async function readTimes(path: string): Promise<string> {
  const times = [path, `${path}-wal`].map(async (file) => {
    try {
      const { ino, size, mtimeNs } = await stat(file, { bigint: true });
      return `${ino}:${size}:${mtimeNs}`;
    } catch (error) {
      if (toErrorCode(error) === "ENOENT") return "missing";
      throw error;
    }
  });
  return (await Promise.all(times)).join(" ");
}
