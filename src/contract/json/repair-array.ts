import type { CheckedOutput } from "../contract.ts";
import type { JsonNode } from "./json-node.ts";
import { readJson } from "./json-reader.ts";

/** The most shortened texts that are tried. */
const maxTries = 64;

type Check = (text: string) => CheckedOutput;

interface Mended {
  readonly text: string;
  readonly count: number;
}

/** The longest of the texts for 1 to `most` items that is acceptable. */
function findLongest(most: number, print: (count: number) => string, check: Check): Mended | null {
  for (let count = most; count > Math.max(0, most - maxTries); count -= 1) {
    const text = print(count);
    if (check(text).kind === "accepted") return { text, count };
  }
  return null;
}

/** A text whose array is closed, and its items; null when it is no array, cut or whole. */
function readArray(text: string): { whole: string; items: readonly JsonNode[] } | null {
  const read = readJson(text);
  if (read.kind === "unreadable") {
    const end = read.cutAfter?.at(-1);
    return end === undefined ? null : readArray(`${text.slice(0, end)}]`);
  }
  return read.node.kind === "array" ? { whole: text, items: read.node.items } : null;
}

/**
 * Mends an array that was cut or that repeats itself: its first whole items, closed, or each
 * whole item once, whichever is longer and passes the check. Null when the text is no array or
 * nothing acceptable is left: an empty array would claim that there was nothing to write.
 */
export function repairArray(text: string, check: Check): string | null {
  if (check(text).kind === "accepted") return text;
  const array = readArray(text);
  if (array === null) return null;
  const { whole, items } = array;
  const values = items.map(({ start, end }) => JSON.stringify(JSON.parse(whole.slice(start, end))));
  const distinct = items
    .filter((_, index) => values.indexOf(values[index] ?? "") === index)
    .map(({ start, end }) => whole.slice(start, end));
  const begun = findLongest(
    items.length,
    (count) => `${whole.slice(0, items[count - 1]?.end)}]`,
    check,
  );
  const once = findLongest(
    distinct.length,
    (count) => `[${distinct.slice(0, count).join(",")}]`,
    check,
  );
  if (begun === null || once === null) return (begun ?? once)?.text ?? null;
  return once.count > begun.count ? once.text : begun.text;
}
