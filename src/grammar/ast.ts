import type { SourceSpan } from "../text/index.ts";

/**
 * The tree of a GBNF text. Nodes made by the parser carry a span; nodes made by code need none.
 *
 * Three things are normal form, so that printing and parsing are inverse: an empty literal and an
 * empty class (`""`, `[]`) leave no node, an empty alternative is a sequence without items, and
 * `?`, `*`, `+` are repetitions with the bounds they stand for.
 */
export interface Grammar {
  readonly kind: "grammar";
  /** In written order; of two rules with one name the later is in force. */
  readonly rules: readonly Rule[];
  /** Comments after the last rule, without their `#`. */
  readonly comments?: readonly string[];
}

/** `name ::= body`. */
export interface Rule {
  readonly kind: "rule";
  readonly name: string;
  readonly body: Alternatives;
  /** Comments before the rule and within it, without their `#`. */
  readonly comments?: readonly string[];
  readonly span?: SourceSpan;
  readonly nameSpan?: SourceSpan;
}

/** Sequences of which one matches; at least one. */
export interface Alternatives {
  readonly kind: "alternatives";
  readonly sequences: readonly Sequence[];
  readonly span?: SourceSpan;
}

/** Items that match one after the other; without items, the empty text. */
export interface Sequence {
  readonly kind: "sequence";
  readonly items: readonly Item[];
  readonly span?: SourceSpan;
}

export type Item =
  | Literal
  | CharacterClass
  | AnyCharacter
  | RuleReference
  | Group
  | Repetition
  | TokenItem;

/** Code points one after the other; in a tree never empty. */
export interface Literal {
  readonly kind: "literal";
  /** Code points, because a lone surrogate or a number above U+10FFFF can be written. */
  readonly codePoints: readonly number[];
  readonly span?: SourceSpan;
}

/** First and last code point; `from` above `to` is empty. */
export type CharacterRange = readonly [from: number, to: number];

/** One code point in one of the ranges, or in none of them when negated; never without ranges. */
export interface CharacterClass {
  readonly kind: "character-class";
  readonly negated: boolean;
  readonly ranges: readonly CharacterRange[];
  readonly span?: SourceSpan;
}

/** `.`: one code point, line breaks included. */
export interface AnyCharacter {
  readonly kind: "any-character";
  readonly span?: SourceSpan;
}

/** The name of a rule. */
export interface RuleReference {
  readonly kind: "rule-reference";
  readonly name: string;
  readonly span?: SourceSpan;
}

/** Alternatives in parentheses. */
export interface Group {
  readonly kind: "group";
  readonly body: Alternatives;
  readonly span?: SourceSpan;
}

/** The item at least `min` and at most `max` times; `null` is without bound. */
export interface Repetition {
  readonly kind: "repetition";
  /** A repetition directly within a repetition is what chained quantifiers mean. */
  readonly item: Item;
  readonly min: number;
  readonly max: number | null;
  readonly span?: SourceSpan;
}

/** One token of a vocabulary: `<[1000]>`, `<think>`. */
export interface TokenItem {
  readonly kind: "token";
  /** Any one token but this. */
  readonly negated: boolean;
  /** As written, from `<` to `>`. */
  readonly text: string;
  readonly span?: SourceSpan;
}

/** A node that can stand in the body of a rule. */
export type BodyNode = Alternatives | Sequence | Item;

/** The rules in force by name: of two with one name the later. */
export function toRuleTable(grammar: Grammar): ReadonlyMap<string, Rule> {
  return new Map(grammar.rules.map((rule) => [rule.name, rule]));
}
