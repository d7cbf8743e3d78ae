import { join } from "node:path";
import { IncipitError } from "../text/index.ts";
import { type CatalogueEntry, defaultModelName, modelCatalogue } from "./catalogue.ts";
import type { DigestFileOptions } from "./digest-file.ts";
import type { PullListener } from "./event.ts";
import { printBytes } from "./failure.ts";
import { findModel, type PresentModel, toPresentModel } from "./find.ts";
import { type ModelLayout, toModelLayout, toReferenceKey } from "./layout.ts";
import { readLocalFile, toLocalPath } from "./local-file.ts";
import { isUnchanged, type ModelRecord, measureFile, readRecord, writeRecord } from "./record.ts";
import { type ModelReference, parseModelReference, printModelReference } from "./reference.ts";
import type { Environment } from "./sources/job.ts";
import { readResumableBytes } from "./staged.ts";

export interface ResolveOptions {
  readonly home: string;
  /** `INCIPIT_MODEL` names the model when the call does not; the process's own by default. */
  readonly environment?: Environment | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether the digest of a path that was never pulled is kept for the next time; it is. */
  readonly remember?: boolean | undefined;
  /** Told while a file is read again because it is not as it was recorded. */
  readonly onProgress?: PullListener | undefined;
  readonly catalogue?: readonly CatalogueEntry[] | undefined;
}

/**
 * Finds the file of a model for a run: the one named, else that of `INCIPIT_MODEL`, else the
 * default. A path need not have been pulled. A recorded digest is trusted only while size and
 * modification time are as recorded; otherwise the file is read again.
 *
 * Throws `model_missing`, `model_digest_mismatch`, and what parsing a reference and reading a
 * file throw.
 */
export async function resolveModel(
  reference: string | ModelReference | undefined,
  options: ResolveOptions,
): Promise<PresentModel> {
  const { home, signal, onProgress, catalogue = modelCatalogue } = options;
  const fromEnvironment = (options.environment ?? process.env).INCIPIT_MODEL?.trim() ?? "";
  const wanted = reference ?? (fromEnvironment === "" ? defaultModelName : fromEnvironment);
  const parsed = typeof wanted === "string" ? parseModelReference(wanted, catalogue) : wanted;
  const layout = toModelLayout(home);
  const reading: DigestFileOptions = {
    signal,
    onProgress: (receivedBytes, totalBytes) =>
      onProgress?.({ kind: "verify", receivedBytes, totalBytes }),
  };
  if (parsed.kind === "path") {
    const remember = options.remember ?? true;
    return resolvePath(parsed.path, layout, catalogue, { ...reading, remember });
  }
  const found = await findModel(parsed, layout, reading);
  if (found.kind === "present") return found.model;
  const name = printModelReference(parsed);
  const command = toPullCommand(parsed);
  if (found.kind === "damaged") {
    throw new IncipitError(
      "model_digest_mismatch",
      `The file of "${name}" is not the one that was pulled: its digest is now ${found.digest}.`,
      { hint: `run \`${command}\` to fetch it again` },
    );
  }
  const part = await readResumableBytes(join(layout.partial, toReferenceKey(parsed)));
  const goal = part.totalBytes === null ? "" : ` of ${printBytes(part.totalBytes)}`;
  const begun = part.receivedBytes > 0 ? `: ${printBytes(part.receivedBytes)}${goal} are here` : "";
  throw new IncipitError("model_missing", `The model "${name}" is not here yet${begun}.`, {
    hint: `run \`${command}\``,
  });
}

async function resolvePath(
  typed: string,
  layout: ModelLayout,
  catalogue: readonly CatalogueEntry[],
  reading: DigestFileOptions & { readonly remember: boolean },
): Promise<PresentModel> {
  const path = toLocalPath(typed);
  const key = toReferenceKey({ kind: "path", path });
  const known = await readRecord(layout, key);
  if (known !== null && (known.path === path || (await measureFile(path)) === null)) {
    if (await isUnchanged(layout, known)) return toModel(known, layout, catalogue);
  }
  const file = await readLocalFile(path, reading);
  const license = catalogue.find(({ digest }) => digest === file.digest)?.license ?? null;
  const { bytes, modified, digest } = file;
  const record: ModelRecord = {
    version: 1,
    kind: "path",
    reference: path,
    path,
    bytes,
    modified,
    digest,
    license,
    source: path,
  };
  // Only saves the next reading; a folder that cannot be written is no reason to fail.
  if (reading.remember) await writeRecord(layout, key, record).catch(() => undefined);
  return toModel(record, layout, catalogue);
}

/** A file with a digest of the catalogue is that model, wherever it is. */
function toModel(
  record: ModelRecord,
  layout: ModelLayout,
  catalogue: readonly CatalogueEntry[],
): PresentModel {
  const entry = catalogue.find(({ digest }) => digest === record.digest);
  return toPresentModel(
    entry === undefined ? { kind: "path", path: record.reference } : { kind: "catalogue", entry },
    record,
    layout,
  );
}

/** The command line that brings a model here. */
function toPullCommand(reference: ModelReference): string {
  const name = printModelReference(reference);
  return name === defaultModelName ? "incipit model pull" : `incipit model pull ${name}`;
}
