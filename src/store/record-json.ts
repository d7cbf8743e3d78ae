import { IncipitError, type Json, printCanonicalJson } from "../text/index.ts";

const deepest = 1000;

/**
 * Prints a value as JSON that reads back as the same value, or throws `store_invalid_record` naming
 * the place that JSON cannot carry: `JSON.stringify` alone turns NaN into null and a date into text.
 * A lone surrogate is written as an escape, so it survives a UTF-8 database.
 */
export function printRecordJson(value: Json, place: string): string {
  checkValue(value, place, 0);
  return printCanonicalJson(value);
}

/** Reads what `printRecordJson` wrote; throws `store_corrupt` if it is not JSON. */
export function parseRecordJson(text: string, place: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw new IncipitError("store_corrupt", `The stored text of ${place} is not JSON.`, { cause });
  }
}

function checkValue(value: unknown, place: string, depth: number): void {
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) refuse(place, `is ${value}, which is not a JSON number`);
    return;
  }
  if (typeof value !== "object") refuse(place, `is of type ${typeof value}, expected a JSON value`);
  if (depth >= deepest) refuse(place, `is nested more than ${deepest} levels deep`);
  if (Array.isArray(value)) {
    // By index: `forEach` would pass over a hole.
    for (let index = 0; index < value.length; index += 1) {
      checkValue(value[index], `${place}/${index}`, depth + 1);
    }
    return;
  }
  if (!isPlain(value)) refuse(place, "is an instance of a class, expected plain data");
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    checkValue(member, `${place}/${toPointerToken(key)}`, depth + 1);
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // The second test takes the `Object.prototype` of any realm.
  const plain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return plain && typeof (value as { toJSON?: unknown }).toJSON !== "function";
}

/** RFC 6901. */
function toPointerToken(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function refuse(place: string, what: string): never {
  throw new IncipitError("store_invalid_record", `The run's "${place}" ${what}.`);
}
