import { intersect, scalarValues, toCodePointSet, toSetKey } from "./code-points.ts";
import { type Expression, emptyExpression as empty, toLengthRange, toRun } from "./expression.ts";

/** A simplified expression; or nothing matches; or it would grow too large. */
export type Simplified =
  | { readonly kind: "simplified"; readonly expression: Expression }
  | { readonly kind: "nothing" | "too-large" };

/** Taking the empty text out of a repeated part can square its size. */
const largestNullable = 500;

class TooLarge {}

/**
 * An equal expression in a form a grammar can take: flat sequences, no surrogates, neighbours of
 * one class joined, no repetition of something that may be empty (llama.cpp refuses those as left
 * recursion).
 */
export function simplifyExpression(expression: Expression): Simplified {
  try {
    const simplified = simplify(expression);
    if (simplified === null) return { kind: "nothing" };
    return { kind: "simplified", expression: simplified };
  } catch (thrown) {
    if (thrown instanceof TooLarge) return { kind: "too-large" };
    throw thrown;
  }
}

/** Null when nothing matches. */
function simplify(expression: Expression): Expression | null {
  switch (expression.kind) {
    case "set": {
      const set = intersect(expression.set, scalarValues);
      return set.length === 0 ? null : { kind: "set", set };
    }
    case "sequence": {
      const items = expression.items.map(simplify);
      if (items.some((item) => item === null)) return null;
      return joinSequence(items.filter((item) => item !== null));
    }
    case "alternatives":
      return joinAlternatives(expression.items.map(simplify).filter((item) => item !== null));
    case "repeat": {
      const { min, max } = expression;
      const item = max === 0 ? empty : simplify(expression.item);
      if (item === null) return min === 0 ? empty : null;
      if (toLengthRange(item).max === 0) return empty;
      if (max === 1 && min === 1) return item;
      if (toLengthRange(item).min > 0) return { kind: "repeat", item, min, max };
      if (countNodes(item) > largestNullable) throw new TooLarge();
      const filled = toNonEmpty(item);
      if (filled === null) return empty;
      return simplify({ kind: "repeat", item: filled, min: 0, max });
    }
    default:
      return expression;
  }
}

function joinSequence(items: readonly Expression[]): Expression {
  const joined: Expression[] = [];
  for (const item of items.flatMap((one) => (one.kind === "sequence" ? one.items : [one]))) {
    const previous = joined.at(-1);
    const run = previous === undefined ? null : joinRun(previous, item);
    if (run === null) joined.push(item);
    else joined[joined.length - 1] = run;
  }
  const only = joined.length === 1 ? joined[0] : undefined;
  return only ?? { kind: "sequence", items: joined };
}

/** `a{m,n}` and `a{p,q}` side by side are `a{m+p,n+q}`. */
function joinRun(a: Expression, b: Expression): Expression | null {
  const left = toRun(a);
  const right = toRun(b);
  if (left === null || right === null || toSetKey(left.set) !== toSetKey(right.set)) return null;
  // Fixed text such as "foo" stays text.
  if (a.kind === "set" && b.kind === "set") return null;
  const max = left.max === null || right.max === null ? null : left.max + right.max;
  const item: Expression = { kind: "set", set: left.set };
  return { kind: "repeat", item, min: left.min + right.min, max };
}

function joinAlternatives(items: readonly Expression[]): Expression | null {
  const flat = items.flatMap((one) => (one.kind === "alternatives" ? one.items : [one]));
  // Single characters are one class, so that no text has two derivations.
  const ranges = flat.flatMap((one) => (one.kind === "set" ? one.set : []));
  const set: Expression = { kind: "set", set: toCodePointSet(ranges) };
  const others = new Map<string, Expression>();
  for (const one of flat) if (one.kind !== "set") others.set(JSON.stringify(one), one);
  const all = ranges.length === 0 ? [...others.values()] : [set, ...others.values()];
  if (all.length === 0) return null;
  return all.length === 1 ? (all[0] ?? null) : { kind: "alternatives", items: all };
}

/** What an expression matches besides the empty text; null when that is nothing. */
function toNonEmpty(expression: Expression): Expression | null {
  if (toLengthRange(expression).min > 0) return expression;
  if (expression.kind === "repeat") {
    // The item cannot be empty: simplify made it so.
    return { ...expression, min: 1 };
  }
  if (expression.kind === "alternatives") {
    return joinAlternatives(expression.items.map(toNonEmpty).filter((item) => item !== null));
  }
  if (expression.kind !== "sequence") return null;
  const [first, ...rest] = expression.items;
  if (first === undefined) return null;
  const tail = joinSequence(rest);
  const filled = toNonEmpty(first);
  const filledTail = toNonEmpty(tail);
  const ways = filled === null ? [] : [joinSequence([filled, tail])];
  return joinAlternatives(filledTail === null ? ways : [...ways, filledTail]);
}

function countNodes(expression: Expression): number {
  if (expression.kind === "repeat") return 1 + countNodes(expression.item);
  if (expression.kind !== "sequence" && expression.kind !== "alternatives") return 1;
  return expression.items.reduce((sum, item) => sum + countNodes(item), 1);
}
