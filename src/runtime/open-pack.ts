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
    const place = join(root, path);
    const real = await realpath(place);
    if (!real.startsWith(root + sep)) {
      throw new IncipitError("runtime_pack_link", `"${path}" leads outside the pack "${folder}".`, {
        hint: "put the file itself into the pack",
      });
    }
    const entry = await stat(real);
    if (!entry.isFile()) continue;
    const { size } = entry;
    if (size > fileLimit) {
      throw new IncipitError(
        "runtime_pack_file_too_large",
        `"${path}" has ${size} bytes; a pack file may have ${fileLimit}.`,
        { hint: "split the file" },
      );
    }
    try {
      files.set(path, new TextDecoder("utf-8", { fatal: true }).decode(await readFile(real)));
    } catch (cause) {
      throw new IncipitError("runtime_pack_file_not_text", `"${path}" is not UTF-8 text.`, {
        hint: "save it as UTF-8",
        cause,
      });
    }
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
