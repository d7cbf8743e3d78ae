import { dirname } from "node:path";
import { IncipitError } from "../../text/index.ts";

/** Which file an error is about, and what was wanted of it. */
export interface ErrorContext {
  readonly path: string;
  readonly readOnly: boolean;
}

/** The mend of `store_invalid_path`. */
export const pathHint = "give the path of a file, in a folder that is there or can be made";

/** Turns an error of SQLite or of the file system into ours; ours stays as it is. */
export function toStoreError(error: unknown, context: ErrorContext): IncipitError {
  if (IncipitError.isInstance(error)) return error;
  const { path } = context;
  const code = toErrorCode(error);
  const fail = (name: string, message: string, hint?: string) =>
    new IncipitError(name, message, { hint, cause: error });

  if (isFullCode(code)) {
    const hint = "free some space; what was stored before is intact";
    return fail("store_full", `There is no space left on the disk for the store "${path}".`, hint);
  }
  if (isBusyError(error)) {
    const hint = "try again when the other process is done";
    return fail("store_busy", `Another process keeps the store "${path}" locked.`, hint);
  }
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) {
    const hint = "move the file away, and its -wal if there is one; a new store is then begun";
    return fail("store_corrupt", `The store "${path}" is not a sound SQLite database.`, hint);
  }
  if (/^(ENOTDIR|EISDIR|EEXIST|ELOOP|ENAMETOOLONG|ERR_INVALID_ARG_VALUE)$/.test(code)) {
    const message = `"${path}" cannot be a store, expected the path of a file.`;
    return fail("store_invalid_path", message, pathHint);
  }
  if (code === "ENOENT") {
    return fail("store_missing", `There is no store "${path}", expected a SQLite file.`);
  }
  if (/^(SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM|EACCES|EPERM|EROFS)/.test(code)) {
    return toAccessError(code, context, error);
  }
  const cause = error instanceof Error ? error.message : String(error);
  return fail("store_failed", `The store "${path}" failed: ${cause}.`);
}

function toAccessError(code: string, { path, readOnly }: ErrorContext, cause: unknown) {
  if (readOnly && !code.startsWith("SQLITE_READONLY")) {
    const message = `The store "${path}" cannot be read, expected permission to read it.`;
    return new IncipitError("store_not_readable", message, { cause });
  }
  if (readOnly) {
    const message = `The store "${path}" was opened for reading only.`;
    return new IncipitError("store_not_writable", message, { cause });
  }
  return new IncipitError(
    "store_not_writable",
    `The store "${path}" cannot be written, expected permission to write it and its folder.`,
    { hint: `make the file and "${dirname(path)}" writable for this user`, cause },
  );
}

/** The code of SQLite or of Node.js, or `""`. */
export function toErrorCode(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

/** Whether another connection is in the way, for now. */
export function isBusyError(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(toErrorCode(error));
}

/** Whether the disk is full. */
export function isFullError(error: unknown): boolean {
  return isFullCode(toErrorCode(error));
}

/** `SHMSIZE`: the index of the write-ahead log could not grow to its size. */
function isFullCode(code: string): boolean {
  return /^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/.test(code);
}
