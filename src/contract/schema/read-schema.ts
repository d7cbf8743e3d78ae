import type { Json } from "../../text/index.ts";
import { type PointerStep, toPointer } from "../json/json-pointer.ts";
import { quote } from "../json/quote.ts";
import { countValues } from "./count-values.ts";
import { plural } from "./explain-error.ts";
import { readChoice } from "./read-choice.ts";
import { readStringShape } from "./read-string.ts";
import {
  leaveToChecker,
  noteUnbounded,
  type Reading,
  readCount,
  readDescription,
  readExamples,
  refuseOthers,
  report,
  reportUnsatisfiable,
  reportValue,
  type SchemaPlace,
} from "./schema-reading.ts";
import type { ArrayShape, ObjectShape, ReadSchema, Shape } from "./shape.ts";

const maxDepth = 64;
const types = ["object", "array", "string", "integer", "number", "boolean", "null"];

/**
 * Reads a JSON Schema into the shape that every face of a contract is made from. A keyword that is
 * not understood is an error with its JSON Pointer; one that only the checker can enforce is listed.
 */
export function readSchema(schema: Json): ReadSchema {
  const reading: Reading = { findings: [], notCarried: [] };
  const shape = readShape(reading, schema, [], 0);
  const isRefused = reading.findings.some(({ severity }) => severity === "error");
  return { ...reading, shape: isRefused ? null : shape };
}

/** Reads a schema that stands inside `depth` arrays and objects. */
function readShape(
  reading: Reading,
  schema: Json,
  steps: readonly PointerStep[],
  depth: number,
): Shape | null {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    const message = `${quote(JSON.stringify(schema) ?? "undefined")} is not a schema object.`;
    const hint = 'write an object with a "type", or with "enum", "const", "oneOf" or "anyOf"';
    report(reading, steps, { code: "contract_schema_value", message, hint });
    return null;
  }
  const at: SchemaPlace = { schema: schema as SchemaPlace["schema"], steps };
  const described = {
    pointer: toPointer(steps),
    description: readDescription(reading, at),
    examples: readExamples(reading, at),
  };
  const choice = readChoice(reading, at, described);
  if (choice !== undefined) return choice;
  const type = at.schema.type;
  if ((type === "object" || type === "array") && depth >= maxDepth) {
    const message = "The schema is nested too deeply.";
    const hint = `nest at most ${maxDepth} arrays and objects`;
    report(reading, steps, { code: "contract_schema_depth", message, hint });
    return null;
  }
  switch (type) {
    case "object":
      return readObject(reading, at, described, depth + 1);
    case "array":
      return readArray(reading, at, described, depth + 1);
    case "string":
      return readStringShape(reading, at, described);
    case "integer":
    case "number":
    case "boolean":
    case "null":
      refuseOthers(reading, at, ["type"]);
      return { kind: type, ...described };
    default:
      reportType(reading, at);
      return null;
  }
}

function reportType(reading: Reading, at: SchemaPlace): void {
  const hint = `give one "type" of ${types.join(", ")}`;
  if (at.schema.type !== undefined && !Array.isArray(at.schema.type)) {
    reportValue(reading, at, "type", hint);
    return;
  }
  const before = reading.findings.length;
  refuseOthers(reading, at, []);
  if (reading.findings.length > before) return;
  const message = "A schema that allows any value is not supported.";
  report(reading, at.steps, { code: "contract_unsupported_keyword", message, hint });
}

type Described = Pick<Shape, "pointer" | "description" | "examples">;

function readObject(
  reading: Reading,
  at: SchemaPlace,
  described: Described,
  depth: number,
): ObjectShape | null {
  const known = ["type", "properties", "required", "additionalProperties"];
  refuseOthers(reading, at, known);
  const { properties, required, additionalProperties } = at.schema;
  if (additionalProperties !== false) {
    const code = "contract_unsupported_keyword";
    const message = "An object that allows any other key is not supported.";
    const hint = 'add "additionalProperties": false';
    const steps = "additionalProperties" in at.schema ? ["additionalProperties"] : [];
    report(reading, [...at.steps, ...steps], { code, message, hint });
  }
  if (properties !== undefined && !isObject(properties)) {
    reportValue(reading, at, "properties", "give an object of schemas");
    return null;
  }
  const isList =
    Array.isArray(required) && required.every((name: Json) => typeof name === "string");
  if (required !== undefined && !isList) {
    reportValue(reading, at, "required", "give a list of keys");
    return null;
  }
  const names = new Set(Object.keys(properties ?? {}));
  const requiredNames = new Set((required as readonly string[] | undefined) ?? []);
  for (const name of requiredNames) {
    if (names.has(name)) continue;
    const message = `The required key ${quote(name)} is not in "properties".`;
    reportUnsatisfiable(reading, [...at.steps, "required"], message);
  }
  const shapes: ObjectShape["properties"][number][] = [];
  for (const name of names) {
    const steps = [...at.steps, "properties", name];
    if (name === "__proto__" || /\p{Surrogate}/u.test(name)) {
      const message = `The key ${quote(name)} is not supported.`;
      const code = "contract_unsupported_keyword";
      report(reading, steps, { code, message, hint: "choose another key" });
    } else if (!requiredNames.has(name)) {
      const message = `The optional key ${quote(name)} is not supported.`;
      const hint = `add ${quote(name)} to "required"`;
      report(reading, steps, { code: "contract_unsupported_keyword", message, hint });
    }
    const shape = readShape(reading, properties?.[name] ?? null, steps, depth);
    if (shape !== null) shapes.push({ name, shape });
  }
  return { kind: "object", ...described, properties: shapes };
}

function readArray(
  reading: Reading,
  at: SchemaPlace,
  described: Described,
  depth: number,
): ArrayShape | null {
  refuseOthers(reading, at, ["type", "items", "minItems", "maxItems", "uniqueItems"]);
  const minItems = readCount(reading, at, "minItems", 0);
  const maxItems = readCount(reading, at, "maxItems", null);
  const uniqueItems = at.schema.uniqueItems ?? false;
  if (typeof uniqueItems !== "boolean") {
    reportValue(reading, at, "uniqueItems", "give true or false");
    return null;
  }
  if (at.schema.items === undefined) {
    const code = "contract_unsupported_keyword";
    const message = "An array of any values is not supported.";
    report(reading, at.steps, { code, message, hint: 'add "items"' });
    return null;
  }
  if (maxItems !== null && minItems > maxItems) {
    const message = `"minItems" is ${minItems} and "maxItems" is ${maxItems}.`;
    return reportUnsatisfiable(reading, [...at.steps, "minItems"], message);
  }
  const items = readShape(reading, at.schema.items, [...at.steps, "items"], depth);
  if (items === null) return null;
  const values = uniqueItems && minItems > 1 ? countValues(items) : Number.POSITIVE_INFINITY;
  if (minItems > values) {
    const possible = `${plural(values, "different item")} ${values === 1 ? "is" : "are"}`;
    const message = `"minItems" is ${minItems}, but only ${possible} possible.`;
    return reportUnsatisfiable(reading, [...at.steps, "minItems"], message);
  }
  if (maxItems === null) noteUnbounded(reading, at, "maxItems");
  if (uniqueItems && maxItems !== 0 && maxItems !== 1) {
    const reason = "a grammar cannot remember which items were already written";
    leaveToChecker(reading, at, "uniqueItems", reason);
  }
  return { kind: "array", ...described, items, minItems, maxItems, uniqueItems };
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
