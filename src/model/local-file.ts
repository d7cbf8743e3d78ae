import type { Stats } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { IncipitError } from "../text/index.ts";
import { type DigestFileOptions, digestFile } from "./digest-file.ts";
import { toErrno } from "./failure.ts";
import { checkGguf } from "./gguf.ts";
import { measureFile } from "./record.ts";

/** A model file of the user's own, looked at. */
export interface LocalFile {
  readonly path: string;
  readonly bytes: number;
  readonly modified: number;
  readonly digest: string;
}

/** The absolute path of a model file as it was typed; a leading `~/` is the user's home. */
export function toLocalPath(typed: string): string {
  return /^~[/\\]/.test(typed) ? resolve(homedir(), typed.slice(2)) : resolve(typed);
}

/** The failure of a path where nothing is, or a folder, a device or a pipe. */
function toMissing(path: string, found: Stats | null): IncipitError {
  const kind = found?.isDirectory() === true ? "a folder" : "not a regular file";
  const message =
    found === null ? `There is no file "${path}".` : `"${path}" is ${kind}, expected a model file.`;
  return new IncipitError("model_file_missing", message, {
    hint: "give the path of a model in GGUF format",
  });
}

/**
 * Checks that a path is a whole, readable GGUF model and computes its digest. Throws
 * `model_file_missing`, `model_unreadable`, `model_not_gguf` or `model_truncated`.
 */
export async function readLocalFile(
  path: string,
  options: DigestFileOptions = {},
): Promise<LocalFile> {
  try {
    const found = await measureFile(path);
    if (found === null) {
      throw toMissing(path, await stat(path).catch(() => null));
    }
    await access(path, constants.R_OK);
    await checkGguf(path);
    return { path, ...found, digest: await digestFile(path, options) };
  } catch (cause) {
    if (IncipitError.isInstance(cause)) throw cause;
    const reason = toErrno(cause) ?? String(cause);
    throw new IncipitError("model_unreadable", `"${path}" cannot be read (${reason}).`, {
      hint: "check the file's permissions",
      cause,
    });
  }
}
