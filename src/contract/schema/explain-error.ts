import type { ErrorObject } from "ajv/dist/2020.js";
import type { Json } from "../../text/index.ts";
import { parsePointer } from "../json/json-pointer.ts";
import { quote } from "../json/quote.ts";
import { isScalar } from "./schema-reading.ts";

/** A fault in words: what is wrong, with the keyword, and what a small model should write. */
export interface Explanation {
  readonly message: string;
  readonly hint: string;
}

type Parameters = Readonly<Record<string, unknown>>;

/** Explains an error of the validator (run with `verbose`). */
export function explainError(error: ErrorObject): Explanation {
  const parameters = error.params as Parameters;
  const schema = toKeywords(error.parentSchema);
  const place = toPlace(error.instancePath);
  const data = error.data as Json;
  const explain = (message: string, hint: string): Explanation => ({
    message: `${capitalize(place)} ${message} (${error.keyword}).`,
    hint,
  });
  switch (error.keyword) {
    case "enum":
    case "const":
    case "oneOf":
    case "anyOf": {
      const values = toChoices(schema);
      const wanted = values.length === 1 ? `${values[0]}` : `one of ${values.join(", ")}`;
      return explain(`is ${quoteValue(data)}`, `${place} must be ${wanted}`);
    }
    case "type": {
      const type = String(parameters.type);
      return explain(`is ${quoteValue(data)}`, `${place} must be ${article(type)}`);
    }
    case "minItems":
    case "maxItems": {
      const count = Array.isArray(data) ? data.length : 0;
      const wanted = printBounds(schema.minItems, schema.maxItems, "item");
      const there = count === 1 ? "there is 1" : `there are ${count}`;
      return explain(`has ${plural(count, "item")}`, `write ${wanted}, ${there}`);
    }
    case "minLength":
    case "maxLength": {
      const length = [...String(data)].length;
      const wanted = printBounds(schema.minLength, schema.maxLength, "character");
      const hint = `${place} must have ${wanted}, it has ${length}`;
      return explain(`has ${plural(length, "character")}`, hint);
    }
    case "pattern": {
      const description = typeof schema.description === "string" ? schema.description : null;
      const wanted = description ?? `text that matches ${String(parameters.pattern)}`;
      const examples = Array.isArray(schema.examples) ? schema.examples.slice(0, 3) : [];
      const shown = examples.map((example: Json) => JSON.stringify(example)).join(", ");
      const hint = `${place} must be: ${wanted}${shown === "" ? "" : ` (for example ${shown})`}`;
      return explain(`is ${quoteValue(data)}`, hint);
    }
    case "uniqueItems": {
      const items = Array.isArray(data) ? data : [];
      const [first, second] = [Number(parameters.j), Number(parameters.i)].sort((a, b) => a - b);
      const item: Json = items[first ?? 0] ?? null;
      const kind = Array.isArray(item) ? "array" : typeof item;
      const what = isScalar(item) ? `the item ${quoteValue(item)}` : `the same ${kind}`;
      const message = `has ${what} twice`;
      const hint = `write each item once: items ${(first ?? 0) + 1} and ${(second ?? 0) + 1} are the same`;
      return explain(message, hint);
    }
    case "required": {
      const key = quote(String(parameters.missingProperty));
      return explain(`lacks the key ${key}`, `add the key ${key}`);
    }
    case "additionalProperties": {
      const key = quote(String(parameters.additionalProperty));
      const keys = Object.keys(toKeywords(schema.properties)).map(quote);
      const known = keys.length === 0 ? "" : `; the keys are ${keys.join(", ")}`;
      return explain(`has the key ${key}`, `leave out ${key}${known}`);
    }
    default:
      return explain(error.message ?? "does not fit the schema", "follow the given format");
  }
}

/** `between 3 and 7 items`, `at most 20 items`, `at least 1 item`, `2 items`. */
export function printBounds(min: unknown, max: unknown, noun: string): string {
  const low = typeof min === "number" && min > 0 ? min : null;
  const high = typeof max === "number" ? max : null;
  if (low !== null && low === high) return plural(low, noun);
  if (low !== null && high !== null) return `between ${low} and ${plural(high, noun)}`;
  if (high !== null) return `at most ${plural(high, noun)}`;
  return low === null ? `any number of ${noun}s` : `at least ${plural(low, noun)}`;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function toChoices(schema: Parameters): readonly string[] {
  if ("const" in schema) return [printChoice(schema.const)];
  if (Array.isArray(schema.enum)) return schema.enum.map(printChoice);
  const branches = schema.oneOf ?? schema.anyOf;
  return Array.isArray(branches)
    ? branches.map((branch) => printChoice(toKeywords(branch).const))
    : [];
}

/** A plain word as it is, everything else as JSON. */
function printChoice(value: unknown): string {
  return typeof value === "string" && /^[\p{L}\p{N}_-]+$/u.test(value)
    ? value
    : JSON.stringify(value);
}

/** What a model knows a place by: the key, "item 3", or "the JSON" for the whole. */
function toPlace(pointer: string): string {
  const steps = parsePointer(pointer) ?? [];
  const words = steps.map((step) =>
    /^\d+$/.test(step) ? `item ${Number(step) + 1}` : quote(step),
  );
  return words.length === 0 ? "the JSON" : words.reverse().join(" of ");
}

function quoteValue(value: Json): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" && value !== null ? "an object" : JSON.stringify(value);
}

function article(type: string): string {
  if (type === "null") return "null";
  if (type === "boolean") return "true or false";
  if (type === "string") return "a text in double quotes";
  return /^[aio]/.test(type) ? `an ${type}` : `a ${type}`;
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function toKeywords(schema: unknown): Parameters {
  return typeof schema === "object" && schema !== null ? (schema as Parameters) : {};
}
