import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { throttle } from "./event.ts";
import { throwIfAborted } from "./failure.ts";

export interface DigestFileOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((doneBytes: number, totalBytes: number) => void) | undefined;
}

/** SHA-256 of a file as it is on disk, read in pieces. */
export async function digestFile(path: string, options: DigestFileOptions = {}): Promise<string> {
  const { signal, onProgress } = options;
  throwIfAborted(signal);
  const { size } = await stat(path);
  const progress = throttle<number>((done) => onProgress?.(done, size), 100);
  const hash = createHash("sha256");
  let done = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
      throwIfAborted(signal);
      const bytes = chunk as Buffer;
      hash.update(bytes);
      done += bytes.length;
      progress.push(done);
    }
  } finally {
    progress.flush();
  }
  return hash.digest("hex");
}
