import { describe, expect, it } from "vitest";
import {
  alternatives,
  anyCharacter,
  characterClass,
  grammar,
  literal,
  optional,
  parseGrammar,
  printGrammar,
  reference,
  repeat,
  rule,
  sequence,
} from "../../src/grammar/index.ts";
import { withoutSpans } from "./plain-tree.ts";

describe("the builders", () => {
  it("make the tree that the parser makes of the printed text", () => {
    const built = grammar([
      rule("root", sequence('{"topic":', reference("topic"), optional(","), "}")),
      rule("topic", alternatives(repeat(characterClass([["a", "z"], "-"]), 1, 24), "", "ü")),
      rule("rest", repeat(sequence(anyCharacter(), alternatives("a", "b")), 0, null)),
      rule("other", characterClass(['"', 0x1f600], { negated: true }), { comments: [" note"] }),
    ]);
    const text = [
      'root ::= "{\\"topic\\":" topic ","? "}"',
      'topic ::= [a-z-]{1,24} | "" | "ü"',
      'rest ::= (. ("a" | "b"))*',
      "# note",
      'other ::= [^"😀]',
      "",
    ].join("\n");
    expect(printGrammar(built)).toBe(text);
    expect(withoutSpans(parseGrammar(text))).toEqual(withoutSpans(built));
  });

  it("leave nothing of an empty literal", () => {
    expect(sequence("", literal(""), "a")).toEqual(sequence("a"));
    expect(alternatives(sequence(), "a").sequences.map(({ items }) => items.length)).toEqual([
      0, 1,
    ]);
  });

  it("put a repetition of a repetition in parentheses, which llama.cpp takes", () => {
    const text = printGrammar(grammar([rule("root", repeat(repeat("a", 0, null), 0, null))]));
    expect(text).toBe('root ::= ("a"*)*\n');
  });

  it.each([
    ["grammar_invalid_name", () => rule("a_b", "x")],
    ["grammar_invalid_name", () => reference("")],
    ["grammar_empty_class", () => characterClass([])],
    ["grammar_invalid_character", () => characterClass(["ab"])],
    ["grammar_invalid_bounds", () => repeat("a", 3, 2)],
    ["grammar_invalid_bounds", () => repeat("a", -1, null)],
    ["grammar_nothing_to_repeat", () => repeat("", 0, null)],
    ["grammar_no_alternative", () => alternatives()],
  ])("refuse with %s", (code, build) => {
    expect(build).toThrow(expect.objectContaining({ code }));
  });
});
