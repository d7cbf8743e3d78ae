import { hasCodePoint } from "./code-points.ts";
import { type Expression, type Run, toRun } from "./expression.ts";

/** Positions in a text, ascending. */
type Positions = readonly number[];

/**
 * Tells whether an expression without anchors matches a whole text. It follows all ways at once
 * instead of trying one after the other, so no pair of pattern and text takes exponential time, as
 * `^(a+)+$` does with the host's own regular expressions.
 */
export function matchesWhole(expression: Expression, text: string): boolean {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return follow(expression, points, [0]).includes(points.length);
}

/** Where a match can end that begins at one of the starts. */
function follow(expression: Expression, points: readonly number[], starts: Positions): Positions {
  if (starts.length === 0) return starts;
  const run = toRun(expression);
  if (run !== null) return followRun(run, points, starts);
  switch (expression.kind) {
    case "sequence":
      return expression.items.reduce((ends, item) => follow(item, points, ends), starts);
    case "alternatives":
      return merge(expression.items.flatMap((item) => follow(item, points, starts)));
    case "repeat":
      return followRepeat(expression, points, starts);
    default:
      return starts;
  }
}

/** A class repeated: from each start as far as the characters belong to it. */
function followRun(
  { set, min, max }: Run,
  points: readonly number[],
  starts: Positions,
): Positions {
  const ends: number[] = [];
  let reach = 0;
  for (const start of starts) {
    // Starts ascend, so the stretch of the last one goes on to hold.
    reach = Math.max(reach, start);
    const limit = Math.min(points.length, max === null ? points.length : start + max);
    for (let point = points[reach]; reach < limit && point !== undefined; point = points[reach]) {
      if (!hasCodePoint(set, point)) break;
      reach += 1;
    }
    const last = Math.min(reach, limit);
    for (let end = Math.max(start + min, (ends.at(-1) ?? -1) + 1); end <= last; end += 1) {
      ends.push(end);
    }
  }
  return ends;
}

function followRepeat(
  { item, min, max }: Extract<Expression, { kind: "repeat" }>,
  points: readonly number[],
  starts: Positions,
): Positions {
  let current = starts;
  for (let count = 0; count < min && current.length > 0; count += 1) {
    const next = follow(item, points, current);
    // An item that may be empty stands still at last, and would for all the counts that are left.
    if (next.length === current.length && next.every((end, at) => end === current[at])) break;
    current = next;
  }
  // A place reached with fewer repetitions can do all that one reached later can.
  const reached = new Set(current);
  for (let count = min; (max === null || count < max) && current.length > 0; count += 1) {
    current = follow(item, points, current).filter((end) => !reached.has(end));
    for (const end of current) reached.add(end);
  }
  return merge([...reached]);
}

function merge(positions: Positions): Positions {
  return [...new Set(positions)].sort((a, b) => a - b);
}
