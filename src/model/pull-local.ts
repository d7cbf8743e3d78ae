import { createReadStream, createWriteStream } from "node:fs";
import { link, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type CatalogueEntry, modelCatalogue } from "./catalogue.ts";
import { digestFile } from "./digest-file.ts";
import type { PullListener } from "./event.ts";
import { throwIfAborted, toErrno, toStorageFailure } from "./failure.ts";
import { type PresentModel, toPresentModel } from "./find.ts";
import {
  assertRoom,
  type ModelLayout,
  makeFolder,
  syncFolder,
  toCachePath,
  toReferenceKey,
} from "./layout.ts";
import { type LocalFile, readLocalFile, toLocalPath } from "./local-file.ts";
import { withLock } from "./lock.ts";
import { type ModelRecord, measureFile, toRecordedPath, writeRecord } from "./record.ts";
import type { ModelReference } from "./reference.ts";

/** What happens to a local file: used where it is, hard-linked into the cache, or copied there. */
export type KeepLocalFile = "in-place" | "link" | "copy";

export interface PullLocalOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: PullListener | undefined;
  readonly keep?: KeepLocalFile | undefined;
  readonly catalogue?: readonly CatalogueEntry[] | undefined;
}

/**
 * Takes in a model file of the user's own: checks that it is whole, computes its digest and records
 * it. A file that is one of the catalogue's is that model from then on.
 */
export async function pullLocalFile(
  typed: string,
  layout: ModelLayout,
  options: PullLocalOptions = {},
): Promise<PresentModel> {
  const { signal, onProgress, keep = "in-place", catalogue = modelCatalogue } = options;
  const file = await readLocalFile(toLocalPath(typed), {
    signal,
    onProgress: (receivedBytes, totalBytes) =>
      onProgress?.({ kind: "verify", receivedBytes, totalBytes }),
  });
  const reference: ModelReference = { kind: "path", path: file.path };
  const key = toReferenceKey(reference);
  const path = keep === "in-place" ? file.path : await takeIn(file, key, keep, layout, signal);
  const entry = catalogue.find(({ digest }) => digest === file.digest);
  const measured = keep === "in-place" ? file : ((await measureFile(path)) ?? file);
  const record: ModelRecord = {
    version: 1,
    kind: "path",
    reference: file.path,
    path: toRecordedPath(layout, path),
    bytes: measured.bytes,
    modified: measured.modified,
    digest: file.digest,
    license: entry?.license ?? null,
    source: file.path,
  };
  await writeRecord(layout, key, record);
  return toPresentModel(
    entry === undefined ? reference : { kind: "catalogue", entry },
    record,
    layout,
  );
}

/** Links or copies a file into the cache; a link that is not possible becomes a copy. */
async function takeIn(
  file: LocalFile,
  key: string,
  keep: "link" | "copy",
  layout: ModelLayout,
  signal: AbortSignal | undefined,
): Promise<string> {
  const path = toCachePath(layout, file.digest, file.path);
  if ((await measureFile(path))?.bytes === file.bytes) {
    if ((await digestFile(path, { signal })) === file.digest) return path;
  }
  await makeFolder(dirname(path));
  if (keep === "link") {
    try {
      await rm(path, { force: true });
      await link(file.path, path);
      return path;
    } catch (cause) {
      const isImpossible = ["EXDEV", "EPERM", "ENOTSUP", "EMLINK", "ENOSYS"].includes(
        toErrno(cause) ?? "",
      );
      if (!isImpossible) throw toStorageFailure(cause, path);
    }
  }
  const staging = join(layout.partial, key);
  await makeFolder(staging);
  return withLock(`${staging}.lock`, (held) => copyInto(file, path, staging, held), { signal });
}

async function copyInto(
  file: LocalFile,
  path: string,
  staging: string,
  signal: AbortSignal,
): Promise<string> {
  const part = join(staging, "copy.part");
  try {
    await assertRoom(part, file.bytes);
    await pipeline(createReadStream(file.path), createWriteStream(part, { flush: true }), {
      signal,
    });
    if ((await digestFile(part, { signal })) !== file.digest) {
      throw new Error(`"${file.path}" changed while it was copied`);
    }
    await rename(part, path);
    await syncFolder(dirname(path));
    return path;
  } catch (cause) {
    throwIfAborted(signal);
    throw toStorageFailure(cause, path);
  } finally {
    await rm(staging, { recursive: true, force: true }).catch(() => undefined);
  }
}
