import type { Json } from "../../text/index.ts";
import { quote } from "../json/quote.ts";
import {
  isScalar,
  type Reading,
  readDescription,
  refuseOthers,
  report,
  reportUnsatisfiable,
  reportValue,
  type SchemaPlace,
} from "./schema-reading.ts";
import type { ChoiceShape, Shape } from "./shape.ts";

type Choice = ChoiceShape["choices"][number];

const keywords = ["const", "enum", "oneOf", "anyOf"];

/**
 * Reads `const`, `enum`, and `oneOf` or `anyOf` of `const`; undefined when the schema has none of
 * them, null when it has one that is refused.
 */
export function readChoice(
  reading: Reading,
  at: SchemaPlace,
  described: Pick<Shape, "pointer" | "description" | "examples">,
): ChoiceShape | null | undefined {
  const keyword = keywords.find((name) => at.schema[name] !== undefined);
  if (keyword === undefined) return undefined;
  refuseOthers(reading, at, ["type", keyword]);
  const listed =
    keyword === "const" || keyword === "enum"
      ? readValues(reading, at, keyword)
      : readBranches(reading, at, keyword);
  if (listed === null) return null;
  const type = at.schema.type;
  const seen = new Map<Json, Choice>();
  for (const choice of listed) {
    if (type !== undefined && !isOfType(choice.value, type)) {
      const message = `${quote(JSON.stringify(choice.value))} is not of the type ${JSON.stringify(type)}.`;
      return reportUnsatisfiable(reading, [...at.steps, keyword], message);
    }
    if (seen.has(choice.value) && keyword === "oneOf") {
      const message = `${quote(JSON.stringify(choice.value))} stands twice under "oneOf".`;
      return reportUnsatisfiable(reading, [...at.steps, keyword], message);
    }
    if (!seen.has(choice.value)) seen.set(choice.value, choice);
  }
  return { kind: "choice", ...described, choices: [...seen.values()] };
}

function readValues(reading: Reading, at: SchemaPlace, keyword: string): Choice[] | null {
  const value = at.schema[keyword];
  const values: Json = keyword === "const" ? [value ?? null] : (value ?? null);
  if (!Array.isArray(values) || values.length === 0) {
    reportValue(reading, at, keyword, "give a list with at least one value");
    return null;
  }
  const choices = values.map((one: Json) => toChoice(one, null));
  if (choices.every((choice) => choice !== null)) return choices;
  refuseValue(reading, [...at.steps, keyword]);
  return null;
}

function readBranches(reading: Reading, at: SchemaPlace, keyword: string): Choice[] | null {
  const branches = at.schema[keyword];
  if (!Array.isArray(branches) || branches.length === 0) {
    reportValue(reading, at, keyword, "give a list with at least one schema");
    return null;
  }
  const before = reading.findings.length;
  const choices = branches.flatMap((branch: Json, index): Choice[] => {
    const steps = [...at.steps, keyword, index];
    if (typeof branch !== "object" || branch === null || !("const" in branch)) {
      const message = `An alternative of "${keyword}" without "const" is not supported.`;
      const hint = 'write each alternative as { "const": …, "description": … }';
      report(reading, steps, { code: "contract_unsupported_keyword", message, hint });
      return [];
    }
    const place: SchemaPlace = { schema: branch as SchemaPlace["schema"], steps };
    refuseOthers(reading, place, ["const"]);
    const choice = toChoice(place.schema.const ?? null, readDescription(reading, place));
    if (choice === null) refuseValue(reading, [...steps, "const"]);
    return choice === null ? [] : [choice];
  });
  return reading.findings.length > before ? null : choices;
}

function toChoice(value: Json, description: string | null): Choice | null {
  if (!isScalar(value) || (typeof value === "string" && /\p{Surrogate}/u.test(value))) return null;
  return { value: Object.is(value, -0) ? 0 : value, description };
}

function refuseValue(reading: Reading, steps: SchemaPlace["steps"]): void {
  const code = "contract_unsupported_keyword";
  const message = "A value that is an array, an object or ill-formed text is not supported.";
  report(reading, steps, { code, message, hint: "give texts, numbers, true, false or null" });
}

function isOfType(value: Json, type: Json): boolean {
  if (type === "integer") return Number.isInteger(value);
  return value === null ? type === "null" : typeof value === type;
}
