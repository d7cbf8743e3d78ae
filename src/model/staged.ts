import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ModelLayout, measureLargest, writeAtomically } from "./layout.ts";
import { toTransferPath } from "./sources/hugging-face.ts";
import { readPart } from "./sources/transfer.ts";

/** Bytes of a pull that is under way or was stopped. */
export interface StagedBytes {
  readonly receivedBytes: number;
  /** Null when it is not known. */
  readonly totalBytes: number | null;
}

/** What of a stopped pull the next one goes on from. */
export async function readResumableBytes(staging: string): Promise<StagedBytes> {
  const { bytes, note } = await readPart(toTransferPath(staging));
  return { receivedBytes: bytes, totalBytes: note?.totalBytes ?? null };
}

/** How far the pull that another process is doing has come. */
export async function readStagedBytes(staging: string): Promise<StagedBytes> {
  const part = await readResumableBytes(staging);
  const receivedBytes = await measureLargest(staging);
  return { receivedBytes, totalBytes: receivedBytes > part.receivedBytes ? null : part.totalBytes };
}

/** Notes which reference a staging folder belongs to, so that a list can show it. */
export async function writeStagedReference(staging: string, reference: string): Promise<void> {
  await writeAtomically(join(staging, "reference"), `${reference}\n`);
}

/** The stopped pulls of a cache: their references and how far they have come. */
export async function readStaged(
  layout: ModelLayout,
): Promise<readonly (StagedBytes & { readonly reference: string })[]> {
  const entries = await readdir(layout.partial, { withFileTypes: true }).catch(() => []);
  const found: (StagedBytes & { readonly reference: string })[] = [];
  for (const entry of entries.filter((candidate) => candidate.isDirectory())) {
    const staging = join(layout.partial, entry.name);
    const reference = await readFile(join(staging, "reference"), "utf8").catch(() => "");
    const bytes = await readResumableBytes(staging);
    if (reference !== "" && bytes.receivedBytes > 0) {
      found.push({ reference: reference.trim(), ...bytes });
    }
  }
  return found;
}
