import { basename, isAbsolute } from "node:path";
import type { CatalogueEntry } from "./catalogue.ts";
import { type DigestFileOptions, digestFile } from "./digest-file.ts";
import { type ModelLayout, toAbsolutePath, toCachePath, toReferenceKey } from "./layout.ts";
import {
  inspectRecord,
  type ModelRecord,
  measureFile,
  readRecord,
  readRecords,
  toRecordedPath,
  writeRecord,
} from "./record.ts";
import { type ModelReference, printModelReference } from "./reference.ts";

/** A model file that is here and whose digest is known. */
export interface PresentModel {
  /** The same on every computer: a catalogue name, an `hf:` reference, or a file name. */
  readonly name: string;
  /** As it can be typed. */
  readonly reference: string;
  readonly path: string;
  /** SHA-256 of the file. */
  readonly digest: string;
  readonly bytes: number;
  /** SPDX identifier; null where it is not known. */
  readonly license: string | null;
}

/** What a search for a model came to; `damaged` is a file that is not what it was. */
export type ModelSearch =
  | { readonly kind: "present"; readonly model: PresentModel }
  | { readonly kind: "damaged"; readonly path: string; readonly digest: string }
  | { readonly kind: "absent" };

/** Looks for a catalogue or Hugging Face model in the cache, and in place by its digest. */
export async function findModel(
  reference: Exclude<ModelReference, { readonly kind: "path" }>,
  layout: ModelLayout,
  options: DigestFileOptions = {},
): Promise<ModelSearch> {
  let result: ModelSearch = { kind: "absent" };
  for (const { key, record } of await candidates(reference, layout)) {
    const found = await lookAt(key, record, layout, options);
    if (found.kind === "present") {
      return { kind: "present", model: toPresentModel(reference, found.record, layout) };
    }
    if (found.kind === "damaged") result = found;
  }
  if (reference.kind !== "catalogue") return result;
  const adopted = await adopt(reference.entry, layout, options);
  return adopted.kind === "absent" ? result : adopted;
}

/** A record as the model that a reference stands for. */
export function toPresentModel(
  reference: ModelReference,
  record: ModelRecord,
  layout: ModelLayout,
): PresentModel {
  return {
    name: reference.kind === "path" ? basename(record.reference) : printModelReference(reference),
    reference: reference.kind === "path" ? record.reference : printModelReference(reference),
    path: toAbsolutePath(layout, record.path),
    digest: record.digest,
    bytes: record.bytes,
    license: reference.kind === "catalogue" ? reference.entry.license : record.license,
  };
}

/** The record of a catalogue model's file. */
function toCatalogueRecord(
  entry: CatalogueEntry,
  path: string,
  measured: { readonly bytes: number; readonly modified: number },
  source: string,
  layout: ModelLayout,
): ModelRecord {
  return {
    version: 1,
    kind: "catalogue",
    reference: entry.name,
    path: toRecordedPath(layout, path),
    bytes: measured.bytes,
    modified: measured.modified,
    digest: entry.digest,
    license: entry.license,
    source,
  };
}

/** The reference's own record first; a catalogue model may be any file with its digest. */
async function candidates(
  reference: ModelReference,
  layout: ModelLayout,
): Promise<readonly { readonly key: string; readonly record: ModelRecord }[]> {
  const ownKey = toReferenceKey(reference);
  if (reference.kind !== "catalogue") {
    const record = await readRecord(layout, ownKey);
    return record === null ? [] : [{ key: ownKey, record }];
  }
  const { digest } = reference.entry;
  const all = (await readRecords(layout)).filter(({ record }) => record.digest === digest);
  return all.sort((a, b) => Number(b.key === ownKey) - Number(a.key === ownKey));
}

async function lookAt(
  key: string,
  record: ModelRecord,
  layout: ModelLayout,
  options: DigestFileOptions,
): Promise<
  | { readonly kind: "present"; readonly record: ModelRecord }
  | { readonly kind: "damaged"; readonly path: string; readonly digest: string }
  | { readonly kind: "absent" }
> {
  const state = await inspectRecord(layout, record, options);
  if (state.kind === "same") return { kind: "present", record };
  if (state.kind === "gone") return { kind: "absent" };
  if (state.digest === record.digest) {
    const fresh = { ...record, bytes: state.bytes, modified: state.modified };
    // Only saves the next reading; a folder that cannot be written is no reason to fail.
    await writeRecord(layout, key, fresh).catch(() => undefined);
    return { kind: "present", record: fresh };
  }
  // A user's own file may change; it is another model then, not a damaged one.
  if (isAbsolute(record.path)) return { kind: "absent" };
  return { kind: "damaged", path: toAbsolutePath(layout, record.path), digest: state.digest };
}

/** Takes in a file that is in its place without a record: the pull was killed in between. */
async function adopt(
  entry: CatalogueEntry,
  layout: ModelLayout,
  options: DigestFileOptions,
): Promise<ModelSearch> {
  const path = toCachePath(layout, entry.digest, entry.file);
  const measured = await measureFile(path);
  if (measured === null) return { kind: "absent" };
  const digest = await digestFile(path, options);
  if (digest !== entry.digest) return { kind: "damaged", path, digest };
  const record = toCatalogueRecord(entry, path, measured, "the cache", layout);
  const reference: ModelReference = { kind: "catalogue", entry };
  await writeRecord(layout, toReferenceKey(reference), record).catch(() => undefined);
  return { kind: "present", model: toPresentModel(reference, record, layout) };
}
