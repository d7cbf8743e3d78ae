import { type Finding, IncipitError } from "../text/index.ts";

/** The system's code of an error, such as `ENOSPC`; null where there is none. */
export function toErrno(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

/**
 * An error met while writing under the home folder, as the one failure a user can act on:
 * `model_disk_full`, `model_read_only` or `model_storage_failed`. Failures pass unchanged.
 */
export function toStorageFailure(cause: unknown, path: string): IncipitError {
  if (IncipitError.isInstance(cause)) return cause;
  const errno = toErrno(cause);
  if (errno === "ENOSPC" || errno === "EDQUOT") return diskFull(path, { cause });
  if (errno === "EACCES" || errno === "EPERM" || errno === "EROFS") {
    return new IncipitError("model_read_only", `"${path}" cannot be written (${errno}).`, {
      hint: "make the folder writable, or name another one with INCIPIT_HOME",
      cause,
    });
  }
  const said = cause instanceof Error ? cause.message : String(cause);
  const isFile = errno === "ENOTDIR" || errno === "EEXIST";
  const reason = isFile ? "it is no folder, or lies in one that is none" : said;
  return new IncipitError("model_storage_failed", `"${path}" cannot be used: ${reason}.`, {
    hint: "INCIPIT_HOME must name a folder, or a place where one can be made",
    cause,
  });
}

/** The failure of a disk without enough room for the model. */
export function diskFull(
  path: string,
  details: { readonly neededBytes?: number; readonly freeBytes?: number; readonly cause?: unknown },
): IncipitError {
  const { neededBytes, freeBytes, cause } = details;
  const room =
    neededBytes === undefined || freeBytes === undefined
      ? ""
      : `: ${printBytes(neededBytes)} are needed, ${printBytes(freeBytes)} are free`;
  return new IncipitError("model_disk_full", `The disk of "${path}" is full${room}.`, {
    hint: "free some space, or name another folder with INCIPIT_HOME, and pull again",
    cause,
  });
}

/** The failure of one source; the pull goes on with the next one. */
export function sourceFailure(
  code:
    | "model_source_unreachable"
    | "model_source_not_found"
    | "model_source_denied"
    | "model_source_refused"
    | "model_source_stalled"
    | "model_source_interrupted"
    | "model_source_wrong_file"
    | "model_source_no_pip"
    | "model_source_failed",
  message: string,
  options: { readonly hint?: string | undefined; readonly cause?: unknown } = {},
): IncipitError {
  return new IncipitError(code, message, options);
}

/** The finding that a source's failure leaves behind, or null for any other error. */
export function toSourceFinding(error: unknown): Finding | null {
  if (!IncipitError.isInstance(error) || !error.code.startsWith("model_source_")) return null;
  return {
    code: error.code,
    severity: "error",
    message: error.message,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  };
}

function aborted(): IncipitError {
  return new IncipitError("model_aborted", "The pull was stopped; what has arrived is kept.", {
    hint: "pull again to go on from there",
  });
}

/** Throws `model_aborted` if the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw toAbortFailure(signal);
}

/** The failure an aborted signal stands for: its own reason where that is a failure of ours. */
export function toAbortFailure(signal: AbortSignal): IncipitError {
  const reason: unknown = signal.reason;
  return IncipitError.isInstance(reason) ? reason : aborted();
}

/** A number of bytes for people, such as `98.4 MB`. */
export function printBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(2)} GB`;
}
