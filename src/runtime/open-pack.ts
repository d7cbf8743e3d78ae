import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { isPackFile, loadPack, type Pack } from "../pack/index.ts";
import { IncipitError } from "../text/index.ts";

/** The folder of the packs that come with Incipit. */
export const shippedPacksPath: string = fileURLToPath(new URL("../../packs", import.meta.url));

/** The most bytes one file of a pack may have. */
const fileLimit = 4 * 1024 * 1024;

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries.map((entry) => entry.split(sep).join("/")).filter(isPackFile);
}

/** The bytes of a file; null for what is no file, such as a folder with such a name. */
async function readPackFile(root: string, path: string): Promise<Uint8Array | null> {
  try {
    const real = await realpath(join(root, path));
    if (!real.startsWith(root + sep)) {
      throw new IncipitError("runtime_pack_link", `"${path}" leads outside the pack "${root}".`, {
        hint: "put the file itself into the pack",
      });
    }
    const entry = await stat(real);
    if (!entry.isFile()) return null;
    if (entry.size > fileLimit) {
      throw new IncipitError(
        "runtime_pack_file_too_large",
        `"${path}" has ${entry.size} bytes; a pack file may have ${fileLimit}.`,
        { hint: "split the file" },
      );
    }
    return await readFile(real);
  } catch (cause) {
    if (IncipitError.isInstance(cause)) throw cause;
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new IncipitError(
      "runtime_pack_file_unreadable",
      `"${path}" cannot be read (${reason}).`,
      {
        hint: "mend the link or the permissions, or take the file out of the pack",
        cause,
      },
    );
  }
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new IncipitError("runtime_pack_file_not_text", `"${path}" is not UTF-8 text.`, {
      hint: "save it as UTF-8",
      cause,
    });
  }
}

/**
 * Reads the files of a pack folder: path from the folder, with forward slashes, to text. Hidden
 * files are left out; a link that leads outside the folder is an error.
 */
export async function readPackFiles(folder: string): Promise<Map<string, string>> {
  let root: string;
  let paths: string[];
  try {
    root = await realpath(folder);
    paths = await listFiles(root);
  } catch (cause) {
    throw new IncipitError(
      "runtime_pack_not_found",
      `The pack folder "${folder}" cannot be read.`,
      {
        hint: "name a folder that has an incipit.yaml",
        cause,
      },
    );
  }
  const files = new Map<string, string>();
  for (const path of paths.sort()) {
    const bytes = await readPackFile(root, path);
    if (bytes !== null) files.set(path, decode(path, bytes));
  }
  return files;
}

/** Opens a pack from its folder; throws `runtime_pack_not_found` and `pack_invalid`. */
export async function openPack(folder: string): Promise<Pack> {
  const files = await readPackFiles(resolve(folder));
  if (!files.has("incipit.yaml")) {
    throw new IncipitError("runtime_pack_not_found", `"${folder}" has no incipit.yaml.`, {
      hint: "name the pack's own folder, such as packs/dictation",
    });
  }
  return loadPack(files);
}
