import { type BodyNode, type CharacterRange, type Grammar, toRuleTable } from "../ast.ts";
import { toAppliedBounds } from "../bounds.ts";
import { isTextCharacter, toCharacters } from "../characters.ts";
import { foldBody } from "../fold-body.ts";
import { findNullableRules } from "../nullable.ts";
import { toComponents, toReferenceGraph } from "../rule-graph.ts";
import type { ClassSet, ClassSets } from "./alphabet.ts";

/** What can be read first in a piece of a grammar, and whether it may read nothing. */
export interface Start {
  readonly first: ClassSet;
  readonly isNullable: boolean;
}

/** How the start of a node comes from those of its children and of the rules. */
export type ToStart = (node: BodyNode, children: readonly Start[]) => Start;

/** The characters of a terminal that can stand in a text. */
export function toRanges(node: BodyNode): readonly CharacterRange[] {
  switch (node.kind) {
    case "literal":
      return node.codePoints.filter(isTextCharacter).map((point) => [point, point]);
    case "character-class":
    case "any-character":
      return toCharacters(node) ?? [];
    default:
      return [];
  }
}

/** The start of one thing after another. */
export function joinStarts(a: Start, b: Start, sets: ClassSets): Start {
  return a.isNullable
    ? { first: sets.union(a.first, b.first), isNullable: b.isNullable }
    : { first: a.first, isNullable: false };
}

/** Computes the starts of all rules, and gives the function for the nodes in them. */
export function createToStart(grammar: Grammar, sets: ClassSets): ToStart {
  const nullable = findNullableRules(grammar);
  const firsts = new Map<string, ClassSet>();
  const nothing: Start = { first: sets.empty, isNullable: true };
  const toStart: ToStart = (node, children) => {
    const [child = nothing] = children;
    switch (node.kind) {
      case "alternatives":
        return {
          first: children.reduce((set, { first }) => sets.union(set, first), sets.empty),
          isNullable: children.some(({ isNullable }) => isNullable),
        };
      case "sequence":
        return children.reduceRight((rest, start) => joinStarts(start, rest, sets), nothing);
      case "group":
        return { first: child.first, isNullable: child.isNullable };
      case "repetition": {
        const { min, max } = toAppliedBounds(node);
        if (max === 0) return nothing;
        return { first: child.first, isNullable: min === 0 || child.isNullable };
      }
      case "rule-reference": {
        const first = firsts.get(node.name) ?? sets.empty;
        return { first, isNullable: nullable.has(node.name) };
      }
      case "literal": {
        const [point = 0] = node.codePoints;
        const ranges: CharacterRange[] = isTextCharacter(point) ? [[point, point]] : [];
        return { first: sets.ofRanges(ranges), isNullable: false };
      }
      default:
        return { first: sets.ofRanges(toRanges(node)), isNullable: false };
    }
  };
  // First sets grow until they hold. Referred rules come first, so that two passes mostly do.
  const table = toRuleTable(grammar);
  const ordered = toComponents(toReferenceGraph(grammar)).flat();
  for (let grown = true; grown; ) {
    grown = false;
    for (const name of ordered) {
      const body = table.get(name)?.body;
      if (body === undefined) continue;
      const { first } = foldBody<Start>(body, toStart);
      if (first === (firsts.get(name) ?? sets.empty)) continue;
      firsts.set(name, first);
      grown = true;
    }
  }
  return toStart;
}
