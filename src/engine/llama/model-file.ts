import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { IncipitError } from "../../text/index.ts";
import { findHeaderProblem } from "./gguf-header.ts";

/**
 * Checks that a path leads to a whole GGUF file, before native code reads it. Throws
 * `engine_model_not_found` or `engine_model_unreadable`.
 */
export async function checkModelFile(path: string): Promise<void> {
  const hint = "Run `incipit model pull` to fetch a model, `incipit model list` to see those here.";
  const found = await stat(path).catch((cause: unknown) => {
    throw new IncipitError("engine_model_not_found", `There is no model file "${path}".`, {
      cause,
      hint,
    });
  });
  // Of a device or a pipe, a reader might never see the end.
  if (!found.isFile()) {
    throw new IncipitError("engine_model_not_found", `"${path}" is not a regular file.`, { hint });
  }
  const problem = await findHeaderProblem(path).catch((cause: unknown) => {
    throw toUnreadable(path, cause instanceof Error ? cause.message : String(cause), cause);
  });
  if (problem !== null) throw toUnreadable(path, problem, undefined);
}

/** The failure of a file that is not a model, or not one that this engine can load. */
export function toUnreadable(path: string, reason: string, cause: unknown): IncipitError {
  return new IncipitError(
    "engine_model_unreadable",
    `The model file "${path}" cannot be loaded: ${reason.replace(/\.$/, "")}.`,
    { cause, hint: "Fetch the file again, and check that it is a GGUF language model." },
  );
}

/** SHA-256 of a file, as 64 hex digits. */
export async function digestFile(path: string, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash("sha256");
  const options = signal === undefined ? {} : { signal };
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, ...options })) {
    hash.update(chunk);
  }
  return hash.digest("hex");
}
