import { type Document, isMap, isPair, isScalar, type Node, parseDocument, visit } from "yaml";
import type { Finding, Json, Source, SourceSpan } from "../text/index.ts";
import { deepFreeze } from "./freeze.ts";

/** A JSON or YAML file as frozen data that can tell where each value stands. */
export interface DataFile {
  readonly source: Source;
  readonly data: Json;
  /** The place of the value at a path of keys, or of its nearest parent. */
  locate(path: readonly (string | number)[]): SourceSpan;
}

export interface ReadDataFile {
  readonly file: DataFile | null;
  readonly findings: readonly Finding[];
}

const reserved = new Set(["__proto__", "constructor", "prototype"]);

/** How deep a file may nest. */
const depthLimit = 64;

function at(source: Source, start: number, end: number): SourceSpan {
  return { path: source.path, start, end: Math.max(start, Math.min(end, source.text.length)) };
}

function findReservedKeys(document: Document, source: Source): Finding[] {
  const findings: Finding[] = [];
  visit(document, {
    Pair(_key, pair, path) {
      if (path.filter(isMap).length > depthLimit) {
        findings.push({
          code: "pack_too_deep",
          severity: "error",
          message: `"${source.path}" nests deeper than ${depthLimit} levels.`,
          span: at(source, 0, 0),
          hint: "flatten the file",
        });
        return visit.BREAK;
      }
      if (!isScalar(pair.key) || !reserved.has(String(pair.key.value))) return undefined;
      const [start = 0, end = 0] = pair.key.range ?? [];
      findings.push({
        code: "pack_reserved_key",
        severity: "error",
        message: `"${String(pair.key.value)}" is a reserved name and cannot be a key.`,
        span: at(source, start, end),
        hint: "choose another name",
      });
      return undefined;
    },
  });
  return findings;
}

/** Reads a `.json`, `.yaml` or `.yml` file: YAML 1.2 core schema, no aliases, no duplicate keys. */
export function readDataFile(source: Source): ReadDataFile {
  const document = parseDocument(source.text, {
    version: "1.2",
    schema: "core",
    strict: true,
    uniqueKeys: true,
    merge: false,
    prettyErrors: false,
  });
  const findings: Finding[] = [...document.errors, ...document.warnings].map((problem) => ({
    code: "pack_syntax",
    severity: "error" as const,
    message: `"${source.path}" is not valid: ${problem.message.replace(/\.$/, "")}.`,
    span: at(source, problem.pos[0], problem.pos[1]),
    hint: "mend the file at the place shown",
  }));
  if (source.path.endsWith(".json") && findings.length === 0) {
    try {
      JSON.parse(source.text);
    } catch (cause) {
      findings.push({
        code: "pack_syntax",
        severity: "error",
        message: `"${source.path}" is not valid JSON: ${(cause as Error).message}.`,
        span: at(source, 0, 0),
        hint: "JSON has no comments, no trailing commas and only double quotes",
      });
    }
  }
  visit(document, {
    Alias(_key, alias) {
      const [start = 0, end = 0] = alias.range ?? [];
      findings.push({
        code: "pack_syntax",
        severity: "error",
        message: `"${source.path}" uses an alias, which pack files do not have.`,
        span: at(source, start, end),
        hint: "write the value out",
      });
    },
  });
  findings.push(...findReservedKeys(document, source));
  if (findings.length > 0) return { file: null, findings };
  const data = deepFreeze(document.toJS() as Json);
  return { file: { source, data, locate: (path) => locate(document, source, path) }, findings: [] };
}

function locate(document: Document, source: Source, path: readonly (string | number)[]) {
  for (let length = path.length; length >= 0; length -= 1) {
    const keys = path.slice(0, length);
    const node = (length === 0 ? document.contents : document.getIn(keys, true)) as
      | Node
      | null
      | undefined;
    const range = node?.range ?? findPairRange(document, keys);
    if (range !== null && range !== undefined) return at(source, range[0], range[1]);
  }
  return at(source, 0, 0);
}

function findPairRange(document: Document, keys: readonly (string | number)[]) {
  const parent = keys.length === 1 ? document.contents : document.getIn(keys.slice(0, -1), true);
  if (!isMap(parent)) return null;
  const pair = parent.items.find(
    (item) => isPair(item) && isScalar(item.key) && item.key.value === keys.at(-1),
  );
  return isScalar(pair?.key) ? (pair.key.range ?? null) : null;
}
