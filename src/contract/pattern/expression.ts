import type { CodePointSet } from "./code-points.ts";

/**
 * A regular expression over code points. `max` null means without end. `start` and `end` are the
 * anchors `^` and `$`; after `toWholeExpression` there are none.
 */
export type Expression =
  | { readonly kind: "set"; readonly set: CodePointSet }
  | { readonly kind: "sequence"; readonly items: readonly Expression[] }
  | { readonly kind: "alternatives"; readonly items: readonly Expression[] }
  | {
      readonly kind: "repeat";
      readonly item: Expression;
      readonly min: number;
      readonly max: number | null;
    }
  | { readonly kind: "start" }
  | { readonly kind: "end" };

/** How many code points a matching text has; `max` null means any number. */
export interface LengthRange {
  readonly min: number;
  readonly max: number | null;
}

/** What matches the empty text only. */
export const emptyExpression: Expression = { kind: "sequence", items: [] };

/** The lengths of the texts that an expression without anchors matches. */
export function toLengthRange(expression: Expression): LengthRange {
  switch (expression.kind) {
    case "set":
      return { min: 1, max: 1 };
    case "sequence":
      return expression.items.map(toLengthRange).reduce(
        (sum, one) => ({
          min: sum.min + one.min,
          max: sum.max === null || one.max === null ? null : sum.max + one.max,
        }),
        { min: 0, max: 0 },
      );
    case "alternatives":
      return expression.items.map(toLengthRange).reduce((all, one) => ({
        min: Math.min(all.min, one.min),
        max: all.max === null || one.max === null ? null : Math.max(all.max, one.max),
      }));
    case "repeat": {
      const one = toLengthRange(expression.item);
      if (one.max === 0) return { min: 0, max: 0 };
      const max = one.max === null || expression.max === null ? null : one.max * expression.max;
      return { min: one.min * expression.min, max };
    }
    default:
      return { min: 0, max: 0 };
  }
}

/**
 * The expression without its anchors, when every way through it begins with `^`, ends with `$` and
 * has no anchor between; null otherwise.
 */
export function toWholeExpression(expression: Expression): Expression | null {
  const started = stripEdge(expression, "start");
  const whole = started === null ? null : stripEdge(started, "end");
  return whole === null || hasAnchor(whole) ? null : whole;
}

function stripEdge(expression: Expression, edge: "start" | "end"): Expression | null {
  if (expression.kind === edge) return emptyExpression;
  if (expression.kind === "alternatives") {
    const items = expression.items.map((item) => stripEdge(item, edge));
    return items.some((item) => item === null)
      ? null
      : { kind: "alternatives", items: items.filter((item) => item !== null) };
  }
  if (expression.kind === "sequence") {
    const at = edge === "start" ? 0 : expression.items.length - 1;
    const outer = expression.items[at];
    const stripped = outer === undefined ? null : stripEdge(outer, edge);
    return stripped === null
      ? null
      : { kind: "sequence", items: expression.items.with(at, stripped) };
  }
  return null;
}

function hasAnchor(expression: Expression): boolean {
  if (expression.kind === "start" || expression.kind === "end") return true;
  if (expression.kind === "repeat") return hasAnchor(expression.item);
  return expression.kind !== "set" && expression.items.some(hasAnchor);
}

/** A single class repeated. */
export interface Run extends LengthRange {
  readonly set: CodePointSet;
}

/** The expression as one class repeated, or null when it is more than that. */
export function toRun(expression: Expression): Run | null {
  if (expression.kind === "set") return { set: expression.set, min: 1, max: 1 };
  if (expression.kind !== "repeat" || expression.item.kind !== "set") return null;
  return { set: expression.item.set, min: expression.min, max: expression.max };
}
