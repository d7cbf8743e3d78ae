import type { z } from "zod";
import { tryParseTemplate } from "../template/index.ts";
import {
  type Digest,
  digestParts,
  type Finding,
  type Json,
  type Source,
  type SourceSpan,
  toCanonicalText,
  toHint,
} from "../text/index.ts";
import { type DataFile, findingLimit, readDataFile } from "./data-file.ts";
import type { PackText } from "./pack.ts";
import { parseReference } from "./reference.ts";
import { fragmentShape, templateShape } from "./shape.ts";

/** The files of a pack while it is being linked, and the findings so far. */
export interface Library {
  readonly files: ReadonlyMap<string, string>;
  readonly findings: Finding[];
  readonly read: Map<string, DataFile | null>;
}

/** A value that a reference leads to. */
export interface Target {
  readonly file: DataFile;
  readonly keys: readonly string[];
  readonly data: Json;
}

/** Where a reference was written, for the finding when it leads nowhere. */
export interface UsePlace {
  readonly file: DataFile;
  readonly keys: readonly (string | number)[];
}

/** Reads a file of the pack once; null when it is missing or broken (a finding says so). */
export function readFile(library: Library, path: string, use: UsePlace | null): DataFile | null {
  const known = library.read.get(path);
  if (known !== undefined) return known;
  const text = library.files.get(path);
  if (text === undefined) {
    report(library, {
      code: "pack_file_not_found",
      message: `The file "${path}" was not found in the pack.`,
      hint: toHint(path, library.files.keys()),
      ...(use === null ? {} : { span: use.file.locate(use.keys) }),
    });
    return null;
  }
  const source: Source = { path, text: toCanonicalText(text) };
  const { file, findings } = readDataFile(source);
  library.findings.push(...findings);
  library.read.set(path, file);
  return file;
}

/** Adds an error finding. */
export function report(library: Library, finding: Omit<Finding, "severity">): void {
  library.findings.push({ severity: "error", ...finding });
}

/** Follows a reference; null when it leads nowhere (a finding says so). */
export function follow(library: Library, reference: string, use: UsePlace): Target | null {
  let parsed: ReturnType<typeof parseReference>;
  try {
    parsed = parseReference(reference);
  } catch (cause) {
    const { code, message, hint } = cause as { code: string; message: string; hint?: string };
    report(library, { code, message, span: use.file.locate(use.keys), ...(hint ? { hint } : {}) });
    return null;
  }
  const file = readFile(library, parsed.path, use);
  if (file === null) return null;
  let data: Json = file.data;
  for (const key of parsed.keys) {
    const isObject = typeof data === "object" && data !== null && !Array.isArray(data);
    if (!isObject || !Object.hasOwn(data as object, key)) {
      report(library, {
        code: "pack_key_not_found",
        message: `The key "${key}" of "${reference}" was not found.`,
        span: use.file.locate(use.keys),
        hint: isObject ? toHint(key, Object.keys(data as object)) : "its parent is not an object",
      });
      return null;
    }
    data = (data as { readonly [key: string]: Json })[key] ?? null;
  }
  return { file, keys: parsed.keys, data };
}

/** Checks a value against a shape; null when it does not fit (findings say where and why). */
export function fitShape<Value>(
  library: Library,
  shape: z.ZodType<Value>,
  target: Target,
): Value | null {
  const result = shape.safeParse(target.data);
  if (result.success) return result.data;
  for (const issue of result.error.issues.slice(0, findingLimit)) {
    const path = issue.path.filter((key) => typeof key !== "symbol");
    const name = [...target.keys, ...path].join(".");
    if (issue.code === "unrecognized_keys") {
      const known = shapeKeys(shape);
      for (const key of issue.keys.slice(0, findingLimit)) {
        report(library, {
          code: "pack_unknown_key",
          message: `"${key}" is not a key that "${name || target.file.source.path}" can have.`,
          span: target.file.locate([...target.keys, ...path, key]),
          hint: path.length === 0 ? toHint(key, known) : "see docs/packs.md for the keys",
        });
      }
      continue;
    }
    report(library, {
      code: "pack_bad_value",
      message: `"${name || target.file.source.path}" is not right: ${issue.message}.`,
      span: target.file.locate([...target.keys, ...path]),
      hint: "see docs/packs.md for what is expected",
    });
  }
  return null;
}

function shapeKeys(shape: z.ZodType): string[] {
  return "shape" in shape ? Object.keys(shape.shape as object) : [];
}

interface TextParts {
  readonly ref: string;
  readonly version: string;
  readonly variables: readonly string[];
  readonly content: string;
  readonly file: DataFile;
  /** Path of keys to the content. */
  readonly keys: readonly string[];
}

/** Parses a text of the pack; null when it has errors (findings say so). */
export function toPackText(library: Library, parts: TextParts): PackText | null {
  const source = parts.file.locate(parts.keys);
  const raw = parts.file.source.text.slice(source.start, source.end);
  const { template, findings } = tryParseTemplate(parts.content, {
    variables: parts.variables,
    locate: (start, end) => locateIn(parts.content, raw, source, start, end),
  });
  library.findings.push(...findings);
  if (template === null) return null;
  const { ref, version } = parts;
  return { ref, version, digest: toTextDigest(ref, version, parts.content), template, source };
}

function toTextDigest(ref: string, version: string, content: string): Digest {
  return digestParts("text/1", [ref, version, toCanonicalText(content)]);
}

/** The nth `${name}` of a text is the nth `${name}` of its place in the file. */
function locateIn(content: string, raw: string, place: SourceSpan, start: number, end: number) {
  const slot = content.slice(start, end);
  if (!slot.startsWith("${")) return place;
  const before = content.slice(0, start).split(slot).length - 1;
  let at = raw.indexOf(slot);
  for (let skip = 0; skip < before && at !== -1; skip += 1) at = raw.indexOf(slot, at + 1);
  if (at === -1) return place;
  return { path: place.path, start: place.start + at, end: place.start + at + slot.length };
}

/** The template a reference leads to: an entry with a `base_template`. */
export function linkTemplate(library: Library, reference: string, use: UsePlace): PackText | null {
  const target = follow(library, reference, use);
  if (target === null) return null;
  const entry = fitShape(library, templateShape, target);
  if (entry === null) return null;
  const { version, variables, base_template: content } = entry;
  const keys = [...target.keys, "base_template"];
  return toPackText(library, {
    ref: reference,
    version,
    variables,
    content,
    file: target.file,
    keys,
  });
}

/** The fragment a reference leads to: an entry with `content`. */
export function linkFragment(library: Library, reference: string, use: UsePlace): PackText | null {
  const target = follow(library, reference, use);
  if (target === null) return null;
  const entry = fitShape(library, fragmentShape, target);
  if (entry === null) return null;
  const { version, variables, content } = entry;
  const keys = [...target.keys, "content"];
  return toPackText(library, {
    ref: reference,
    version,
    variables,
    content,
    file: target.file,
    keys,
  });
}
