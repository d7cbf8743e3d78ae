import type { BodyNode, Grammar } from "../ast.ts";
import { toRuleTable } from "../ast.ts";
import { toAppliedBounds } from "../bounds.ts";
import { foldBody } from "../fold-body.ts";
import type { RuleGraph } from "../rule-graph.ts";

/** What stands leftmost in a node. */
interface Leftmost {
  /** Rules that may be entered before a character is read, as a tree of lists. */
  readonly names: Names;
  /** What follows the node may be leftmost as well. */
  readonly passes: boolean;
  /** As llama.cpp writes it out, the node has no element at all. */
  readonly isBlank: boolean;
}

type Names = string | readonly Names[];

/** When leftmost goes on past a reference or a group: when it matches the empty text. */
export type Emptiness = "full" | "engine";

/**
 * Which rules each rule may enter before it reads a character. `full` knows all rules that match
 * the empty text. `engine` is what llama.cpp sees: a rule, a group, or a repetition only counts as
 * empty when one of its own alternatives has nothing in it.
 */
export function toLeftmostGraph(
  grammar: Grammar,
  emptiness: Emptiness,
  nullable: ReadonlySet<string>,
): RuleGraph {
  const rules = [...toRuleTable(grammar).values()];
  const passing = emptiness === "full" ? nullable : findDirectlyEmpty(grammar);
  return new Map(
    rules.map((rule) => [
      rule.name,
      flatten(foldBody<Leftmost>(rule.body, toLeftmost(emptiness, passing)).names),
    ]),
  );
}

/** The rules of which an alternative has no element. */
export function findDirectlyEmpty(grammar: Grammar): ReadonlySet<string> {
  const rules = [...toRuleTable(grammar).values()];
  const nothing = toLeftmost("engine", new Set());
  return new Set(
    rules.filter((rule) => foldBody<Leftmost>(rule.body, nothing).isBlank).map((rule) => rule.name),
  );
}

/** Combines what is leftmost in the children of a node. */
export function toLeftmost(
  emptiness: Emptiness,
  passing: ReadonlySet<string>,
): (node: BodyNode, values: readonly Leftmost[]) => Leftmost {
  return (node, values) => {
    switch (node.kind) {
      case "alternatives":
        return {
          names: values.map((value) => value.names),
          passes: values.some((value) => value.passes),
          isBlank: values.some((value) => value.isBlank),
        };
      case "sequence": {
        const stop = values.findIndex((value) => !value.passes);
        const open = stop < 0 ? values : values.slice(0, stop + 1);
        return {
          names: open.map((value) => value.names),
          passes: stop < 0,
          isBlank: values.every((value) => value.isBlank),
        };
      }
      case "group": {
        const [body] = values;
        const passes = (emptiness === "full" ? body?.passes : body?.isBlank) ?? false;
        return { names: body?.names ?? [], passes, isBlank: false };
      }
      case "repetition": {
        const { min, max } = toAppliedBounds(node);
        if (max === 0) return { names: [], passes: true, isBlank: true };
        const passes = min === 0 || (values[0]?.passes ?? false);
        return { names: values[0]?.names ?? [], passes, isBlank: false };
      }
      case "rule-reference":
        return { names: node.name, passes: passing.has(node.name), isBlank: false };
      default:
        return { names: [], passes: false, isBlank: false };
    }
  };
}

function flatten(names: Names): ReadonlySet<string> {
  const flat = new Set<string>();
  const work = [names];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    if (typeof next === "string") flat.add(next);
    else for (const part of next.toReversed()) work.push(part);
  }
  return flat;
}
