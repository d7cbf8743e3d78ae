import { readdir, stat } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import type { Pack } from "../pack/index.ts";
import { type Finding, IncipitError, toHint } from "../text/index.ts";
import type { Terminal } from "./terminal.ts";

/** A pack, and the name of the task in it that was asked for. */
export interface FoundPack {
  readonly pack: Pack;
  readonly taskName: string;
}

const folderName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
}

/** The folders that packs are looked for in, the first one first. */
async function toSearchFolders({ workingFolder }: Terminal): Promise<readonly string[]> {
  const { shippedPacksPath } = await import("../runtime/index.ts");
  return [join(workingFolder, "packs"), shippedPacksPath];
}

/** The names of all packs that can be found, each with its folder. */
async function listPacks(folders: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const folder of folders) {
    for (const name of (await readdir(folder).catch(() => [])).sort()) {
      const place = join(folder, name);
      if (!found.has(name) && (await isFile(join(place, "incipit.yaml")))) found.set(name, place);
    }
  }
  return found;
}

/** Paths of findings as they can be opened from here, and not only from the pack. */
function placeFinding(finding: Finding, folder: string, workingFolder: string): Finding {
  const { span } = finding;
  if (span === undefined) return finding;
  const path = relative(workingFolder, join(folder, span.path)) || span.path;
  return { ...finding, span: { ...span, path } };
}

/** Opens a pack folder; the findings of `pack_invalid` have paths from the current folder. */
export async function openPackFolder(folder: string, { workingFolder }: Terminal): Promise<Pack> {
  const { openPack } = await import("../runtime/index.ts");
  const place = resolve(workingFolder, folder);
  try {
    return await openPack(place);
  } catch (error) {
    if (!IncipitError.isInstance(error) || error.findings.length === 0) throw error;
    const findings = error.findings.map((each) => placeFinding(each, place, workingFolder));
    throw new IncipitError(error.code, error.message, { hint: error.hint, cause: error, findings });
  }
}

/** The folder of a pack by its name: under `./packs`, else among those that are shipped. */
export async function findPackFolder(name: string, terminal: Terminal): Promise<string> {
  const folders = await toSearchFolders(terminal);
  for (const folder of folderName.test(name) ? folders : []) {
    if (await isFile(join(folder, name, "incipit.yaml"))) return join(folder, name);
  }
  const packs = await listPacks(folders);
  throw new IncipitError("cli_unknown_pack", `There is no pack "${name}".`, {
    hint: `${toHint(name, packs.keys())}; --pack takes the folder of any other`,
  });
}

async function toMissingPackError(task: string, terminal: Terminal): Promise<IncipitError> {
  const packs = await listPacks(await toSearchFolders(terminal));
  const owners: string[] = [];
  for (const [name, folder] of packs) {
    const files = [`${task}.yaml`, `${task}.yml`].map((file) => join(folder, "tasks", file));
    if ((await Promise.all(files.map(isFile))).includes(true)) owners.push(`"${name}/${task}"`);
  }
  const message = `"${task}" names no pack, expected pack/task.`;
  const example = [...packs.keys()].sort()[0] ?? "dictation";
  const hint =
    owners.length > 0
      ? `did you mean ${owners.join(" or ")}?`
      : `write it as ${example}/${task}, or name the pack's folder with --pack`;
  return new IncipitError("cli_task_without_pack", message, { hint });
}

/**
 * Opens the pack of a task: from the folder given, else by the name before the slash. Throws
 * `cli_task_without_pack`, `cli_unknown_pack` and what opening a pack throws.
 */
export async function findPack(
  reference: string,
  folder: string | undefined,
  terminal: Terminal,
): Promise<FoundPack> {
  const slash = reference.indexOf("/");
  const taskName = reference.slice(slash + 1);
  if (folder !== undefined) {
    const pack = await openPackFolder(folder, terminal);
    const own = slash < 0 || [pack.name, basename(folder)].includes(reference.slice(0, slash));
    return { pack, taskName: own ? taskName : reference };
  }
  if (slash < 0) throw await toMissingPackError(reference, terminal);
  const place = await findPackFolder(reference.slice(0, slash), terminal);
  return { pack: await openPackFolder(place, terminal), taskName };
}
