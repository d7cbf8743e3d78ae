import { type Cursor, peek, quoteAt, take, takeMatch, toFailure } from "./cursor.ts";

/** How often an item is repeated; `null` is without bound. */
export interface Bounds {
  readonly min: number;
  readonly max: number | null;
}

/** quantifier = "*" | "+" | "?" | "{" trail int trail [ "," trail [ int trail ] ] "}" */
export function parseQuantifier(cursor: Cursor, trail: () => void): Bounds {
  if (take(cursor, "*")) return { min: 0, max: null };
  if (take(cursor, "+")) return { min: 1, max: null };
  if (take(cursor, "?")) return { min: 0, max: 1 };
  take(cursor, "{");
  trail();
  const min = parseCount(cursor);
  if (min === null) {
    throw toFailure(cursor, `Expected a number after "{", found ${quoteAt(cursor, cursor.at)}.`, {
      hint: peek(cursor) === "," ? "write the lower bound too: {0,n}" : undefined,
    });
  }
  trail();
  let max: number | null = min;
  if (take(cursor, ",")) {
    trail();
    max = parseCount(cursor);
    if (max !== null) trail();
  }
  if (take(cursor, "}")) return { min, max };
  throw toFailure(cursor, `Expected "}" after the bounds, found ${quoteAt(cursor, cursor.at)}.`);
}

/** int = digit { digit }; a count that 53 bits cannot hold is as good as the largest they can */
function parseCount(cursor: Cursor): number | null {
  const start = cursor.at;
  const digits = takeMatch(cursor, /[0-9]*/y);
  if (digits === "") return null;
  const significant = digits.replace(/^0+/, "");
  if (significant.length > 20 || BigInt(significant || 0) >= 2n ** 64n) {
    throw toFailure(cursor, "This number does not fit 64 bits.", { start });
  }
  return Math.min(Number(significant), Number.MAX_SAFE_INTEGER);
}
