import {
  type Document,
  isCollection,
  isMap,
  isPair,
  isScalar,
  type Node,
  parseDocument,
  visit,
} from "yaml";
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

/** The most faults of one file that are reported. */
export const findingLimit = 50;

/** How deep a file may nest. */
const depthLimit = 64;

function at(source: Source, start: number, end: number): SourceSpan {
  return { path: source.path, start, end: Math.max(start, Math.min(end, source.text.length)) };
}

function findRepeatedKeys(document: Document, source: Source): Finding[] {
  const findings: Finding[] = [];
  visit(document, {
    Map(_key, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key) || findings.length >= findingLimit) continue;
        const name = String(key.value);
        const [start = 0, end = 0] = key.range ?? [];
        if (seen.has(name)) {
          findings.push({
            code: "pack_syntax",
            severity: "error",
            message: `"${source.path}" has the key "${name}" twice.`,
            span: at(source, start, end),
            hint: "remove one of the two",
          });
        }
        seen.add(name);
      }
    },
  });
  return findings;
}

function findReservedKeys(document: Document, source: Source): Finding[] {
  const findings: Finding[] = [];
  visit(document, {
    Collection(_key, _node, path) {
      if (path.filter(isCollection).length < depthLimit) return undefined;
      findings.push(tooDeep(source));
      return visit.BREAK;
    },
    Pair(_key, pair) {
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

function findInvalidJson(source: Source): Finding | null {
  try {
    JSON.parse(source.text);
    return null;
  } catch (cause) {
    const { message } = cause as Error;
    const place = Number(/position (\d+)/.exec(message)?.[1] ?? source.text.length);
    return {
      code: "pack_syntax",
      severity: "error",
      message: `Invalid JSON in "${source.path}": ${message}.`,
      span: at(source, Math.min(place, source.text.length), place + 1),
      hint: "JSON has no comments, no trailing commas and only double quotes",
    };
  }
}

/** Reads a `.json`, `.yaml` or `.yml` file: YAML 1.2 core schema, no aliases, no duplicate keys. */
export function readDataFile(source: Source): ReadDataFile {
  try {
    return readNested(source);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    // The YAML parser recurses; what overflows its stack nests too deeply by far.
    return { file: null, findings: [tooDeep(source)] };
  }
}

function tooDeep(source: Source): Finding {
  return {
    code: "pack_too_deep",
    severity: "error",
    message: `"${source.path}" nests deeper than ${depthLimit} levels.`,
    span: at(source, 0, 0),
    hint: "flatten the file",
  };
}

function readNested(source: Source): ReadDataFile {
  const invalid = source.path.endsWith(".json") ? findInvalidJson(source) : null;
  if (invalid !== null) return { file: null, findings: [invalid] };
  const document = parseDocument(source.text, {
    version: "1.2",
    schema: "core",
    strict: true,
    // The parser compares every key with every other; see findRepeatedKeys.
    uniqueKeys: false,
    merge: false,
    prettyErrors: false,
    resolveKnownTags: false,
    intAsBigInt: true,
  });
  const isOverflow = document.errors.some(({ message }) => message.includes("call stack"));
  if (isOverflow) return { file: null, findings: [tooDeep(source)] };
  const problems = [...document.errors, ...document.warnings].slice(0, findingLimit);
  const findings: Finding[] = problems.map((problem) => ({
    code: "pack_syntax",
    severity: "error" as const,
    message: `"${source.path}" is not valid: ${problem.message.replace(/\.$/, "")}.`,
    span: at(source, problem.pos[0], problem.pos[1]),
    hint: "mend the file at the place shown",
  }));
  visit(document, {
    Scalar(_key, scalar) {
      if (typeof scalar.value === "string" && /[\0\p{Surrogate}]/u.test(scalar.value)) {
        const [start = 0, end = 0] = scalar.range ?? [];
        findings.push({
          code: "pack_not_text",
          severity: "error",
          message: `"${source.path}" has a text with a NUL or half a surrogate pair.`,
          span: at(source, start, end),
          hint: "write whole characters",
        });
      }
      if (typeof scalar.value !== "bigint") return;
      const number = Number(scalar.value);
      const [start = 0, end = 0] = scalar.range ?? [];
      if (!Number.isSafeInteger(number)) {
        findings.push({
          code: "pack_unsafe_number",
          severity: "error",
          message: `The number ${scalar.value} is beyond ±(2⁵³−1), where digits get lost.`,
          span: at(source, start, end),
          hint: "write a smaller number, or a text in quotes",
        });
      }
      scalar.value = number;
    },
    Pair(_key, pair) {
      if (isScalar(pair.key)) return;
      const [start = 0, end = 0] = (pair.key as Node | null)?.range ?? [];
      findings.push({
        code: "pack_syntax",
        severity: "error",
        message: `"${source.path}" has a key that is not a text.`,
        span: at(source, start, end),
        hint: "write a plain text before the colon",
      });
    },
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
  findings.push(...findRepeatedKeys(document, source), ...findReservedKeys(document, source));
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
