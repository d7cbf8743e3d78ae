import type { JsonNode } from "../json/json-node.ts";
import { type ReadJson, readJson } from "../json/json-reader.ts";
import { orderMembers } from "./order-members.ts";
import type { SchemaCheck } from "./schema-check.ts";
import type { ArrayShape } from "./shape.ts";

interface Checks {
  readonly check: SchemaCheck;
  /** Checks one item alone. */
  readonly checkItem: SchemaCheck;
}

interface ReadArray {
  readonly whole: string;
  readonly items: readonly JsonNode[];
  /** Where the first fault of the text stands that leaves it readable. */
  readonly faultAt: number;
}

/** A text whose array is closed, and its items; null when it is no array, cut or whole. */
function readArray(text: string): ReadArray | null {
  let whole = text;
  let read: ReadJson = readJson(text);
  if (read.kind === "unreadable") {
    const end = read.cutAfter?.at(-1);
    if (end === undefined) return null;
    whole = `${text.slice(0, end)}]`;
    read = readJson(whole);
  }
  if (read.kind === "unreadable" || read.node.kind !== "array") return null;
  const starts = read.findings.map(({ span }) => span?.start ?? 0);
  return { whole, items: read.node.items, faultAt: Math.min(whole.length, ...starts) };
}

/** The first items that may stand together: as they were written, and written anew. */
interface Kept {
  /** How many items from the beginning on can stay as they are. */
  readonly begun: number;
  /** The text of every item that is kept when they are written anew. */
  readonly anew: readonly string[];
}

/** Follows the items up to the first wrong one or to `maxItems`; every spelling is checked once. */
function keepItems(array: ReadArray, shape: ArrayShape, checkItem: SchemaCheck): Kept {
  const { whole, items, faultAt } = array;
  const most = shape.maxItems ?? items.length;
  const spellings = new Set<string>();
  const values = new Set<string>();
  const anew: string[] = [];
  let begun = 0;
  for (const [index, { start, end }] of items.entries()) {
    if (anew.length >= most) break;
    const text = whole.slice(start, end);
    let isNew = !spellings.has(text);
    if (isNew) {
      const checked = checkItem(text);
      if (checked.kind === "refused") break;
      spellings.add(text);
      const value = JSON.stringify(orderMembers(shape.items, checked.value));
      isNew = !values.has(value);
      values.add(value);
    }
    if (shape.uniqueItems && !isNew) continue;
    anew.push(text);
    if (begun === index && end <= faultAt) begun += 1;
  }
  return { begun, anew };
}

/**
 * Mends an array that was cut or that repeats itself: its first whole items, closed, or each
 * whole item once, whichever is longer and passes the check. Null when the text is no array or
 * nothing acceptable is left: an empty array would claim that there was nothing to write. The work
 * grows with the length of the text: every item is checked by itself, the result once.
 */
export function repairArray(text: string, shape: ArrayShape, checks: Checks): string | null {
  const array = readArray(text);
  if (array === null) return null;
  const { begun, anew } = keepItems(array, shape, checks.checkItem);
  if (anew.length === 0) return null;
  const isBegun = begun === anew.length;
  const end = array.items[begun - 1]?.end;
  const mended = isBegun ? `${array.whole.slice(0, end)}]` : `[${anew.join(",")}]`;
  return checks.check(mended).kind === "accepted" ? mended : null;
}
