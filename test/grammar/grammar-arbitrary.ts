import fc from "fast-check";
import {
  type Alternatives,
  type Grammar,
  type Item,
  parseGrammar,
  type Rule,
} from "../../src/grammar/index.ts";

const names = ["root", "a", "b-1", "-", "0", "longer-name"];

const codePoint = fc.oneof(
  fc.constantFrom(...Array.from('abc-^[]"\\\n\r\t #.|(){}*', (text) => text.codePointAt(0) ?? 0)),
  fc.constantFrom(0, 0x7f, 0xa0, 0xe9, 0xd800, 0x2028, 0xfeff, 0x1f600, 0x10ffff, 0x110000),
  fc.integer({ min: 0, max: 0xffffffff }),
);

const { body } = fc.letrec<{ body: Alternatives; item: Item }>((tie) => ({
  body: fc
    .array(
      fc
        .array(tie("item"), { maxLength: 3 })
        .map((items) => ({ kind: "sequence" as const, items })),
      { minLength: 1, maxLength: 3 },
    )
    .map((sequences) => ({ kind: "alternatives" as const, sequences })),
  item: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc
      .array(codePoint, { minLength: 1, maxLength: 4 })
      .map((codePoints): Item => ({ kind: "literal", codePoints })),
    fc.constantFrom(...names).map((name): Item => ({ kind: "rule-reference", name })),
    fc.constant<Item>({ kind: "any-character" }),
    fc
      .record({
        negated: fc.boolean(),
        ranges: fc.array(
          fc.oneof(
            fc.tuple(codePoint, codePoint),
            codePoint.map((point): [number, number] => [point, point]),
          ),
          { minLength: 1, maxLength: 4 },
        ),
      })
      .map((parts): Item => ({ kind: "character-class", ...parts })),
    fc
      .record({
        negated: fc.boolean(),
        text: fc.constantFrom("<[0]>", "<[1000]>", "<think>", "<>"),
      })
      .map((parts): Item => ({ kind: "token", ...parts })),
    tie("body").map((inner): Item => ({ kind: "group", body: inner })),
    fc
      .record({
        item: tie("item"),
        min: fc.nat({ max: 3 }),
        max: fc.option(fc.nat({ max: 5 })),
      })
      .filter(({ item }) => item.kind !== "repetition" || item.max !== 0)
      .map((parts): Item => ({ kind: "repetition", ...parts })),
  ),
}));

const comments = fc.array(fc.constantFrom("", " a comment", '# | "x"'), {
  minLength: 1,
  maxLength: 2,
});

const rule = fc
  .record({ name: fc.constantFrom(...names), body, comments: fc.option(comments) })
  .map(
    ({ name, body: inner, comments: before }): Rule => ({
      kind: "rule",
      name,
      body: inner,
      ...(before === null ? {} : { comments: before }),
    }),
  );

/** Trees in normal form: all that the parser can make, whether or not they make sense. */
export const anyGrammar: fc.Arbitrary<Grammar> = fc
  .record({ rules: fc.array(rule, { minLength: 1, maxLength: 4 }), comments: fc.option(comments) })
  .map(({ rules, comments: after }) => ({
    kind: "grammar",
    rules,
    ...(after === null ? {} : { comments: after }),
  }));

const smallItem = fc.constantFrom(
  ...['"a"', '"b"', '"ab"', "[^a]", ".", "one", "two", "root", '("a" | )', "(one two | root)"],
);

const smallBody = fc
  .array(
    fc.array(
      fc
        .tuple(smallItem, fc.constantFrom("", "", "", "?", "*", "+", "{2}", "{0,2}", "{2,}", "*?"))
        .map((parts) => parts.join("")),
      { maxLength: 3 },
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((sequences) => sequences.map((items) => items.join(" ")).join(" | ") || '""');

/** Grammars of three rules that use each other in every way, over the letters a and b. */
export const smallGrammar: fc.Arbitrary<Grammar> = fc
  .tuple(smallBody, smallBody, smallBody)
  .map(([root, one, two]) =>
    parseGrammar(`root ::= (${root})\none ::= (${one})\ntwo ::= (${two})\n`),
  );

const scraps = [
  ..."ab|()[]{}*+?.,\"\\-^#<>!:= \t\n\r\0_'03;",
  "::=",
  "root ::= ",
  "\nb ::= ",
  '"x"',
  "[a-z]",
  "{2,3}",
  "\\x41",
  "\\u00e9",
  "\\U0001F600",
  "<[10]>",
  "é",
  "😀",
  "\ud83d",
];

/** Texts in which the parser finds its way for a while. */
export const grammarLikeText: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...scraps), { maxLength: 40 })
  .map((parts) => parts.join(""));
