import { quote } from "../json/quote.ts";
import { scalarValues } from "../pattern/code-points.ts";
import { countTexts } from "../pattern/count-texts.ts";
import {
  type Expression,
  type Run,
  toLengthRange,
  toRun,
  toWholeExpression,
} from "../pattern/expression.ts";
import { parsePattern } from "../pattern/parse-pattern.ts";
import { simplifyExpression } from "../pattern/simplify-expression.ts";
import {
  leaveToChecker,
  noteUnbounded,
  type Reading,
  readCount,
  refuseOthers,
  report,
  reportUnsatisfiable,
  reportValue,
  type SchemaPlace,
} from "./schema-reading.ts";
import type { Shape, StringShape } from "./shape.ts";

/** Reads a string schema: bounds in code points, and a pattern that covers the whole text. */
export function readStringShape(
  reading: Reading,
  at: SchemaPlace,
  described: Pick<Shape, "pointer" | "description" | "examples">,
): StringShape | null {
  refuseOthers(reading, at, ["type", "minLength", "maxLength", "pattern"]);
  const minLength = readCount(reading, at, "minLength", 0);
  const maxLength = readCount(reading, at, "maxLength", null);
  if (maxLength !== null && minLength > maxLength) {
    const message = `"minLength" is ${minLength} and "maxLength" is ${maxLength}.`;
    return reportUnsatisfiable(reading, [...at.steps, "minLength"], message);
  }
  const read = readContent(reading, at);
  if (read === null) return null;
  const { pattern, content } = read;
  const { min, max } = toLengthRange(content);
  const isOutside = (max !== null && max < minLength) || (maxLength !== null && min > maxLength);
  if (isOutside || countTexts(content, { min: minLength, max: maxLength }) === 0) {
    const message = 'No text that matches "pattern" has an allowed length.';
    return reportUnsatisfiable(reading, [...at.steps, "pattern"], message);
  }
  const shape = { kind: "string", ...described, minLength, maxLength, pattern } as const;
  const run = toRun(content);
  if (run !== null) {
    const bounded: Run = {
      set: run.set,
      min: Math.max(run.min, minLength),
      max: smaller(run.max, maxLength),
    };
    if (bounded.max === null) noteUnbounded(reading, at, "maxLength");
    const item: Expression = { kind: "set", set: bounded.set };
    const { min, max } = bounded;
    return { ...shape, content: { kind: "repeat", item, min, max }, run: bounded };
  }
  const reason = 'a grammar cannot count characters across the parts of "pattern"';
  if (minLength > min) leaveToChecker(reading, at, "minLength", reason);
  if (maxLength !== null && (max === null || maxLength < max)) {
    leaveToChecker(reading, at, "maxLength", reason);
  }
  if (max === null && maxLength === null) noteUnbounded(reading, at, "maxLength");
  return { ...shape, content, run: null };
}

function readContent(
  reading: Reading,
  at: SchemaPlace,
): { readonly pattern: string | null; readonly content: Expression } | null {
  const pattern = at.schema.pattern;
  if (pattern === undefined) {
    const item: Expression = { kind: "set", set: scalarValues };
    return { pattern: null, content: { kind: "repeat", item, min: 0, max: null } };
  }
  if (typeof pattern !== "string") {
    reportValue(reading, at, "pattern", "give a regular expression as a text");
    return null;
  }
  const parsed = parsePattern(pattern);
  const steps = [...at.steps, "pattern"];
  const code = "contract_unsupported_pattern";
  if (parsed.kind === "refused") {
    const message = `The pattern ${quote(pattern)} is not supported: ${parsed.reason}.`;
    const hint = "use literals, classes, groups, alternatives and quantifiers between ^ and $";
    report(reading, steps, { code, message, hint });
    return null;
  }
  const whole = toWholeExpression(parsed.expression);
  if (whole === null) {
    const message = `The pattern ${quote(pattern)} does not cover the whole text.`;
    const hint = "begin it with ^ and end it with $, with no anchor between; wrap | in a group";
    report(reading, steps, { code, message, hint });
    return null;
  }
  const simplified = simplifyExpression(whole);
  if (simplified.kind === "simplified") return { pattern, content: simplified.expression };
  if (simplified.kind === "nothing") {
    return reportUnsatisfiable(reading, steps, `No text matches the pattern ${quote(pattern)}.`);
  }
  const message = `The pattern ${quote(pattern)} repeats too large a part that may be empty.`;
  const hint = "make the repeated part smaller, or let it have at least one character";
  report(reading, steps, { code, message, hint });
  return null;
}

function smaller(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}
