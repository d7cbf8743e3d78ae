import { beforeAll, describe, expect, it } from "vitest";
import { jsonContract } from "../../src/contract/index.ts";
import { analyzeGrammar, parseGrammar } from "../../src/grammar/index.ts";
import { type LlamaGrammarOracle, openLlamaOracle } from "./llama-oracle.ts";

let oracle: LlamaGrammarOracle;

beforeAll(async () => {
  oracle = await openLlamaOracle();
});

describe("counts that llama.cpp refuses or drops", () => {
  it.each<[min: number, max: number | null]>([
    [0, 1],
    [1, 1],
    [0, 1_999],
    [0, 2_000],
    [0, 2_001],
    [1, 2_000],
    [1_999, 1_999],
    [2_000, 2_000],
    [2_000, null],
    [1_999, 2_001],
    [3_000, 5_500],
    [2_500, 7_000],
    [0, 5_000],
  ])("a string of %d to %s characters is bounded exactly", async (minLength, maxLength) => {
    const bounds = maxLength === null ? { minLength } : { minLength, maxLength };
    for (const schema of [
      { type: "string", ...bounds },
      { type: "string", pattern: "^[ab]*$", ...bounds },
    ]) {
      const grammar = jsonContract(schema).toGrammar() ?? "";
      const findings = analyzeGrammar(parseGrammar(grammar));
      expect(findings.filter(({ severity }) => severity !== "info")).toEqual([]);
      const accepts = await oracle.open(grammar);
      const last = maxLength ?? 9_000;
      const lengths = [minLength - 1, minLength, minLength + 1, 999, 1_000, 1_001, 1_999, 2_000];
      for (const length of [...lengths, 2_001, 2_999, 3_000, last - 1, last, last + 1]) {
        if (length < 0) continue;
        const wanted = length >= minLength && (maxLength === null || length <= maxLength);
        expect([length, accepts(`"${"a".repeat(length)}"`)]).toEqual([length, wanted]);
      }
    }
  });

  it("counts into the millions", async () => {
    const grammar = jsonContract({ type: "string", maxLength: 2_001_500 }).toGrammar() ?? "";
    expect(grammar).toContain("text-block-block ::= text-block{1000}");
    const accepts = await oracle.open(grammar);
    for (const length of [0, 1_999, 2_000, 123_456]) {
      expect(accepts(`"${"a".repeat(length)}"`)).toBe(true);
    }
  });

  it("an array of thousands of objects is bounded exactly", async () => {
    const item = {
      type: "object",
      properties: { a: { type: "integer" }, b: { type: "string", maxLength: 2_100 } },
      required: ["a", "b"],
      additionalProperties: false,
    };
    const schema = { type: "array", items: item, minItems: 2_100, maxItems: 2_300 };
    const accepts = await oracle.open(jsonContract(schema).toGrammar() ?? "");
    const text = (count: number) =>
      `[${Array.from({ length: count }, () => '{"a":1,"b":"x"}').join(",")}]`;
    expect([2_099, 2_100, 2_300, 2_301].map((count) => accepts(text(count)))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it("repeats single characters, classes or references only, never groups", () => {
    const schema = { type: "string", pattern: "^(ab|c{3}){2,1500}(d(e|f){4})*$" };
    const grammar = jsonContract(schema).toGrammar() ?? "";
    expect(grammar.replaceAll('"("', "")).not.toMatch(/\)[*+{]/);
  });

  it("writes a pattern whose repeated part may be empty without left recursion", async () => {
    for (const pattern of ["^(a*)*$", "^(a?|b*)*$", "^((|a)+){3,}$", "^(a?b?c?){2,5}$"]) {
      const grammar = jsonContract({ type: "string", pattern }).toGrammar() ?? "";
      const findings = analyzeGrammar(parseGrammar(grammar));
      expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
      const accepts = await oracle.open(grammar);
      expect([accepts('""'), accepts('"a"')]).toEqual([true, true]);
    }
  });

  it("refuses a repeated part that may be empty and would square too often", async () => {
    let body = "a?";
    for (let depth = 0; depth < 60; depth += 1) body = `(b?${body})*`;
    const started = performance.now();
    expect(() => jsonContract({ type: "string", pattern: `^${body}$` })).toThrow("may be empty");
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
