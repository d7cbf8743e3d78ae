import { hasCodePoint } from "../pattern/code-points.ts";
import { plural, printBounds } from "./explain-error.ts";
import type { ArrayShape, ChoiceShape, ObjectShape, Shape, StringShape } from "./shape.ts";

/** Puts a shape into words for a prompt: what to write, the rules of each part, and the form. */
export function describeShape(shape: Shape): string {
  const opening = `Write ${describeWhole(shape)}, and nothing else.`;
  const form = shape.kind === "object" || shape.kind === "array" ? [`Form: ${toForm(shape)}`] : [];
  return [opening, ...listParts(shape, 0), ...form].join("\n");
}

function describeWhole(shape: Shape): string {
  if (shape.kind === "object") return `one JSON object with ${describeKeys(shape)}`;
  if (shape.kind === "array") return `one JSON array of ${describeItems(shape)}`;
  if (shape.kind === "string") return `one JSON string, in double quotes: ${describePart(shape)}`;
  return describePart(shape);
}

function describeKeys(shape: ObjectShape): string {
  const count = shape.properties.length;
  if (count === 0) return "no keys";
  return count === 1 ? "this key" : `these ${count} keys, in this order`;
}

function describeItems({ items, minItems, maxItems, uniqueItems }: ArrayShape): string {
  const noun = itemNoun(items);
  const count =
    minItems === 0 && maxItems === null ? `${noun}s` : printRange(minItems, maxItems, noun);
  const none = minItems === 0 && maxItems !== 0 ? ", [] if there are none" : "";
  return `${count}${uniqueItems ? ", no two of them the same" : ""}${none}`;
}

function itemNoun(shape: Shape): string {
  if (shape.kind === "string") return "string";
  return shape.kind === "object" || shape.kind === "array" ? shape.kind : "value";
}

/** A line for each key and for the items, with what stands inside them below. */
function listParts(shape: Shape, depth: number): string[] {
  const indent = "  ".repeat(depth);
  if (shape.kind === "object") {
    return shape.properties.flatMap(({ name, shape: part }) => [
      `${indent}- ${JSON.stringify(name)}: ${describePart(part)}`,
      ...listParts(part, depth + 1),
    ]);
  }
  if (shape.kind !== "array" || shape.maxItems === 0) return [];
  const line = `${indent}- each ${itemNoun(shape.items)}: ${describePart(shape.items)}`;
  return [line, ...listParts(shape.items, depth + 1)];
}

function describePart(shape: Shape): string {
  const text = describeKind(shape);
  const examples = shape.examples.map((example) => JSON.stringify(example)).join(", ");
  const own = shape.kind === "string" ? null : shape.description;
  return `${own === null ? "" : `${own}; `}${text}${examples === "" ? "" : `, for example ${examples}`}`;
}

function describeKind(shape: Shape): string {
  switch (shape.kind) {
    case "object":
      return `an object with ${describeKeys(shape)}`;
    case "array":
      return `an array of ${describeItems(shape)}`;
    case "choice":
      return describeChoice(shape);
    case "string":
      return describeString(shape);
    case "boolean":
      return "true or false";
    case "null":
      return "null";
    case "integer":
      return "a whole number";
    case "number":
      return "a number";
  }
}

function describeChoice({ choices }: ChoiceShape): string {
  const words = choices.map(({ value, description }) =>
    description === null ? JSON.stringify(value) : `${JSON.stringify(value)} (${description})`,
  );
  return words.length === 1 ? (words[0] ?? "") : `exactly one of ${words.join(", ")}`;
}

/** The author's description stands for a pattern; without one the pattern itself is shown. */
function describeString({ description, minLength, maxLength, pattern, run }: StringShape): string {
  // A class that leaves out line feeds but not other scripts is in plain words a single line.
  const isOneLine = run !== null && !hasCodePoint(run.set, 10) && hasCodePoint(run.set, 0x4e00);
  const min = Math.max(minLength, isOneLine ? run.min : 0);
  const facts = description === null ? [] : [description];
  if (min > 0 || maxLength !== null) facts.push(printRange(min, maxLength, "character"));
  if (isOneLine) facts.push("on one line");
  else if (pattern !== null && description === null) facts.push(`text matching ${pattern}`);
  return facts.length === 0 ? "any text" : facts.join(", ");
}

/** `3 to 7 items`, and otherwise as in a hint. */
function printRange(min: number, max: number | null, noun: string): string {
  const isRange = min > 0 && max !== null && min < max;
  return isRange ? `${min} to ${plural(max, noun)}` : printBounds(min, max, noun);
}

/**
 * An empty form to fill in: `{"topic":"…","intent":"…"}`. An item without parts is shown up to
 * three times, one with parts once, or nested arrays would double the form at every level.
 */
function toForm(shape: Shape): string {
  switch (shape.kind) {
    case "object": {
      const members = shape.properties.map(
        ({ name, shape: part }) => `${JSON.stringify(name)}:${toForm(part)}`,
      );
      return `{${members.join(",")}}`;
    }
    case "array": {
      if (shape.maxItems === 0) return "[]";
      const { items, minItems, maxItems } = shape;
      const hasParts = items.kind === "object" || items.kind === "array";
      const count = hasParts || maxItems === 1 ? 1 : Math.min(3, Math.max(minItems, 2));
      const isOpen = maxItems === null || maxItems > count;
      const shown = Array<string>(count).fill(toForm(items));
      return `[${[...shown, ...(isOpen ? ["…"] : [])].join(",")}]`;
    }
    case "choice": {
      const [first] = shape.choices;
      if (shape.choices.length === 1) return JSON.stringify(first?.value);
      return typeof first?.value === "string" ? '"…"' : "…";
    }
    case "string":
      return '"…"';
    default:
      return "…";
  }
}
