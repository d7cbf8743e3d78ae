import type { Finding, Json } from "../../text/index.ts";
import { toHint } from "../../text/index.ts";
import type { NotCarried } from "../contract.ts";
import { type PointerStep, toPointer } from "../json/json-pointer.ts";
import { quote } from "../json/quote.ts";
import type { Scalar } from "./shape.ts";

/** A schema object and the way to it. */
export interface SchemaPlace {
  readonly schema: { readonly [keyword: string]: Json };
  readonly steps: readonly PointerStep[];
}

/** What is collected while a schema is read. */
export interface Reading {
  readonly findings: Finding[];
  readonly notCarried: NotCarried[];
}

const annotations = ["title", "description", "examples", "default", "$comment", "$schema"];

export function report(
  reading: Reading,
  steps: readonly PointerStep[],
  finding: { readonly code: string; readonly message: string; readonly hint: string },
): void {
  reading.findings.push({ ...finding, severity: "error", path: toPointer(steps) });
}

/** Reports a keyword that is understood but whose value is wrong. */
export function reportValue(
  reading: Reading,
  at: SchemaPlace,
  keyword: string,
  hint: string,
): void {
  const message = `The value of "${keyword}" is ${quote(JSON.stringify(at.schema[keyword]) ?? "")}.`;
  report(reading, [...at.steps, keyword], { code: "contract_schema_value", message, hint });
}

/** Reports a schema that no value satisfies. */
export function reportUnsatisfiable(
  reading: Reading,
  steps: readonly PointerStep[],
  message: string,
): null {
  const hint = "loosen one of the two so that some value passes";
  report(reading, steps, { code: "contract_unsatisfiable", message, hint });
  return null;
}

/** Lists a keyword that the checker enforces and the grammar does not. */
export function leaveToChecker(
  reading: Reading,
  at: SchemaPlace,
  keyword: string,
  reason: string,
): void {
  reading.notCarried.push({ pointer: toPointer([...at.steps, keyword]), reason });
}

/** Reports that an output can grow until the token limit. */
export function noteUnbounded(reading: Reading, at: SchemaPlace, keyword: string): void {
  reading.findings.push({
    code: "contract_unbounded",
    severity: "info",
    message: `Without "${keyword}" the output can grow until the token limit.`,
    path: toPointer(at.steps),
    hint: `add "${keyword}"`,
  });
}

/** Reports every keyword that is neither an annotation nor one of those this kind knows. */
export function refuseOthers(reading: Reading, at: SchemaPlace, known: readonly string[]): void {
  for (const keyword of Object.keys(at.schema)) {
    if (known.includes(keyword) || annotations.includes(keyword)) continue;
    const code = "contract_unsupported_keyword";
    const message = `The keyword ${quote(keyword)} is not supported here.`;
    report(reading, [...at.steps, keyword], { code, message, hint: toHint(keyword, known) });
  }
}

/** A count such as `minItems`: a whole number from 0, or the default where it is absent. */
export function readCount<Absent>(
  reading: Reading,
  at: SchemaPlace,
  keyword: string,
  absent: Absent,
): number | Absent {
  const value = at.schema[keyword];
  if (value === undefined) return absent;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  reportValue(reading, at, keyword, "give a whole number, 0 or more");
  return absent;
}

/** A description, or else a title. */
export function readDescription(reading: Reading, at: SchemaPlace): string | null {
  for (const keyword of ["description", "title"]) {
    const value = at.schema[keyword];
    if (typeof value === "string") return value.trim() === "" ? null : value.trim();
    if (value !== undefined) reportValue(reading, at, keyword, "give a text");
  }
  return null;
}

export function readExamples(reading: Reading, at: SchemaPlace): readonly Scalar[] {
  const value = at.schema.examples;
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.filter(isScalar);
  reportValue(reading, at, "examples", "give a list");
  return [];
}

export function isScalar(value: Json): value is Scalar {
  return typeof value !== "object" || value === null;
}
