import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { IncipitError } from "../../text/index.ts";

/**
 * Checks that a path leads to a GGUF file, before native code reads it. Throws
 * `engine_model_not_found` or `engine_model_unreadable`. Whether all of its tensors are there is
 * looked at while it is loaded.
 */
export async function checkModelFile(path: string): Promise<void> {
  const hint = "Run `incipit model pull` to fetch a model, `incipit model list` to see those here.";
  const found = await stat(path).catch((cause: unknown) => {
    throw new IncipitError("engine_model_not_found", `There is no model file "${path}".`, {
      cause,
      hint,
    });
  });
  if (!found.isFile()) {
    throw new IncipitError("engine_model_not_found", `"${path}" is not a file.`, { hint });
  }
  const head = await readHead(path).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw toUnreadable(path, reason, cause);
  });
  if (head.toString("latin1", 0, 4) !== "GGUF") {
    throw toUnreadable(path, "it does not begin with the letters GGUF", undefined);
  }
  const version = head.length < 8 ? 0 : head.readUInt32LE(4);
  if (version !== 2 && version !== 3) {
    const reason = `its GGUF version is ${version}, and 2 or 3 was expected`;
    throw toUnreadable(path, reason, undefined);
  }
}

async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(8), 0, 8, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
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
