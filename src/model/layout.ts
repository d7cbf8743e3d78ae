import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat, statfs } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { diskFull, toErrno, toStorageFailure } from "./failure.ts";
import { type ModelReference, printModelReference } from "./reference.ts";

/**
 * Where things are under `<home>/models`:
 *
 * - `files/<digest>/<file name>`: model files, addressed by content, so no two ever clash;
 * - `records/<key>.json`: which reference stands for which file;
 * - `partial/<key>/`: a pull that is under way; `partial/<key>.lock` is held meanwhile.
 */
export interface ModelLayout {
  readonly root: string;
  readonly files: string;
  readonly records: string;
  readonly partial: string;
}

/** The places of the model cache of a home folder. */
export function toModelLayout(home: string): ModelLayout {
  const root = join(resolve(home), "models");
  return {
    root,
    files: join(root, "files"),
    records: join(root, "records"),
    partial: join(root, "partial"),
  };
}

/** The place of a file with this digest. */
export function toCachePath(layout: ModelLayout, digest: string, file: string): string {
  return join(layout.files, digest, toFileName(file));
}

/** A recorded path, which is relative to the models folder when the file is in the cache. */
export function toAbsolutePath(layout: ModelLayout, recorded: string): string {
  return isAbsolute(recorded) ? recorded : join(layout.root, ...recorded.split("/"));
}

/** The file name that stands for a reference in `records/` and `partial/`; safe on every system. */
export function toReferenceKey(reference: ModelReference): string {
  const text = reference.kind === "path" ? resolve(reference.path) : printModelReference(reference);
  if (reference.kind === "catalogue") return text.toLowerCase();
  const tail = reference.kind === "path" ? text : reference.file;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return `${reference.kind}-${toFileName(tail).toLowerCase().slice(0, 60)}-${digest}`;
}

/** Makes a folder and those above it, for their owner alone; an error is a storage failure. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw toStorageFailure(await findReason(path, cause), path);
  }
}

/** On a read-only disk Node says ENOENT of a folder to be made with those above it; ask again. */
async function findReason(path: string, cause: unknown): Promise<unknown> {
  if (toErrno(cause) !== "ENOENT") return cause;
  const above = dirname(path);
  const isThere = above === path || (await stat(above).catch(() => null)) !== null;
  if (!isThere) return findReason(above, cause);
  return mkdir(path).then(
    () => cause,
    (reason: unknown) => reason,
  );
}

/** Throws `model_disk_full` if the disk of a path certainly has no room for so many bytes. */
export async function assertRoom(path: string, neededBytes: number): Promise<void> {
  const disk = await statfs(dirname(path)).catch(() => null);
  if (disk === null || disk.blocks === 0) return;
  const freeBytes = disk.bavail * disk.bsize;
  if (freeBytes < neededBytes) throw diskFull(path, { neededBytes, freeBytes });
}

/** Puts a text into place whole or not at all: written aside, forced to disk, renamed. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const aside = `${path}.${process.pid}.${randomUUID()}.tmp`;
  try {
    const handle = await open(aside, "wx");
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(aside, path);
    await syncFolder(dirname(path));
  } catch (cause) {
    await rm(aside, { force: true }).catch(() => undefined);
    throw toStorageFailure(cause, path);
  }
}

/** Forces a folder's entries to disk where the system can do that. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const handle = await open(path, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Windows cannot open folders, some network disks cannot sync them; the rename stands anyway.
  }
}

/** Size of the largest file in a folder and those below it; 0 when there is none. */
export async function measureLargest(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let largest = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const size = await stat(join(entry.parentPath, entry.name)).then(
      (found) => found.size,
      () => 0,
    );
    largest = Math.max(largest, size);
  }
  return largest;
}

function toFileName(path: string): string {
  const name = path.split(/[/\\]/).at(-1) ?? "";
  return name.replace(/[^A-Za-z0-9._-]/g, "-").replace(/^\.+/, "") || "model.gguf";
}
