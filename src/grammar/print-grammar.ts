import type { BodyNode, CharacterClass, Grammar, Repetition, Rule } from "./ast.ts";
import { foldBody } from "./fold-body.ts";

const lineWidth = 100;

/**
 * Prints a grammar in canonical form: one rule a line, in the order of the tree, a rule that is too
 * long broken after its bars, comments before the rule they belong to, one line break at the end.
 *
 * Printing is idempotent, parsing gives the same tree again, and the text is read alike by every
 * release of llama.cpp and by XGrammar: no `\-`, no line that begins with a bar, `""` for an empty
 * alternative, numeric escapes of four or eight digits.
 */
export function printGrammar(grammar: Grammar): string {
  const lines = grammar.rules.flatMap((rule) => [...printComments(rule.comments), printRule(rule)]);
  return [...lines, ...printComments(grammar.comments), ""].join("\n");
}

/** Prints one rule, without a line break at its end. */
export function printRule(rule: Rule): string {
  const bodies = rule.body.sequences.map(printBody);
  const line = `${rule.name} ::= ${bodies.join(" | ")}`;
  if (line.length <= lineWidth || bodies.length === 1) return line;
  return `${rule.name} ::=\n  ${bodies.join(" |\n  ")}`;
}

/** Prints alternatives, a sequence or an item, on one line. */
export function printBody(node: BodyNode): string {
  return foldBody<string>(node, (inner, texts) => {
    switch (inner.kind) {
      case "alternatives":
        return texts.join(" | ");
      case "sequence":
        return texts.length === 0 ? '""' : texts.join(" ");
      case "group":
        return `(${texts[0]})`;
      case "repetition":
        return `${texts[0]}${printQuantifier(inner)}`;
      case "literal":
        return printLiteral(inner.codePoints);
      case "character-class":
        return printClass(inner);
      case "any-character":
        return ".";
      case "rule-reference":
        return inner.name;
      case "token":
        return `${inner.negated ? "!" : ""}${inner.text}`;
    }
  });
}

/** Prints code points as a literal, in double quotes. */
export function printLiteral(codePoints: readonly number[]): string {
  return `"${codePoints.map((codePoint) => printCharacter(codePoint, '"')).join("")}"`;
}

function printQuantifier({ min, max }: Repetition): string {
  if (max === null) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  if (min === 0 && max === 1) return "?";
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

function printClass({ negated, ranges }: CharacterClass): string {
  const members = ranges.map(([from, to], index) => {
    // A dash is read as itself for certain only before the closing bracket.
    if (from === 0x2d && to === 0x2d && index === ranges.length - 1) return "-";
    const first = printCharacter(from, "-^[]");
    return from === to ? first : `${first}-${printCharacter(to, "-^[]")}`;
  });
  return `[${negated ? "^" : ""}${members.join("")}]`;
}

const shortEscapes: ReadonlyMap<number, string> = new Map([
  [0x09, "\\t"],
  [0x0a, "\\n"],
  [0x0d, "\\r"],
  [0x22, '\\"'],
  [0x5c, "\\\\"],
]);

function printCharacter(codePoint: number, special: string): string {
  if (codePoint > 0x10ffff) return printNumber(codePoint);
  const character = String.fromCodePoint(codePoint);
  const short = shortEscapes.get(codePoint);
  if (short !== undefined && (codePoint !== 0x22 || special.includes('"'))) return short;
  const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u.test(character) && character !== " ";
  return invisible || special.includes(character) ? printNumber(codePoint) : character;
}

// Not `\xHH`: XGrammar reads any number of digits after `\x`.
function printNumber(codePoint: number): string {
  const digits = codePoint.toString(16).toUpperCase();
  return codePoint > 0xffff ? `\\U${digits.padStart(8, "0")}` : `\\u${digits.padStart(4, "0")}`;
}

function printComments(comments: readonly string[] = []): readonly string[] {
  return comments.flatMap((comment) =>
    comment
      .replaceAll("\0", "")
      .split(/\r\n|\r|\n/)
      .map((line) => `#${line}`),
  );
}
