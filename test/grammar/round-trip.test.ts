import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  analyzeGrammar,
  checkGrammar,
  parseGrammar,
  printGrammar,
  tryParseGrammar,
} from "../../src/grammar/index.ts";
import { anyGrammar, grammarLikeText } from "./grammar-arbitrary.ts";
import { withoutSpans } from "./plain-tree.ts";

describe("printing and parsing", () => {
  it("are inverse on every tree", () => {
    fc.assert(
      fc.property(anyGrammar, (grammar) => {
        const printed = printGrammar(grammar);
        expect(withoutSpans(parseGrammar(printed))).toEqual(withoutSpans(grammar));
        expect(printed.endsWith("\n")).toBe(true);
        expect(printed.endsWith("\n\n")).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it("keep the tree of every text that is a grammar, and printing again changes nothing", () => {
    let grammars = 0;
    fc.assert(
      fc.property(grammarLikeText, (text) => {
        const { grammar } = tryParseGrammar(`root ::= ${text}`);
        if (grammar === null) return;
        grammars += 1;
        const printed = printGrammar(grammar);
        const again = parseGrammar(printed);
        expect(withoutSpans(again)).toEqual(withoutSpans(grammar));
        expect(printGrammar(again)).toBe(printed);
      }),
      { numRuns: 5000 },
    );
    expect(grammars).toBeGreaterThan(500);
  });

  it("give a portable text", () => {
    fc.assert(
      fc.property(anyGrammar, (grammar) => {
        const printed = printGrammar({ kind: "grammar", rules: grammar.rules });
        const code = printed.replace(/^#.*$/gm, "");
        expect(code).not.toMatch(/^\s*\|/m);
        for (const escaped of code.match(/\\[\s\S]/g) ?? []) {
          expect(["\\\\", '\\"', "\\t", "\\r", "\\n", "\\u", "\\U"]).toContain(escaped);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("break a long rule after its bars and nowhere else", () => {
    const words = Array.from({ length: 12 }, (_, index) => `"word number ${index}"`);
    const printed = printGrammar(parseGrammar(`root ::= (${words.join("|")}) | ${words[0]}`));
    expect(printed).toBe(`root ::=\n  (${words.join(" | ")}) |\n  ${words[0]}\n`);
    expect(printGrammar(parseGrammar('root::="a"|(|"b")[-+]?#c\n#d'))).toBe(
      '#c\nroot ::= "a" | ("" | "b") [\\u002D+]?\n#d\n',
    );
  });
});

describe("a text, whatever it is", () => {
  it("is parsed and analyzed without a throw", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), grammarLikeText);
    fc.assert(
      fc.property(text, (any) => {
        const { grammar, findings } = checkGrammar(any);
        expect(grammar !== null || findings.length > 0).toBe(true);
        for (const { span } of findings) {
          if (span === undefined) continue;
          expect(span.start).toBeLessThanOrEqual(span.end);
          expect(span.end).toBeLessThanOrEqual(any.length);
        }
      }),
      { numRuns: 10_000 },
    );
  });

  it("is analyzed without a throw when it comes as a tree", () => {
    fc.assert(
      fc.property(anyGrammar, (grammar) => {
        expect(Array.isArray(analyzeGrammar(grammar))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("spans", () => {
  it("cut out of the text what a node was read from", () => {
    const text = 'root ::= "ab" [c-d]{2,3} | (x) # note\nx ::= .\n';
    const [root, x] = parseGrammar({ path: "some.gbnf", text }).rules;
    const cut = (node: { readonly span?: { start: number; end: number } } | undefined) =>
      text.slice(node?.span?.start, node?.span?.end);
    const [first, second] = root?.body.sequences ?? [];
    expect(cut(root)).toBe('root ::= "ab" [c-d]{2,3} | (x)');
    expect(cut(x)).toBe("x ::= .");
    expect(cut(first)).toBe('"ab" [c-d]{2,3}');
    expect(first?.items.map(cut)).toEqual(['"ab"', "[c-d]{2,3}"]);
    expect(second?.items.map(cut)).toEqual(["(x)"]);
    expect(root?.nameSpan).toEqual({ path: "some.gbnf", start: 0, end: 4 });
    expect(root?.comments).toEqual([" note"]);
  });
});
