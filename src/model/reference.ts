import { IncipitError, toHint } from "../text/index.ts";
import { type CatalogueEntry, modelCatalogue } from "./catalogue.ts";

/** A model as a user names it. */
export type ModelReference =
  | { readonly kind: "catalogue"; readonly entry: CatalogueEntry }
  | {
      readonly kind: "hugging-face";
      /** `owner/name`. */
      readonly repository: string;
      readonly file: string;
      readonly revision: string;
    }
  | { readonly kind: "path"; readonly path: string };

const forms = "a name of the catalogue, `hf:owner/repository/file.gguf`, or a path to a .gguf file";
const webAddress =
  /^https?:\/\/(?:www\.)?huggingface\.co\/([^/]+\/[^/]+)\/(?:resolve|blob)\/([^/]+)\//i;
const repositoryPart = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const partOfSplitModel = /-\d{5}-of-\d{5}\.gguf$/i;

/**
 * Parses what a user typed to name a model: a catalogue name in any case, `hf:` with an optional
 * `@revision`, the web address of a file on Hugging Face, or a path. Throws `model_unknown` with
 * the nearest names, or `model_bad_reference`.
 */
export function parseModelReference(
  text: string,
  catalogue: readonly CatalogueEntry[] = modelCatalogue,
): ModelReference {
  const typed = text.trim();
  if (typed === "") throw badReference(text, "nothing");
  const entry = catalogue.find(({ name }) => name.toLowerCase() === typed.toLowerCase());
  if (entry !== undefined) return { kind: "catalogue", entry };
  if (/^hf:/i.test(typed)) return parseHuggingFace(typed.slice(3).replace(/^\/\//, ""), typed);
  const web = webAddress.exec(typed);
  if (web !== null) {
    const file = decodeURIComponent(typed.slice(web[0].length).replace(/[?#].*$/, ""));
    return toHuggingFace(web[1] ?? "", file, decodeURIComponent(web[2] ?? ""), typed);
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(typed)) throw badReference(typed, "another address");
  if (/[/\\]/.test(typed) || /\.gguf$/i.test(typed)) return { kind: "path", path: typed };
  throw new IncipitError("model_unknown", `There is no model named "${typed}".`, {
    hint: toHint(
      typed,
      catalogue.map(({ name }) => name),
    ),
  });
}

/** A reference as it can be typed again. */
export function printModelReference(reference: ModelReference): string {
  if (reference.kind === "catalogue") return reference.entry.name;
  if (reference.kind === "path") return reference.path;
  const revision = reference.revision === "main" ? "" : `@${reference.revision}`;
  return `hf:${reference.repository}/${reference.file}${revision}`;
}

function parseHuggingFace(rest: string, typed: string): ModelReference {
  const parts = /^([^/]+\/[^/@]+)(?:@([^/]+))?\/(.+?)(?:@([^/@]+))?$/.exec(rest);
  if (parts === null) throw badReference(typed, "an address without owner, repository and file");
  const [, repository = "", early, file = "", late] = parts;
  return toHuggingFace(repository, file, late ?? early ?? "main", typed);
}

function toHuggingFace(
  repository: string,
  file: string,
  revision: string,
  typed: string,
): ModelReference {
  if (!repository.split("/").every((part) => repositoryPart.test(part))) {
    throw badReference(typed, `the repository "${repository}"`);
  }
  const segments = file.split("/");
  if (segments.some((part) => part === "" || part === "." || part === ".." || isOdd(part))) {
    throw badReference(typed, `the file "${file}"`);
  }
  if (revision === "" || isOdd(revision)) throw badReference(typed, `the revision "${revision}"`);
  if (!/\.gguf$/i.test(file)) throw badReference(typed, `the file "${file}", which is not a .gguf`);
  if (partOfSplitModel.test(file)) {
    throw badReference(typed, `"${file}", one part of a split model`);
  }
  return { kind: "hugging-face", repository, file, revision };
}

function isOdd(part: string): boolean {
  return /[\u0000-\u001f\u007f\\?#]/.test(part);
}

function badReference(typed: string, found: string): IncipitError {
  return new IncipitError(
    "model_bad_reference",
    `"${typed}" does not name a model: ${found} was found.`,
    { hint: `give ${forms}` },
  );
}
