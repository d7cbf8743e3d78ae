import { readdir, readFile, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { z } from "zod";
import { type DigestFileOptions, digestFile } from "./digest-file.ts";
import { toErrno, toStorageFailure } from "./failure.ts";
import { type ModelLayout, makeFolder, toAbsolutePath, writeAtomically } from "./layout.ts";

const recordShape = z.object({
  version: z.literal(1),
  kind: z.enum(["catalogue", "hugging-face", "path"]),
  reference: z.string().min(1),
  path: z.string().min(1),
  bytes: z.int().nonnegative(),
  modified: z.number(),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  license: z.string().nullable(),
  source: z.string(),
});

/** What is known of a model file, and under which reference it was pulled. */
export interface ModelRecord {
  readonly version: 1;
  readonly kind: "catalogue" | "hugging-face" | "path";
  /** As it can be typed. */
  readonly reference: string;
  /** Relative to the models folder with `/`, or absolute for a file used in place. */
  readonly path: string;
  readonly bytes: number;
  /** Modification time in milliseconds when the digest was computed. */
  readonly modified: number;
  readonly digest: string;
  readonly license: string | null;
  /** Where the file came from, for people. */
  readonly source: string;
}

/**
 * How a recorded file is now: `same` has the recorded size and modification time, so the digest
 * holds; `changed` was read again; `gone` cannot be found.
 */
export type FileState =
  | { readonly kind: "same" }
  | {
      readonly kind: "changed";
      readonly digest: string;
      readonly bytes: number;
      readonly modified: number;
    }
  | { readonly kind: "gone" };

/** Reads the record of a key; null when there is none or it cannot be read as one. */
export async function readRecord(layout: ModelLayout, key: string): Promise<ModelRecord | null> {
  try {
    const text = await readFile(join(layout.records, `${key}.json`), "utf8");
    return recordShape.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Reads all records, in the order of their keys; none where the folder is missing. Throws
 * `model_storage_failed` where a file is in the place of one of the folders.
 */
export async function readRecords(
  layout: ModelLayout,
): Promise<readonly { readonly key: string; readonly record: ModelRecord }[]> {
  const names = await readdir(layout.records).catch((cause: unknown) => {
    if (toErrno(cause) === "ENOTDIR") throw toStorageFailure(cause, layout.root);
    return [];
  });
  const keys = names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -5));
  const found: { key: string; record: ModelRecord }[] = [];
  for (const key of keys.sort()) {
    const record = await readRecord(layout, key);
    if (record !== null) found.push({ key, record });
  }
  return found;
}

/** Writes a record whole or not at all. */
export async function writeRecord(
  layout: ModelLayout,
  key: string,
  record: ModelRecord,
): Promise<void> {
  await makeFolder(layout.records);
  await writeAtomically(
    join(layout.records, `${key}.json`),
    `${JSON.stringify(record, undefined, 2)}\n`,
  );
}

/** Whether a recorded file still has its recorded size and modification time. */
export async function isUnchanged(layout: ModelLayout, record: ModelRecord): Promise<boolean> {
  const now = await measureFile(toAbsolutePath(layout, record.path));
  return now !== null && now.bytes === record.bytes && now.modified === record.modified;
}

/** Looks at a recorded file; reads it again only when its size or modification time differ. */
export async function inspectRecord(
  layout: ModelLayout,
  record: ModelRecord,
  options: DigestFileOptions = {},
): Promise<FileState> {
  const path = toAbsolutePath(layout, record.path);
  const now = await measureFile(path);
  if (now === null) return { kind: "gone" };
  if (now.bytes === record.bytes && now.modified === record.modified) return { kind: "same" };
  return { kind: "changed", digest: await digestFile(path, options), ...now };
}

/** Size and modification time of a file; null when there is no file. */
export async function measureFile(
  path: string,
): Promise<{ readonly bytes: number; readonly modified: number } | null> {
  try {
    const found = await stat(path);
    return found.isFile() ? { bytes: found.size, modified: found.mtimeMs } : null;
  } catch (cause) {
    const errno = toErrno(cause);
    if (errno === "ENOENT" || errno === "ENOTDIR") return null;
    throw cause;
  }
}

/** A path as a record has it: relative with `/` inside the models folder, else absolute. */
export function toRecordedPath(layout: ModelLayout, path: string): string {
  const inside = relative(layout.root, path);
  return inside.startsWith("..") || inside === "" || isAbsolute(inside)
    ? path
    : inside.split(sep).join("/");
}
