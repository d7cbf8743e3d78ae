import type { Grammar } from "./ast.ts";
import { type Alternatives, type BodyNode, type Rule, toRuleTable } from "./ast.ts";
import { foldBody, visitBody } from "./fold-body.ts";

/** Which rules each rule leads to, by some meaning of leading. */
export type RuleGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** The names a body refers to. */
function toReferences(body: Alternatives): ReadonlySet<string> {
  const names = new Set<string>();
  visitBody(body, (node) => {
    if (node.kind === "rule-reference") names.add(node.name);
  });
  return names;
}

/** Which rules each rule in force refers to. */
export function toReferenceGraph(grammar: Grammar): RuleGraph {
  return new Map([...toRuleTable(grammar).values()].map((r) => [r.name, toReferences(r.body)]));
}

/** The names that can be reached from one, itself included where it is a rule. */
export function findReachable(graph: RuleGraph, from: string): ReadonlySet<string> {
  const found = new Set<string>(graph.has(from) ? [from] : []);
  for (const name of found) {
    for (const next of graph.get(name) ?? []) if (graph.has(next)) found.add(next);
  }
  return found;
}

/**
 * The strongly connected components of a graph, each after those it leads to (Tarjan, with a stack
 * of its own).
 */
export function toComponents(graph: RuleGraph): readonly (readonly string[])[] {
  const components: string[][] = [];
  const indexes = new Map<string, number>();
  const lows = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const frames: { readonly name: string; readonly successors: Iterator<string> }[] = [];
  const enter = (name: string): void => {
    indexes.set(name, indexes.size);
    lows.set(name, indexes.size - 1);
    open.push(name);
    isOpen.add(name);
    frames.push({ name, successors: (graph.get(name) ?? new Set<string>()).values() });
  };
  const lower = (name: string, low: number): void => {
    lows.set(name, Math.min(lows.get(name) ?? low, low));
  };
  for (const start of graph.keys()) {
    if (!indexes.has(start)) enter(start);
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const { name } = frame;
      const next = frame.successors.next();
      if (next.done !== true) {
        if (!graph.has(next.value)) continue;
        if (!indexes.has(next.value)) enter(next.value);
        else if (isOpen.has(next.value)) lower(name, indexes.get(next.value) ?? 0);
        continue;
      }
      frames.pop();
      const low = lows.get(name) ?? 0;
      const parent = frames.at(-1);
      if (parent !== undefined) lower(parent.name, low);
      if (low !== indexes.get(name)) continue;
      const component: string[] = open.splice(open.lastIndexOf(name));
      for (const member of component) isOpen.delete(member);
      components.push(component);
    }
  }
  return components;
}

/** The shortest way from a name back to itself, both ends included; empty when there is none. */
export function findCycle(graph: RuleGraph, name: string): readonly string[] {
  const cameFrom = new Map<string, string>();
  const queue = [name];
  for (const at of queue) {
    for (const next of graph.get(at) ?? []) {
      if (next === name) {
        const path = [name, at];
        for (let back = at; back !== name; ) {
          back = cameFrom.get(back) ?? name;
          path.push(back);
        }
        return at === name ? [name, name] : path.reverse();
      }
      if (cameFrom.has(next) || !graph.has(next)) continue;
      cameFrom.set(next, at);
      queue.push(next);
    }
  }
  return [];
}

/**
 * The rules of which something holds that a body inherits from the rules it refers to: the least
 * set such that a rule is in it when `holds` says so of its body, given the set.
 */
export function growRuleSet(
  grammar: Grammar,
  holds: (node: BodyNode, values: readonly boolean[], isHeld: (name: string) => boolean) => boolean,
): ReadonlySet<string> {
  const table = toRuleTable(grammar);
  const held = new Set<string>();
  const isHeld = (name: string): boolean => held.has(name);
  // Referred rules come first, so that without recursion one pass is enough.
  const ordered = toComponents(toReferenceGraph(grammar))
    .flat()
    .map((name) => table.get(name))
    .filter((rule): rule is Rule => rule !== undefined);
  for (let grown = true; grown; ) {
    grown = false;
    for (const { name, body } of ordered) {
      if (held.has(name)) continue;
      if (!foldBody<boolean>(body, (node, values) => holds(node, values, isHeld))) continue;
      held.add(name);
      grown = true;
    }
  }
  return held;
}
