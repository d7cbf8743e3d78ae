import { basename, join } from "node:path";
import { type CatalogueEntry, defaultModelName, modelCatalogue } from "./catalogue.ts";
import { type ModelLayout, toAbsolutePath, toModelLayout, toReferenceKey } from "./layout.ts";
import { isUnchanged, type ModelRecord, measureFile, readRecords } from "./record.ts";
import { readResumableBytes, readStaged, type StagedBytes } from "./staged.ts";

/**
 * Whether a model can be used: `present`; `partial`, a stopped pull that the next one goes on from;
 * `changed`, a file that is not as it was recorded and is read again when it is used; `absent`.
 */
export type ModelState = "present" | "partial" | "changed" | "absent";

/** A model as a list shows it. */
export interface ListedModel {
  /** The same on every computer: a catalogue name, an `hf:` reference, or a file name. */
  readonly name: string;
  /** As it can be typed. */
  readonly reference: string;
  readonly kind: "catalogue" | "hugging-face" | "path";
  readonly isDefault: boolean;
  readonly description: string | null;
  readonly state: ModelState;
  /** Size of the whole file; null when it is not known. */
  readonly bytes: number | null;
  /** Bytes that are here. */
  readonly receivedBytes: number;
  readonly digest: string | null;
  readonly digestNote: string | null;
  /** SPDX identifier; null where it is not known. */
  readonly license: string | null;
  /** Where the file is; null when it is not here. */
  readonly path: string | null;
}

export interface ListOptions {
  readonly home: string;
  readonly catalogue?: readonly CatalogueEntry[] | undefined;
}

/** Lists the catalogue in its order, then other models and stopped pulls. */
export async function listModels(options: ListOptions): Promise<readonly ListedModel[]> {
  const { home, catalogue = modelCatalogue } = options;
  const layout = toModelLayout(home);
  const records = (await readRecords(layout)).map(({ record }) => record);
  const known = new Set(catalogue.map(({ digest }) => digest));
  const listed: ListedModel[] = [];
  for (const entry of catalogue) {
    const own = records.filter(({ digest }) => digest === entry.digest);
    listed.push(await toListedEntry(entry, own, layout));
  }
  const others = records.filter(({ digest }) => !known.has(digest));
  for (const record of others.sort((a, b) => (a.reference < b.reference ? -1 : 1))) {
    listed.push(await toListedRecord(record, layout));
  }
  const shown = new Set(listed.map(({ reference }) => reference));
  for (const staged of await readStaged(layout)) {
    if (!shown.has(staged.reference)) listed.push(toListedPull(staged));
  }
  return listed;
}

async function toListedEntry(
  entry: CatalogueEntry,
  records: readonly ModelRecord[],
  layout: ModelLayout,
): Promise<ListedModel> {
  const base = {
    name: entry.name,
    reference: entry.name,
    kind: "catalogue",
    isDefault: entry.name === defaultModelName,
    description: entry.description,
    bytes: entry.bytes,
    digest: entry.digest,
    digestNote: entry.digestNote ?? null,
    license: entry.license,
  } as const;
  const seen = await Promise.all(
    records.map(async (record) => ({ record, state: await toState(record, layout) })),
  );
  const best =
    seen.find(({ state }) => state === "present") ?? seen.find(({ state }) => state === "changed");
  if (best !== undefined) {
    const path = toAbsolutePath(layout, best.record.path);
    const receivedBytes = (await measureFile(path))?.bytes ?? 0;
    return { ...base, state: best.state, receivedBytes, path };
  }
  const staging = join(layout.partial, toReferenceKey({ kind: "catalogue", entry }));
  const { receivedBytes } = await readResumableBytes(staging);
  return { ...base, state: receivedBytes > 0 ? "partial" : "absent", receivedBytes, path: null };
}

async function toListedRecord(record: ModelRecord, layout: ModelLayout): Promise<ListedModel> {
  const state = await toState(record, layout);
  const path = toAbsolutePath(layout, record.path);
  return {
    name: record.kind === "path" ? basename(record.reference) : record.reference,
    reference: record.reference,
    kind: record.kind,
    isDefault: false,
    description: null,
    state,
    bytes: record.bytes,
    receivedBytes: state === "absent" ? 0 : ((await measureFile(path))?.bytes ?? 0),
    digest: record.digest,
    digestNote: null,
    license: record.license,
    path: state === "absent" ? null : path,
  };
}

function toListedPull(staged: StagedBytes & { readonly reference: string }): ListedModel {
  return {
    name: staged.reference,
    reference: staged.reference,
    kind: "hugging-face",
    isDefault: false,
    description: null,
    state: "partial",
    bytes: staged.totalBytes,
    receivedBytes: staged.receivedBytes,
    digest: null,
    digestNote: null,
    license: null,
    path: null,
  };
}

async function toState(
  record: ModelRecord,
  layout: ModelLayout,
): Promise<"present" | "changed" | "absent"> {
  if (await isUnchanged(layout, record)) return "present";
  const found = await measureFile(toAbsolutePath(layout, record.path));
  return found === null ? "absent" : "changed";
}
