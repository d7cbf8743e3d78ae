import type { BodyNode, Grammar } from "./ast.ts";
import { toAppliedBounds } from "./bounds.ts";
import { growRuleSet } from "./rule-graph.ts";

/** The rules that match the empty text. */
export function findNullableRules(grammar: Grammar): ReadonlySet<string> {
  return growRuleSet(grammar, isNullable);
}

/** Whether a node matches the empty text, given whether its children and the rules do. */
function isNullable(
  node: BodyNode,
  values: readonly boolean[],
  isNullableRule: (name: string) => boolean,
): boolean {
  switch (node.kind) {
    case "alternatives":
      return values.includes(true);
    case "sequence":
      return !values.includes(false);
    case "group":
      return values[0] ?? false;
    case "repetition":
      return toAppliedBounds(node).min === 0 || (values[0] ?? false);
    case "rule-reference":
      return isNullableRule(node.name);
    default:
      return false;
  }
}
