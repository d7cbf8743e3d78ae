import { describe, expect, it } from "vitest";
import { createAcceptor, parseGrammar, sampleGrammar } from "../../src/grammar/index.ts";

describe("sampleGrammar", () => {
  const list = parseGrammar(
    'root ::= "[" item ("," item)* "]"\nitem ::= root | [a-f0-9]{1,4} | ""',
  );

  it("gives the same texts for the same seed, and others for another", () => {
    const first = sampleGrammar(list, { seed: 1, count: 20 });
    expect(sampleGrammar(list, { seed: 1, count: 20 })).toEqual(first);
    expect(sampleGrammar(list, { seed: 2, count: 20 })).not.toEqual(first);
    expect(new Set(first).size).toBeGreaterThan(10);
  });

  it("keeps to the length, and to the grammar", () => {
    const acceptor = createAcceptor(list);
    for (const maxLength of [2, 3, 10, 500]) {
      for (const text of sampleGrammar(list, { seed: 3, count: 200, maxLength })) {
        expect(text.length).toBeLessThanOrEqual(maxLength);
        expect(acceptor.start().accept(text)).toMatchObject({ isComplete: true });
      }
    }
  });

  it("comes to both bounds of a repetition and to every alternative", () => {
    const grammar = parseGrammar('root ::= "a"{2,40} | "b" | c\nc ::= "c" c | ""');
    const texts = sampleGrammar(grammar, { seed: 4, count: 500, maxLength: 60 });
    expect(texts).toContain("aa");
    expect(texts).toContain("a".repeat(40));
    expect(texts).toContain("b");
    expect(texts).toContain("");
    expect(texts.some((text) => text.startsWith("ccc"))).toBe(true);
  });

  it("comes to an end where a rule can call itself without a character", () => {
    const grammar = parseGrammar('root ::= root root root | ""');
    expect(sampleGrammar(grammar, { seed: 5, count: 50 })).toEqual(Array(50).fill(""));
  });

  it("writes no character that a text cannot hold", () => {
    const grammar = parseGrammar('root ::= [^a]{20} ("\\uD800" | "b")');
    for (const text of sampleGrammar(grammar, { seed: 6, count: 300, maxLength: 30 })) {
      expect(text).not.toMatch(/\p{Surrogate}|a/u);
      expect(text.endsWith("b")).toBe(true);
    }
  });

  it("refuses a grammar without finished text, and a length below the shortest text", () => {
    const options = { seed: 1, count: 1, maxLength: 3 };
    expect(() => sampleGrammar(parseGrammar('root ::= "a" root'), options)).toThrow(
      expect.objectContaining({ code: "grammar_no_finished_text" }),
    );
    expect(() => sampleGrammar(parseGrammar('root ::= "abcd"'), options)).toThrow(
      expect.objectContaining({ code: "grammar_sample_length" }),
    );
  });
});
