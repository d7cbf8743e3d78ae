import { IncipitError } from "../text/index.ts";
import { type BodyNode, type CharacterRange, type Grammar, type Rule, toRuleTable } from "./ast.ts";
import { toAppliedBounds } from "./bounds.ts";
import { isTextCharacter, toCharacters } from "./characters.ts";
import { foldBody } from "./fold-body.ts";
import { createRandom, drawIndex, type Random } from "./random.ts";
import { toComponents, toReferenceGraph } from "./rule-graph.ts";
import { requireTextGrammar } from "./text-grammar.ts";

export interface SampleOptions {
  /** The same seed gives the same texts. */
  readonly seed: number;
  /** How many texts. */
  readonly count: number;
  /** Most code points of a text; 200 when left out. */
  readonly maxLength?: number;
  /** Name of the start rule; `root` when left out. */
  readonly root?: string;
}

/**
 * Makes random texts that a grammar matches, short ones and long ones, with bounds of repetitions
 * and ends of character ranges more often than chance has them.
 *
 * Throws `grammar_no_finished_text` where no text matches, and `grammar_sample_length` where the
 * shortest is longer than `maxLength`.
 */
export function sampleGrammar(grammar: Grammar, options: SampleOptions): readonly string[] {
  const { seed, count, maxLength = 200, root = "root" } = options;
  requireTextGrammar(grammar, root);
  const table = toRuleTable(grammar);
  const costs = toCosts(grammar);
  const body = table.get(root)?.body;
  const shortest = body === undefined ? Number.POSITIVE_INFINITY : toLength(costs.get(body) ?? 0);
  if (body === undefined || !Number.isFinite(shortest)) {
    throw new IncipitError("grammar_no_finished_text", "No finished text matches the grammar.");
  }
  if (shortest > maxLength) {
    const message = `The shortest text has ${shortest} characters, more than ${maxLength} allowed.`;
    throw new IncipitError("grammar_sample_length", message, { hint: "raise maxLength" });
  }
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    // The square makes short texts as frequent as they are telling.
    const most = shortest + Math.floor((maxLength - shortest) * random() ** 2);
    return derive(body, most, table, costs, random);
  });
}

/**
 * What a node costs at least: characters, times `unit`, plus nodes entered, which makes the
 * cheapest way through a recursive rule one that ends.
 */
type Costs = ReadonlyMap<BodyNode, number>;

const unit = 2 ** 22;

function toLength(cost: number): number {
  return Math.floor(cost / unit);
}

function toCosts(grammar: Grammar): Costs {
  const table = toRuleTable(grammar);
  const ordered = toComponents(toReferenceGraph(grammar)).flat();
  const ofRules = new Map<string, number>();
  const ofNodes = new Map<BodyNode, number>();
  for (let shrunk = true; shrunk; ) {
    shrunk = false;
    for (const name of ordered) {
      const rule = table.get(name);
      if (rule === undefined) continue;
      const cost = foldBody<number>(rule.body, (node, costs) => {
        const own = toCost(node, costs, ofRules);
        ofNodes.set(node, own);
        return own;
      });
      if (cost >= (ofRules.get(name) ?? Number.POSITIVE_INFINITY)) continue;
      ofRules.set(name, cost);
      shrunk = true;
    }
  }
  return ofNodes;
}

function toCost(
  node: BodyNode,
  costs: readonly number[],
  ofRules: ReadonlyMap<string, number>,
): number {
  const [child = 0] = costs;
  switch (node.kind) {
    case "alternatives":
      return costs.reduce((least, cost) => Math.min(least, cost), Number.POSITIVE_INFINITY);
    case "sequence":
      return costs.reduce((sum, cost) => sum + cost, 0);
    case "group":
      return child + 1;
    case "repetition": {
      const { min, max } = toAppliedBounds(node);
      if (max !== null && max < min) return Number.POSITIVE_INFINITY;
      return min === 0 ? 1 : min * child + 1;
    }
    case "rule-reference":
      return (ofRules.get(node.name) ?? Number.POSITIVE_INFINITY) + 1;
    case "literal":
      return node.codePoints.every(isTextCharacter)
        ? node.codePoints.length * unit
        : Number.POSITIVE_INFINITY;
    case "character-class":
    case "any-character":
      return toCharacters(node)?.length === 0 ? Number.POSITIVE_INFINITY : unit;
    case "token":
      return Number.POSITIVE_INFINITY;
  }
}

