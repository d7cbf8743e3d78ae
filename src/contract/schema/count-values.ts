import { countLists, countTexts, toCount } from "../pattern/count-texts.ts";
import type { Shape } from "./shape.ts";

/**
 * How many values a shape has; never less than there are, and infinite where numbers or endless
 * texts stand in it or where there are more than `Number.MAX_SAFE_INTEGER`.
 */
export function countValues(shape: Shape): number {
  switch (shape.kind) {
    case "null":
      return 1;
    case "boolean":
      return 2;
    case "integer":
    case "number":
      return Number.POSITIVE_INFINITY;
    case "choice":
      return shape.choices.length;
    case "string":
      return countTexts(shape.content, { min: shape.minLength, max: shape.maxLength });
    case "object":
      return shape.properties.reduce(
        (product, { shape: part }) => toCount(product * countValues(part)),
        1,
      );
    case "array": {
      const { items, minItems, maxItems, uniqueItems } = shape;
      if (maxItems === 0) return 1;
      const count = countValues(items);
      return uniqueItems
        ? countSelections(count, minItems, maxItems)
        : countLists(count, minItems, maxItems);
    }
  }
}

/** How many lists of `min` to `max` different items there are, of `count` values. */
function countSelections(count: number, min: number, max: number | null): number {
  const longest = Math.min(count, max ?? count);
  let sum = 0;
  let lists = 1;
  for (let length = 0; length <= longest; length += 1) {
    // A longer list only leaves more of them.
    if (!Number.isSafeInteger(lists)) return Number.POSITIVE_INFINITY;
    if (length >= min) sum += lists;
    lists *= count - length;
  }
  return toCount(sum);
}
