import type { Ajv2020, FuncKeywordDefinition } from "ajv/dist/2020.js";
import type { SchemaValidateFunction } from "ajv/dist/types/index.js";
import { type Json, printSortedJson } from "../../text/index.ts";

/** Finds the first item that stands twice; members may come in any order. */
const validate: SchemaValidateFunction = (isUnique: boolean, items: readonly Json[]): boolean => {
  if (!isUnique) return true;
  const places = new Map<string, number>();
  for (const [i, item] of items.entries()) {
    const key = printSortedJson(item);
    const j = places.get(key);
    if (j !== undefined) {
      validate.errors = [{ keyword: "uniqueItems", params: { i, j } }];
      return false;
    }
    places.set(key, i);
  }
  return true;
};

const definition: FuncKeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  errors: true,
  validate,
};

/** Replaces the validator's own `uniqueItems`, which compares every item with every other. */
export function addUniqueItems(ajv: Ajv2020): void {
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword(definition);
}
