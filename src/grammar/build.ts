import { IncipitError } from "../text/index.ts";
import type {
  Alternatives,
  AnyCharacter,
  CharacterClass,
  CharacterRange,
  Grammar,
  Item,
  Literal,
  Repetition,
  Rule,
  RuleReference,
  Sequence,
} from "./ast.ts";

/** What the builders take: a tree, or a text that stands for its literal. */
export type Part = Item | Sequence | Alternatives | string;

/** The text itself. `literal("")` is nothing, and vanishes in a sequence. */
export function literal(text: string): Literal {
  return { kind: "literal", codePoints: Array.from(text, (character) => toCodePoint(character)) };
}

/** A member of a class: a character, its code point, or a range of either. */
export type ClassMember = string | number | readonly [from: string | number, to: string | number];

/** One character of the members, or any other character when negated. */
export function characterClass(
  members: readonly ClassMember[],
  options: { readonly negated?: boolean } = {},
): CharacterClass {
  if (members.length === 0) {
    throw new IncipitError("grammar_empty_class", "A character class needs at least one member.", {
      hint: 'for the empty text use literal(""), for any character anyCharacter()',
    });
  }
  const ranges = members.map((member): CharacterRange => {
    if (typeof member === "string" || typeof member === "number") {
      const codePoint = toCodePoint(member);
      return [codePoint, codePoint];
    }
    return [toCodePoint(member[0]), toCodePoint(member[1])];
  });
  return { kind: "character-class", negated: options.negated ?? false, ranges };
}

/** Any one character. */
export function anyCharacter(): AnyCharacter {
  return { kind: "any-character" };
}

/** A reference to a rule. */
export function reference(name: string): RuleReference {
  return { kind: "rule-reference", name: checkName(name) };
}

/** Parts one after the other; without parts, the empty text. */
export function sequence(...parts: readonly Part[]): Sequence {
  return { kind: "sequence", items: parts.flatMap(toItems) };
}

/** Parts of which one matches. */
export function alternatives(...parts: readonly Part[]): Alternatives {
  if (parts.length === 0) {
    throw new IncipitError("grammar_no_alternative", "Alternatives need at least one part.");
  }
  return { kind: "alternatives", sequences: parts.flatMap(toSequences) };
}

/** A part at least `min` and at most `max` times; `null` is without bound. */
export function repeat(part: Part, min: number, max: number | null): Repetition {
  const isCount = (count: number): boolean => Number.isSafeInteger(count) && count >= 0;
  if (!isCount(min) || (max !== null && (!isCount(max) || max < min))) {
    throw new IncipitError(
      "grammar_invalid_bounds",
      `Cannot repeat from ${min} to ${max} times: expected whole numbers, the first not larger.`,
    );
  }
  const items = toItems(part);
  const only = items.length === 1 ? items[0] : undefined;
  if (items.length === 0) {
    throw new IncipitError("grammar_nothing_to_repeat", "Cannot repeat the empty text.");
  }
  const item: Item =
    only !== undefined && only.kind !== "repetition"
      ? only
      : { kind: "group", body: alternatives(sequence(...items)) };
  return { kind: "repetition", item, min, max };
}

/** A part or nothing. */
export function optional(part: Part): Repetition {
  return repeat(part, 0, 1);
}

/** A rule. Its name has letters, digits and dashes only: llama.cpp takes no underscore. */
export function rule(
  name: string,
  body: Part,
  options: { readonly comments?: readonly string[] } = {},
): Rule {
  return { kind: "rule", name: checkName(name), body: alternatives(body), ...options };
}

/** A grammar; its start rule is `root`. */
export function grammar(
  rules: readonly Rule[],
  options: { readonly comments?: readonly string[] } = {},
): Grammar {
  return { kind: "grammar", rules, ...options };
}

function toItems(part: Part): readonly Item[] {
  if (typeof part === "string") return part === "" ? [] : [literal(part)];
  if (part.kind === "sequence") return part.items;
  if (part.kind === "literal") return part.codePoints.length === 0 ? [] : [part];
  if (part.kind !== "alternatives") return [part];
  const only = part.sequences.length === 1 ? part.sequences[0] : undefined;
  return only !== undefined ? only.items : [{ kind: "group", body: part }];
}

function toSequences(part: Part): readonly Sequence[] {
  if (typeof part !== "string" && part.kind === "alternatives") return part.sequences;
  return [sequence(part)];
}

function toCodePoint(character: string | number): number {
  if (typeof character === "number") return character;
  const codePoint = character.codePointAt(0);
  if (codePoint === undefined || character.length !== (codePoint > 0xffff ? 2 : 1)) {
    throw new IncipitError(
      "grammar_invalid_character",
      `"${character}" is not one character, as a member of a class must be.`,
    );
  }
  return codePoint;
}

function checkName(name: string): string {
  if (/^[A-Za-z0-9-]+$/.test(name)) return name;
  throw new IncipitError(
    "grammar_invalid_name",
    `"${name}" cannot name a rule: expected letters, digits and dashes.`,
    { hint: `write "${name.replace(/[^A-Za-z0-9-]+/g, "-") || "rule"}"` },
  );
}
