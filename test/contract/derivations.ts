import {
  type Alternatives,
  type Grammar,
  type Item,
  type Sequence,
  toRuleTable,
} from "../../src/grammar/index.ts";

/** Counts in how many ways a grammar without left recursion derives a text. For short texts. */
export function countDerivations(grammar: Grammar, text: string): number {
  const rules = toRuleTable(grammar);
  const points = [...text].map((character) => character.codePointAt(0) ?? 0);
  const memo = new Map<string, ReadonlyMap<number, number>>();

  /** End positions of what a rule derives from a start, with the number of ways. */
  const ofRule = (name: string, start: number): ReadonlyMap<number, number> => {
    const key = `${name} ${start}`;
    const known = memo.get(key);
    if (known !== undefined) return known;
    const body = rules.get(name)?.body;
    const ends = body === undefined ? new Map<number, number>() : ofAlternatives(body, start);
    memo.set(key, ends);
    return ends;
  };

  const ofAlternatives = (body: Alternatives, start: number): Map<number, number> => {
    const ends = new Map<number, number>();
    for (const sequence of body.sequences) add(ends, ofSequence(sequence, start), 1);
    return ends;
  };

  const ofSequence = ({ items }: Sequence, start: number): ReadonlyMap<number, number> => {
    let ends: ReadonlyMap<number, number> = new Map([[start, 1]]);
    for (const item of items) ends = follow(item, ends);
    return ends;
  };

  const follow = (item: Item, starts: ReadonlyMap<number, number>): Map<number, number> => {
    const ends = new Map<number, number>();
    for (const [start, ways] of starts) add(ends, ofItem(item, start), ways);
    return ends;
  };

  const ofItem = (item: Item, start: number): ReadonlyMap<number, number> => {
    switch (item.kind) {
      case "literal": {
        const fits = item.codePoints.every((point, index) => points[start + index] === point);
        return fits ? new Map([[start + item.codePoints.length, 1]]) : new Map();
      }
      case "character-class": {
        const point = points[start];
        if (point === undefined) return new Map();
        const isIn = item.ranges.some(([from, to]) => from <= point && point <= to);
        return isIn === item.negated ? new Map() : new Map([[start + 1, 1]]);
      }
      case "rule-reference":
        return ofRule(item.name, start);
      case "group":
        return ofAlternatives(item.body, start);
      case "repetition": {
        const ends = new Map<number, number>();
        let starts: ReadonlyMap<number, number> = new Map([[start, 1]]);
        for (let count = 0; starts.size > 0; count += 1) {
          if (count >= item.min) add(ends, starts, 1);
          if (count === item.max) break;
          starts = follow(item.item, starts);
        }
        return ends;
      }
      default:
        throw new Error(`no derivations of ${item.kind}`);
    }
  };

  return ofRule("root", 0).get(points.length) ?? 0;
}

function add(sums: Map<number, number>, more: ReadonlyMap<number, number>, factor: number): void {
  for (const [end, ways] of more) sums.set(end, (sums.get(end) ?? 0) + ways * factor);
}
