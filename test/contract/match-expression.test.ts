import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonContract } from "../../src/contract/index.ts";
import { toWholeExpression } from "../../src/contract/pattern/expression.ts";
import { matchesWhole } from "../../src/contract/pattern/match-expression.ts";
import { parsePattern } from "../../src/contract/pattern/parse-pattern.ts";

function matches(pattern: string, text: string): boolean {
  const parsed = parsePattern(pattern);
  if (parsed.kind === "refused") throw new Error(parsed.reason);
  const whole = toWholeExpression(parsed.expression);
  if (whole === null) throw new Error("not anchored");
  return matchesWhole(whole, text);
}

describe("the matcher of patterns", () => {
  it.each([
    ["^(a?){3,5}$", "", true],
    ["^(a?){3,5}$", "aaaaa", true],
    ["^(a?){3,5}$", "aaaaaa", false],
    ["^(ab|a)(b?c)$", "abc", true],
    ["^(a|ab){2}$", "aba", true],
    ["^(a{2,3}){2}$", "aaaa", true],
    ["^(a{2,3}){2}$", "aaaaaaa", false],
    ["^[ab]{2}[bc]{1,2}$", "abbc", true],
    ["^(?:a*b)*a{3}$", "abaaa", true],
    ["^(?:a*b)*a{3}$", "abaa", false],
  ])("%s on %j is %s", (pattern, text, wanted) => {
    expect(matches(pattern, text)).toBe(wanted);
    expect(new RegExp(pattern, "u").test(text)).toBe(wanted);
  });

  it("agrees with RegExp on overlapping parts and long texts", () => {
    const part = fc
      .tuple(
        fc.constantFrom("a", "[ab]", "b", "(a|ab)", "(ab|b)*", "(a?b?)", "[^a]", "(a{1,2}b){0,2}"),
        fc.constantFrom("", "?", "*", "+", "{2}", "{1,3}", "{0,2}", "{2,}"),
      )
      .map(([item, count]) => `(?:${item})${count}`);
    const pattern = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
    const text = fc.array(fc.constantFrom("a", "b"), { maxLength: 12 }).map((all) => all.join(""));
    let matched = 0;
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 5, maxLength: 5 }), (body, texts) => {
        const whole = `^${body}$`;
        const expression = new RegExp(whole, "u");
        for (const one of texts) {
          const wanted = expression.test(one);
          if (wanted) matched += 1;
          expect([one, matches(whole, one)]).toEqual([one, wanted]);
        }
      }),
      { numRuns: 3_000 },
    );
    expect(matched).toBeGreaterThan(1_000);
  });

  it.each([
    ["^(a+)+$", `${"a".repeat(20_000)}!`],
    ["^(a|a)*$", `${"a".repeat(20_000)}!`],
    ["^(ab)*$", "ab".repeat(100_000)],
    ["^(a?){1000000}$", "a".repeat(2_000)],
    ["^([a-z0-9]+-?)+$", `${"a-".repeat(10_000)}!`],
  ])("%s takes no time that doubles with the text", (pattern, text) => {
    const started = performance.now();
    jsonContract({ type: "string", pattern }).check(JSON.stringify(text));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
