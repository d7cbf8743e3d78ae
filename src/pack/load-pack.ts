import { checkGrammar } from "../grammar/index.ts";
import {
  digestParts,
  type Finding,
  hasError,
  IncipitError,
  sha256,
  toCanonicalText,
  toHint,
} from "../text/index.ts";
import { deepFreeze } from "./freeze.ts";
import { fitShape, type Library, readFile, report } from "./library.ts";
import { linkTask } from "./link-task.ts";
import type { Language, Pack, PackGrammar, Task } from "./pack.ts";
import { languageShape, manifestShape, type RawManifest } from "./shape.ts";

/** The pack, or null when it has errors; and all findings. */
export interface LoadedPack {
  readonly pack: Pack | null;
  readonly findings: readonly Finding[];
}

/** Whether a file belongs to a pack: its name ends like one and nothing in its path is hidden. */
export function isPackFile(path: string): boolean {
  return /\.(ya?ml|json|gbnf)$/.test(path) && !/(^|\/)\.|^\/|\\/.test(path);
}

function linkLanguages(library: Library, paths: readonly string[]): Map<string, Language> {
  const languages = new Map<string, Language>();
  for (const path of paths) {
    if (!/^languages\/[^/]+\.ya?ml$/.test(path)) continue;
    const file = readFile(library, path, null);
    if (file === null) continue;
    const raw = fitShape(library, languageShape, { file, keys: [], data: file.data });
    if (raw === null) continue;
    if (languages.has(raw.language)) {
      reportDuplicate(library, path, `the language "${raw.language}"`);
      continue;
    }
    const fillers = raw.fillers.map((filler) => filler.toLowerCase());
    languages.set(raw.language, { ...raw, fillers, digest: sha256(file.source.text) });
  }
  return languages;
}

/** A grammar without a version of its own in the manifest has the pack's. */
function linkGrammars(
  library: Library,
  paths: readonly string[],
  manifest: RawManifest,
): Map<string, PackGrammar> {
  const grammars = new Map<string, PackGrammar>();
  for (const path of paths) {
    if (!/^grammars\/[^/]+\.gbnf$/.test(path)) continue;
    const text = toCanonicalText(library.files.get(path) ?? "");
    const problems = checkGrammar({ path, text }).findings;
    library.findings.push(...problems.filter(({ severity }) => severity === "error"));
    const version = manifest.grammars[path] ?? manifest.version;
    grammars.set(path, { ref: path, version, text, digest: sha256(text) });
  }
  for (const path of Object.keys(manifest.grammars)) {
    if (grammars.has(path)) continue;
    report(library, {
      code: "pack_file_not_found",
      message: `The grammar "${path}" was not found in the pack.`,
      span: { path: "incipit.yaml", start: 0, end: 0 },
      hint: toHint(path, grammars.keys()),
    });
  }
  return grammars;
}

function reportDuplicate(library: Library, path: string, what: string): void {
  report(library, {
    code: "pack_duplicate_name",
    message: `"${path}" defines ${what} a second time.`,
    span: { path, start: 0, end: 0 },
    hint: "remove or rename one of the two files",
  });
}

/**
 * Loads a pack from a map of paths (from the pack's root, with forward slashes) to texts,
 * collecting findings. Files that are not the pack's are left alone.
 */
export function tryLoadPack(files: ReadonlyMap<string, string>): LoadedPack {
  const own = [...files].filter(([path]) => isPackFile(path));
  const paths = own.map(([path]) => path).sort();
  const library: Library = { files: new Map(own), findings: [], read: new Map() };
  const manifest = readFile(library, "incipit.yaml", null);
  const head =
    manifest === null
      ? null
      : fitShape(library, manifestShape, { file: manifest, keys: [], data: manifest.data });
  if (head === null) return { pack: null, findings: library.findings };
  const languages = linkLanguages(library, paths);
  const tasks = new Map<string, Task>();
  for (const path of paths) {
    if (!/^tasks\/[^/]+\.ya?ml$/.test(path)) continue;
    const task = linkTask(library, path, head.name);
    if (task === null) continue;
    if (tasks.has(task.name)) reportDuplicate(library, path, `the task "${task.name}"`);
    tasks.set(task.name, task);
  }
  const grammars = linkGrammars(library, paths, head);
  const findings = dedupe(library.findings);
  if (hasError(findings)) return { pack: null, findings };
  const digest = digestParts(
    "pack/1",
    paths.flatMap((path) => [path, toCanonicalText(files.get(path) ?? "")]),
  );
  const { name, version, description } = head;
  const pack: Pack = { name, version, description, digest, tasks, languages, grammars };
  return { pack: deepFreeze(pack), findings };
}

/** Two tasks that share a file report its faults once. */
function dedupe(findings: readonly Finding[]): Finding[] {
  const seen = new Map(findings.map((finding) => [JSON.stringify(finding), finding]));
  return [...seen.values()];
}

/** Loads a pack; throws `pack_invalid` with the findings. */
export function loadPack(files: ReadonlyMap<string, string>): Pack {
  const { pack, findings } = tryLoadPack(files);
  if (pack !== null) return pack;
  const errors = findings.filter((finding) => finding.severity === "error");
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  throw new IncipitError(
    "pack_invalid",
    `The pack cannot be used: ${errors[0]?.message ?? "it has errors."}${more}`,
    { hint: errors[0]?.hint, findings },
  );
}
