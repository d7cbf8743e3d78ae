import { type FileHandle, open, readFile, rm, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { IncipitError } from "../../text/index.ts";
import { throttle } from "../event.ts";
import { printBytes, sourceFailure, throwIfAborted, toStorageFailure } from "../failure.ts";
import { assertRoom, writeAtomically } from "../layout.ts";
import type { SourceJob } from "./job.ts";

/** An answer whose body is about to be read. */
export interface OpenedFile {
  /** Where the body starts in the file; null when the range asked for cannot be given. */
  readonly start: number | null;
  /** Size of the whole file; null when the server does not say. */
  readonly totalBytes: number | null;
  /** What tells this file from another one at the same address: a digest or an ETag. */
  readonly identity: string | null;
  /** SHA-256 that the server claims for the file. */
  readonly claimedDigest: string | null;
  readonly body: ReadableStream<Uint8Array>;
  /** Ends the connection. */
  readonly cancel: () => void;
}

/** Asks for a file from a byte on. Throws a source's failure. */
export type OpenFile = (from: number) => Promise<OpenedFile>;

/** What is known of a file of which a part is here. */
interface PartNote {
  readonly identity: string | null;
  readonly claimedDigest: string | null;
  readonly totalBytes: number;
}

/** Bytes of a file that are here; null where they cannot be gone on from. */
export interface Part {
  readonly bytes: number;
  readonly note: PartNote | null;
}

const noteShape: z.ZodType<PartNote> = z.object({
  identity: z.string().nullable(),
  claimedDigest: z.string().nullable(),
  totalBytes: z.int().nonnegative(),
});

const mostAttempts = 50;
const mostFruitless = 2;

/**
 * Transfers a file into `path`, going on from a part that an earlier call left there if the server
 * still has the same file. Gives the digest that the server claims. A connection that is cut is opened again while each new one brings
 * bytes; one that stalls is given up.
 */
export async function transferFile(
  openFile: OpenFile,
  path: string,
  source: string,
  job: SourceJob,
): Promise<{ readonly resumed: boolean; readonly claimedDigest: string | null }> {
  const begun = await readPart(path);
  let fruitless = 0;
  for (let attempt = 1; ; attempt += 1) {
    const part = await readPart(path);
    if (part.note !== null && part.bytes === part.note.totalBytes) {
      return { resumed: begun.bytes > 0, claimedDigest: part.note.claimedDigest };
    }
    const before = part.bytes;
    try {
      const claimedDigest = await transferOnce(openFile, path, source, job, part);
      return { resumed: begun.bytes > 0, claimedDigest };
    } catch (cause) {
      throwIfAborted(job.signal);
      const after = (await readPart(path)).bytes;
      fruitless = after > before ? 0 : fruitless + 1;
      const isCut = IncipitError.isInstance(cause) && cause.code === "model_source_interrupted";
      const isLost = attempt > 1 && isUnreachable(cause);
      if ((!isCut && !isLost) || fruitless > mostFruitless || attempt === mostAttempts) throw cause;
      await delay(200 * (fruitless + 1), undefined, { signal: job.signal }).catch(() =>
        throwIfAborted(job.signal),
      );
    }
  }
}

/** Removes what a transfer to a path has left. */
export async function discardTransfer(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(toNotePath(path), { force: true });
}

/** Bytes that a transfer to a path has left, and of how many. */
export async function readPart(path: string): Promise<Part> {
  try {
    const { size } = await stat(path);
    const note = noteShape.parse(JSON.parse(await readFile(toNotePath(path), "utf8")));
    if (size > note.totalBytes) return { bytes: 0, note: null };
    return { bytes: size, note };
  } catch {
    return { bytes: 0, note: null };
  }
}

async function transferOnce(
  openFile: OpenFile,
  path: string,
  source: string,
  job: SourceJob,
  part: Part,
): Promise<string | null> {
  let opened = await openFile(part.bytes);
  if (part.bytes > 0 && !continues(opened, part, job)) {
    if (opened.start !== 0) {
      opened.cancel();
      opened = await openFile(0);
    }
    await discardTransfer(path);
  }
  try {
    const start = opened.start ?? 0;
    const { totalBytes, identity, claimedDigest } = opened;
    if (job.bytes !== null && totalBytes !== null && totalBytes !== job.bytes) {
      throw sourceFailure(
        "model_source_wrong_file",
        `it offers a file of ${totalBytes} bytes where ${job.bytes} are expected`,
      );
    }
    if (totalBytes !== null) await assertRoom(path, totalBytes - start);
    if (start === 0) {
      await discardTransfer(path);
      if (totalBytes !== null) {
        await writeAtomically(
          toNotePath(path),
          JSON.stringify({ identity, claimedDigest, totalBytes }),
        );
      }
    } else {
      job.onEvent?.({ kind: "resume", source, receivedBytes: start, totalBytes });
    }
    await receive(opened, path, source, job);
    return opened.claimedDigest;
  } finally {
    opened.cancel();
  }
}

/** Whether an answer goes on where the part ends, in the same file. */
function continues(opened: OpenedFile, part: Part, job: SourceJob): boolean {
  if (opened.start !== part.bytes || part.note === null) return false;
  if (opened.totalBytes !== part.note.totalBytes) return false;
  if (opened.identity !== null && opened.identity === part.note.identity) return true;
  // Nothing tells the files apart; with a known digest a mixture would be found out at the end.
  return opened.identity === part.note.identity && job.digest !== null;
}

async function receive(
  opened: OpenedFile,
  path: string,
  source: string,
  job: SourceJob,
): Promise<void> {
  const start = opened.start ?? 0;
  const totalBytes = opened.totalBytes ?? job.bytes;
  const progress = throttle<number>(
    (receivedBytes) => job.onEvent?.({ kind: "progress", source, receivedBytes, totalBytes }),
    100,
  );
  const handle = await openPart(path, start);
  let received = start;
  try {
    progress.push(received);
    const reader = opened.body.getReader();
    for (;;) {
      const chunk = await readChunk(reader, opened, job, received);
      if (chunk === null) break;
      received += chunk.length;
      if (totalBytes !== null && received > totalBytes) {
        throw sourceFailure(
          "model_source_wrong_file",
          `it sends more than the ${totalBytes} bytes expected`,
        );
      }
      try {
        await handle.appendFile(chunk);
      } catch (cause) {
        throw toStorageFailure(cause, path);
      }
      progress.push(received);
    }
    if (totalBytes !== null && received < totalBytes) throw cut(received, totalBytes);
  } finally {
    progress.flush();
    await handle.close();
  }
}

/** The next bytes; null at the end. A stalled or cut connection is a source's failure. */
async function readChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  opened: OpenedFile,
  job: SourceJob,
  received: number,
): Promise<Uint8Array | null> {
  let stalled = false;
  const timer = setTimeout(() => {
    stalled = true;
    opened.cancel();
  }, job.times.stall);
  try {
    const { value, done } = await reader.read();
    return done ? null : value;
  } catch (cause) {
    throwIfAborted(job.signal);
    if (stalled) {
      const seconds = Math.round(job.times.stall / 1000);
      throw sourceFailure(
        "model_source_stalled",
        `it sent nothing for ${seconds} s after ${printBytes(received)}`,
        { cause },
      );
    }
    throw cut(received, opened.totalBytes, cause);
  } finally {
    clearTimeout(timer);
  }
}

async function openPart(path: string, start: number): Promise<FileHandle> {
  try {
    return await open(path, start === 0 ? "w" : "a");
  } catch (cause) {
    throw toStorageFailure(cause, path);
  }
}

function cut(received: number, totalBytes: number | null, cause?: unknown): IncipitError {
  const goal = totalBytes === null ? "" : ` of ${printBytes(totalBytes)}`;
  return sourceFailure(
    "model_source_interrupted",
    `the connection was cut after ${printBytes(received)}${goal}`,
    { cause },
  );
}

function isUnreachable(cause: unknown): boolean {
  return IncipitError.isInstance(cause) && cause.code === "model_source_unreachable";
}

function toNotePath(path: string): string {
  return `${path}.json`;
}