/** Derives one text of at most `most` code points, with a stack of what is still to be derived. */
function derive(
  root: BodyNode,
  most: number,
  table: ReadonlyMap<string, Rule>,
  costs: Costs,
  random: Random,
): string {
  const costOf = (node: BodyNode): number => costs.get(node) ?? 0;
  const codePoints: number[] = [];
  // Characters that may be spent beyond what the cheapest way takes.
  let spare = most - toLength(costOf(root));
  // After so many nodes only the cheapest ways are taken, so that the empty text too has an end.
  let patience = 100 * most + 1000;
  const stack: BodyNode[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    patience -= 1;
    switch (node.kind) {
      case "alternatives": {
        const least = toLength(costOf(node));
        const cheapest = costOf(node);
        const open = node.sequences.filter((sequence) =>
          patience < 0
            ? costOf(sequence) === cheapest
            : toLength(costOf(sequence)) - least <= spare,
        );
        const choice = open[drawIndex(random, open.length)];
        if (choice === undefined) throw new TypeError("No alternative is open.");
        spare -= toLength(costOf(choice)) - least;
        stack.push(choice);
        break;
      }
      case "sequence":
        for (const item of node.items.toReversed()) stack.push(item);
        break;
      case "group":
        stack.push(node.body);
        break;
      case "repetition": {
        const { min, max } = toAppliedBounds(node);
        const length = toLength(costOf(node.item));
        const affordable = length === 0 ? Number.POSITIVE_INFINITY : Math.floor(spare / length);
        const extra =
          patience < 0 ? 0 : drawExtra(random, max === null ? null : max - min, affordable);
        if (extra > 0) spare -= extra * length;
        for (let round = 0; round < min + extra; round += 1) stack.push(node.item);
        break;
      }
      case "rule-reference": {
        const body = table.get(node.name)?.body;
        if (body !== undefined) stack.push(body);
        break;
      }
      case "literal":
        for (const codePoint of node.codePoints) codePoints.push(codePoint);
        break;
      case "character-class":
      case "any-character":
        codePoints.push(drawCharacter(random, toCharacters(node) ?? []));
        break;
      case "token":
        break;
    }
  }
  let text = "";
  for (const codePoint of codePoints) text += String.fromCodePoint(codePoint);
  return text;
}

/** Rounds beyond the minimum: none, all, or a few. */
function drawExtra(random: Random, most: number | null, affordable: number): number {
  const limit = Math.min(most ?? Number.POSITIVE_INFINITY, affordable);
  if (!(limit > 0)) return 0;
  const kind = random();
  if (kind < 0.15) return 0;
  if (kind < 0.3 && limit < 10_000) return limit;
  let extra = 0;
  while (extra < limit && random() < 0.75) extra += 1;
  return extra;
}

const printable: CharacterRange = [0x20, 0x7e];

/** A character of the ranges: mostly a plain one, sometimes any, sometimes the end of a range. */
function drawCharacter(random: Random, ranges: readonly CharacterRange[]): number {
  const plain = ranges
    .map(([from, to]): CharacterRange => [Math.max(from, printable[0]), Math.min(to, printable[1])])
    .filter(([from, to]) => from <= to);
  const among = plain.length > 0 && random() < 0.7 ? plain : ranges;
  const [from, to] = among[drawIndex(random, among.length)] ?? printable;
  const kind = random();
  if (kind < 0.1) return from;
  if (kind < 0.2) return to;
  return from + drawIndex(random, to - from + 1);
}
