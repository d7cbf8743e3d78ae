import {
  type Alternatives,
  alternatives,
  type Grammar,
  grammar,
  type Item,
  type Part,
  type Rule,
  reference,
  repeat,
  rule,
  sequence,
} from "../../grammar/index.ts";

/** Rules in the making: names are given out once, rules keep the order of their names. */
export interface GrammarWriter {
  readonly bodies: Map<string, Part | null>;
  readonly shared: Map<string, string>;
  /** The last number given to each wanted name. */
  readonly counts: Map<string, number>;
}

export function createGrammarWriter(): GrammarWriter {
  return { bodies: new Map(), shared: new Map(), counts: new Map() };
}

/** The finished grammar. */
export function toGrammar(writer: GrammarWriter): Grammar {
  const rules = [...writer.bodies].map(([name, body]): Rule => rule(name, body ?? ""));
  return grammar(rules);
}

/** Adds a rule under the wanted name, or that name with a number; `make` is told the name. */
export function addRule(writer: GrammarWriter, wanted: string, make: (name: string) => Part): Part {
  let name = wanted;
  while (writer.bodies.has(name)) {
    const count = (writer.counts.get(wanted) ?? 1) + 1;
    writer.counts.set(wanted, count);
    name = `${wanted}-${count}`;
  }
  // The place is taken before the body is made, so a rule stands before those it mentions.
  writer.bodies.set(name, null);
  writer.bodies.set(name, make(name));
  return reference(name);
}

/** A reference to the one rule that has this key, added when first asked for. */
export function shareRule(
  writer: GrammarWriter,
  key: string,
  wanted: string,
  make: (name: string) => Part,
): Part {
  const known = writer.shared.get(key);
  if (known !== undefined) return reference(known);
  return addRule(writer, wanted, (name) => {
    writer.shared.set(key, name);
    return make(name);
  });
}

/** llama.cpp v0.4.0 refuses a bound of 2,000 and drops a higher one without a word. */
const largestCount = 1_999;
const block = 1_000;

/**
 * A unit (a class or a reference) from `min` to `max` times, `null` without end, within the limits
 * of llama.cpp: larger counts become repetitions of a rule that is itself a repetition. No text has
 * two derivations, and the number of stacks does not grow with the count.
 */
export function repeatUnit(
  writer: GrammarWriter,
  unit: Part,
  min: number,
  max: number | null,
  name: string,
): Part {
  if (min === 1 && max === 1) return unit;
  if ((max ?? min) <= largestCount) return repeat(unit, min, max);
  if (max === min) return exactly(writer, unit, min, name);
  const rest = max === null ? repeat(unit, 0, null) : upTo(writer, unit, max - min, name);
  return min === 0 ? rest : sequence(exactly(writer, unit, min, name), rest);
}

function exactly(writer: GrammarWriter, unit: Part, count: number, name: string): Part {
  if (count === 0) return "";
  if (count === 1) return unit;
  if (count <= largestCount) return repeat(unit, count, count);
  const inner = toBlock(writer, unit, name);
  const blocks = exactly(writer, inner, Math.floor(count / block), `${name}-block`);
  return sequence(blocks, exactly(writer, unit, count % block, name));
}

/** Whole blocks and less than one block more, or all whole blocks and what is left of the bound. */
function upTo(writer: GrammarWriter, unit: Part, count: number, name: string): Part {
  if (count === 0) return "";
  if (count <= largestCount) return repeat(unit, 0, count);
  const inner = toBlock(writer, unit, name);
  const blocks = Math.floor(count / block);
  const last = count % block;
  return alternatives(
    sequence(upTo(writer, inner, blocks - 1, `${name}-block`), repeat(unit, 0, block - 1)),
    sequence(
      exactly(writer, inner, blocks, `${name}-block`),
      last === 0 ? "" : repeat(unit, 0, last),
    ),
  );
}

function toBlock(writer: GrammarWriter, unit: Part, name: string): Part {
  const key = `block ${JSON.stringify(unit)}`;
  return shareRule(writer, key, `${name}-block`, () => repeat(unit, block, block));
}

/** Parts one after the other, however many, with neighbouring literals as one. */
export function joinParts(parts: readonly Part[]): Part {
  const items: Item[] = [];
  let text: number[] | null = null;
  for (const part of parts) {
    for (const item of sequence(part).items) {
      if (item.kind !== "literal") {
        text = null;
        items.push(item);
        continue;
      }
      if (text === null) {
        text = [];
        items.push({ kind: "literal", codePoints: text });
      }
      for (const codePoint of item.codePoints) text.push(codePoint);
    }
  }
  return { kind: "sequence", items };
}

/** Parts of which one matches, however many there are. */
export function joinAlternatives(parts: readonly Part[]): Alternatives {
  return { kind: "alternatives", sequences: parts.flatMap((part) => alternatives(part).sequences) };
}

/** A rule name from any text: kebab-case, ASCII letters and digits only. */
export function toRuleName(text: string): string {
  const name = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/^-|-$/g, "");
  return name === "" ? "value" : name;
}
