import { constants, createReadStream, openSync, type Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { Socket } from "node:net";
import { basename, dirname, resolve } from "node:path";
import type { Readable } from "node:stream";
import { IncipitError, toHint } from "../text/index.ts";
import type { Terminal } from "./terminal.ts";

/** The most bytes an input may have. */
const byteLimit = 64 * 1024 * 1024;

function tooLarge(name: string, size: number | null): IncipitError {
  const found = size === null ? `more than ${byteLimit} bytes` : `${size} bytes`;
  return new IncipitError(
    "cli_input_too_large",
    `${name} has ${found}, expected at most ${byteLimit}.`,
    { hint: "split it into smaller files" },
  );
}

/**
 * Opens a file to be read. A pipe is opened without waiting for its writer: a thread that waits
 * there, or for what the writer writes, could not be stopped.
 */
function openFile(place: string, entry: Stats): Readable {
  if (!entry.isFIFO()) return createReadStream(place);
  const fd = openSync(place, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}

async function readStream(stream: Readable, name: string, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = (): void => {
    stream.destroy(new IncipitError("cli_aborted", "The command was stopped."));
  };
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const chunk of stream) {
      const bytes = chunk as Buffer;
      size += bytes.length;
      if (size > byteLimit) throw tooLarge(name, null);
      chunks.push(bytes);
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return Buffer.concat(chunks);
}

/**
 * UTF-8 without its byte order mark and without the line break that ends its last line; anything
 * else is refused.
 */
function decode(bytes: Buffer, name: string): string {
  const hasNul = bytes.includes(0);
  if (!hasNul) {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/\r?\n$/, "");
    } catch {
      // Said below.
    }
  }
  const isUtf16 = /^(fffe|feff)/.test(bytes.toString("hex", 0, 2));
  const found = hasNul ? "it has a NUL byte" : "it is not valid UTF-8";
  throw new IncipitError("cli_input_not_text", `${name} is not a text: ${found}.`, {
    hint: isUtf16 ? "it looks like UTF-16; save it as UTF-8" : "give a text file in UTF-8",
  });
}

async function toFileError(cause: unknown, path: string, place: string): Promise<IncipitError> {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR") {
    const names = await readdir(dirname(place)).catch(() => []);
    const hint = names.length === 0 ? "check the path" : toHint(basename(place), names);
    const message = `The file "${path}" does not exist.`;
    return new IncipitError("cli_input_not_found", message, { hint, cause });
  }
  const reason = code === undefined ? "" : ` (${code})`;
  return new IncipitError("cli_input_unreadable", `The file "${path}" cannot be read${reason}.`, {
    hint: "check that this user may read it",
    cause,
  });
}

/**
 * Reads a text file. Throws `cli_input_not_found`, `cli_input_is_folder`, `cli_input_unreadable`,
 * `cli_input_too_large` before reading where the size is known, and `cli_input_not_text`.
 */
export async function readTextFile(path: string, terminal: Terminal): Promise<string> {
  const place = resolve(terminal.workingFolder, path);
  const name = `The file "${path}"`;
  let bytes: Buffer;
  try {
    const entry = await stat(place);
    if (entry.isDirectory() || path === "") {
      throw new IncipitError("cli_input_is_folder", `"${path}" is a folder, expected a file.`, {
        hint: "name one of its files; --file may stand several times",
      });
    }
    if (entry.size > byteLimit) throw tooLarge(name, entry.size);
    bytes = await readStream(openFile(place, entry), name, terminal.signal);
  } catch (cause) {
    if (IncipitError.isInstance(cause)) throw cause;
    throw await toFileError(cause, path, place);
  }
  return decode(bytes, name);
}

/** Reads what is piped into the process, or gives null where nothing is. */
export async function readPipedText(terminal: Terminal): Promise<string | null> {
  const stream = terminal.openPipedInput();
  if (stream === null) return null;
  const name = "The piped input";
  return decode(await readStream(stream, name, terminal.signal), name);
}
