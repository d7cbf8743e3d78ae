import { type Expression, type LengthRange, toLengthRange } from "./expression.ts";

/** Texts are written out, to tell equal ones apart, up to this many and up to this long. */
const mostListed = 1_000;

/**
 * How many texts within some lengths an expression without anchors matches. Few and short ones are
 * counted exactly; of others it is the number of ways to match, whatever the length, which is never
 * less. Beyond `Number.MAX_SAFE_INTEGER` it is infinite.
 */
export function countTexts(expression: Expression, { min, max }: LengthRange): number {
  const ways = countWays(expression);
  const longest = toLengthRange(expression).max;
  if (ways > mostListed || longest === null || longest > mostListed) return ways;
  return [...listTexts(expression)].filter((text) => {
    const { length } = [...text];
    return min <= length && (max === null || length <= max);
  }).length;
}

/** How many lists of `min` to `max` items there are, where an item is one of `count` values. */
export function countLists(count: number, min: number, max: number | null): number {
  if (max === 0) return 1;
  if (count === 0) return min === 0 ? 1 : 0;
  if (max === null) return Number.POSITIVE_INFINITY;
  if (count === 1) return toCount(max - min + 1);
  let sum = 0;
  let lists = count ** min;
  for (let length = min; length <= max && Number.isSafeInteger(sum); length += 1) {
    sum += lists;
    lists *= count;
  }
  return toCount(sum);
}

/** A count, or infinity for what a double cannot count. */
export function toCount(count: number): number {
  return count > Number.MAX_SAFE_INTEGER ? Number.POSITIVE_INFINITY : count;
}

function countWays(expression: Expression): number {
  switch (expression.kind) {
    case "set":
      return expression.set.reduce((sum, [first, last]) => sum + last - first + 1, 0);
    case "sequence":
      return expression.items.reduce((product, item) => toCount(product * countWays(item)), 1);
    case "alternatives":
      return expression.items.reduce((sum, item) => toCount(sum + countWays(item)), 0);
    case "repeat":
      return countLists(countWays(expression.item), expression.min, expression.max);
    default:
      return 1;
  }
}

function listTexts(expression: Expression): ReadonlySet<string> {
  switch (expression.kind) {
    case "set":
      return new Set(
        expression.set.flatMap(([first, last]) =>
          Array.from({ length: last - first + 1 }, (_, index) =>
            String.fromCodePoint(first + index),
          ),
        ),
      );
    case "sequence":
      return expression.items.map(listTexts).reduce(joinTexts, new Set([""]));
    case "alternatives":
      return new Set(expression.items.flatMap((item) => [...listTexts(item)]));
    case "repeat": {
      const item = listTexts(expression.item);
      const all = new Set<string>();
      let texts: ReadonlySet<string> = new Set([""]);
      for (let count = 0; count <= (expression.max ?? 0); count += 1) {
        if (count >= expression.min) for (const text of texts) all.add(text);
        texts = joinTexts(texts, item);
      }
      return all;
    }
    default:
      return new Set([""]);
  }
}

function joinTexts(before: ReadonlySet<string>, after: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...before].flatMap((text) => [...after].map((more) => text + more)));
}
