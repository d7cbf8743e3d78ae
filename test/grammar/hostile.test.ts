import { describe, expect, it } from "vitest";
import { acceptsText, checkGrammar, parseGrammar } from "../../src/grammar/index.ts";

const layers = (count: number, joint: (next: string) => string): string =>
  [
    "root ::= l0",
    ...Array.from({ length: count }, (_, index) => `l${index} ::= ${joint(`l${index + 1}`)}`),
    `l${count} ::= "x"`,
  ].join("\n");

// What llama.cpp hangs on, runs out of memory on, or crashes on; each has its answer here, and the
// suite its time limit.
describe("grammars that llama.cpp does not survive", () => {
  it.each([
    ["hidden left recursion", 'root ::= e root "a" | "b"\ne ::= f\nf ::= "x" |'],
    ["hidden left recursion", 'root ::= ("x"?) root "a" | "b"'],
    ["reversed bounds", 'root ::= "a"{3,2}'],
    ["too deep", `root ::= ${"(".repeat(200_000)}"a"${")".repeat(200_000)}`],
  ])("get an error: %s", (word, text) => {
    const codes = checkGrammar(text).findings.map(({ code }) => code);
    expect(codes).toContain(`grammar_${word.replaceAll(" ", "_")}`);
  });

  it.each([
    ["1,000 optional items", `root ::= ${'"x"? '.repeat(1000)}`, "x".repeat(1000)],
    ["500 rounds of two optional items", 'root ::= ("x"? "y"?){0,500} "z"', `${"xy".repeat(400)}z`],
    [
      "20,000 blanks by a recursion that is not last",
      'root ::= ws "z"\nws ::= [ ] ws [\\t]? |',
      `${" ".repeat(20_000)}z`,
    ],
    ["18 layers of a choice", layers(18, (next) => `${next} "a" | ${next}`), "xaaaaaaaaaa"],
    ["a chain of 5,000 rules", layers(5000, (next) => `${next} "a"`), `x${"a".repeat(5000)}`],
    [
      "20,000 flat alternatives",
      `root ::= ${Array.from({ length: 20_000 }, (_, index) => `"w${index}"`).join(" | ")}`,
      "w19999",
    ],
    ["10,000 parentheses", `root ::= ${"(".repeat(10_000)}"a"${")".repeat(10_000)}`, "a"],
    [
      "20,000 blanks that three rules may own",
      "root ::= ws ws ws\nws ::= [ ]*",
      " ".repeat(20_000),
    ],
    ["an ambiguous square", 'root ::= root root | "a" |', "a".repeat(100)],
  ])("are run to the end: %s", (_title, grammar, text) => {
    expect(acceptsText(parseGrammar(grammar), text)).toEqual({
      accepted: true,
      position: text.length,
    });
  });

  it("are not written out: 2,000 copies of a long literal cost what is read of them", () => {
    const grammar = parseGrammar(`root ::= "${"x".repeat(50_000)}"{1999}`);
    expect(acceptsText(grammar, `${"x".repeat(60_000)}y`)).toEqual({
      accepted: false,
      position: 60_000,
    });
  });

  it("are analyzed: layers in rules that are not used, names of 100,000 characters", () => {
    const unused = layers(200, (next) => `${next} "a" | ${next}`).replace(
      "root ::= l0",
      'root ::= "x"',
    );
    expect(checkGrammar(unused).findings.every(({ severity }) => severity === "warning")).toBe(
      true,
    );
    const long = "n".repeat(100_000);
    const [finding] = checkGrammar(`root ::= ${long}\n${long}m ::= "a"`).findings;
    expect(finding?.code).toBe("grammar_undefined_rule");
    expect(finding?.message.length).toBeLessThan(200);
  });

  it("are refused past a limit of depth or length that the caller sets", () => {
    const codes = (text: string, limits: { maxDepth?: number; maxLength?: number }) =>
      checkGrammar(text, limits).findings.map(({ code }) => code);
    expect(codes('root ::= (("a"))', { maxDepth: 2 })).toEqual([]);
    expect(codes('root ::= ((("a")))', { maxDepth: 2 })).toEqual(["grammar_too_deep"]);
    expect(codes('root ::= "a"', { maxLength: 11 })).toEqual(["grammar_too_large"]);
  });
});
