import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  acceptsText,
  createAcceptor,
  type Grammar,
  parseGrammar,
} from "../../src/grammar/index.ts";
import { IncipitError } from "../../src/text/index.ts";
import { enumerateTexts, listTexts } from "./enumerate-texts.ts";
import { smallGrammar } from "./grammar-arbitrary.ts";

const intent = parseGrammar(
  'root ::= "{" ws word ("," word)* "}"\nword ::= "\\"" [a-z]{1,3} "\\""\nws ::= " "?\n',
);

describe("createAcceptor", () => {
  it("says how far a text fits, what would have, and whether it might have ended", () => {
    const start = createAcceptor(intent).start();
    expect(start.accept('{ "ab","C"}')).toEqual({
      kind: "rejected",
      position: 8,
      expected: ["[a-z]"],
      wasComplete: false,
    });
    expect(start.accept('{"a"}}')).toEqual({
      kind: "rejected",
      position: 5,
      expected: [],
      wasComplete: true,
    });
  });

  it("says what may come next as the grammar writes it", () => {
    const state = createAcceptor(intent).start().accept('{"ab"');
    expect(state.kind === "accepting" && state.expected().toSorted()).toEqual(['","', '"}"']);
    const words = parseGrammar('root ::= "planning" | "plan" | .');
    const after = createAcceptor(words).start().accept("pla");
    expect(after.kind === "accepting" && after.expected().toSorted()).toEqual(['"n"', '"nning"']);
  });

  it("never changes a state: texts go on from it side by side", () => {
    const open = createAcceptor(intent).start().accept('{"a"');
    if (open.kind === "rejected") throw new Error("the beginning fits");
    expect(open.accept("}")).toMatchObject({ isComplete: true, position: 5 });
    expect(open.accept(',"b"}')).toMatchObject({ isComplete: true, position: 9 });
    expect(open.accept("x")).toMatchObject({ kind: "rejected", position: 4 });
    expect(open).toMatchObject({ isComplete: false, position: 4 });
  });

  it("takes a surrogate pair that is cut in two, and a half alone as U+FFFD", () => {
    const start = createAcceptor(parseGrammar('root ::= "é" "😀"+ | "\\uFFFD" "x"')).start();
    const half = start.accept("é\ud83d");
    if (half.kind === "rejected") throw new Error("half a pair is kept");
    expect(half).toMatchObject({ isComplete: false, position: 2 });
    expect(half.accept("\ude00")).toMatchObject({ isComplete: true, position: 3 });
    expect(half.accept("x")).toMatchObject({ kind: "rejected", position: 1 });
    expect(start.accept("\ud83dx")).toMatchObject({ isComplete: true, position: 2 });
    expect(acceptsText(parseGrammar('root ::= "\\uFFFD"'), "\ud83d").accepted).toBe(true);
  });

  it("comes to the same state however a text is cut", () => {
    const grammar = parseGrammar('root ::= list\nlist ::= list "," item | item\nitem ::= [a-c😀]+');
    const acceptor = createAcceptor(grammar);
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b,", ",", "😀", "\ud83d", "x")), (parts) => {
        let state = acceptor.start();
        const whole = state.accept(parts.join(""));
        for (const part of parts) {
          const next = state.accept(part);
          if (next.kind === "rejected") {
            expect(whole).toEqual(next);
            return;
          }
          state = next;
        }
        expect(whole).toMatchObject({ isComplete: state.isComplete, position: state.position });
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["grammar_missing_root", 'rot ::= "a"'],
    ["grammar_undefined_rule", 'root ::= "a" b'],
    ["grammar_token_unsupported", "root ::= <[10]>"],
  ])("refuses with %s what cannot be run", (code, text) => {
    let failure: unknown;
    try {
      createAcceptor(parseGrammar(text));
    } catch (caught) {
      failure = caught;
    }
    expect(IncipitError.isInstance(failure) && failure.code).toBe(code);
  });

  it("can start at another rule", () => {
    const grammar = parseGrammar('root ::= "a"\nother ::= "b"');
    expect(acceptsText(grammar, "b", { root: "other" })).toEqual({ accepted: true, position: 1 });
  });
});

describe("acceptance", () => {
  const findDifference = (grammar: Grammar, alphabet: string, longest: number) => {
    const language = enumerateTexts(grammar, alphabet, longest);
    const acceptor = createAcceptor(grammar);
    return listTexts(alphabet, longest).filter((text) => {
      const state = acceptor.start().accept(text);
      return (state.kind === "accepting" && state.isComplete) !== language.has(text);
    });
  };

  it.each([
    'root ::= "a" root "b" | ""',
    'root ::= root root | "a" | "b" root "a"',
    'root ::= e root "a" | "b"\ne ::= f\nf ::= "a" |',
    'root ::= ("a"? "b"?){0,3} ("ab" | "a"){2}',
    'root ::= x y | y x\nx ::= "a" x | ""\ny ::= "b" y? "a"?',
    'root ::= ("a" | "b" root?)* "b"{1,2}',
    'root ::= a{2} b*\na ::= "a"? "b"\nb ::= a a | "b" b "a"',
    'root ::= ("a" | "bb"){2}{1,2} [^a]',
  ])("is what the constructs mean, for every text up to length 8: %s", (source) => {
    const grammar = parseGrammar(source);
    expect(enumerateTexts(grammar, "ab", 8).size).toBeGreaterThan(3);
    expect(findDifference(grammar, "ab", 8)).toEqual([]);
  });

  it("is what the constructs mean, for random grammars and every text up to length 4", () => {
    let telling = 0;
    fc.assert(
      fc.property(smallGrammar, (grammar) => {
        expect(findDifference(grammar, "ab", 4)).toEqual([]);
        telling += enumerateTexts(grammar, "ab", 4).size > 0 ? 1 : 0;
      }),
      { numRuns: 1000 },
    );
    expect(telling).toBeGreaterThan(300);
  });
});
