import {
  type CodePointRange,
  type CodePointSet,
  complement,
  setOfText,
  toCodePointSet,
} from "./code-points.ts";
import type { Expression } from "./expression.ts";

/** A pattern that is read, or why it is not: one sentence, and the offset of the reason. */
export type ParsedPattern =
  | { readonly kind: "parsed"; readonly expression: Expression }
  | { readonly kind: "refused"; readonly reason: string; readonly at: number };

const maxDepth = 100;
const maxCount = 1_000_000;

const digits: CodePointSet = [[0x30, 0x39]];
const wordCharacters = toCodePointSet([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);
const lineEnds = setOfText("\n\r\u2028\u2029");
/** WhiteSpace and LineTerminator of ECMAScript. */
const whiteSpace = toCodePointSet([
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]);
const classEscapes: ReadonlyMap<string, CodePointSet> = new Map([
  ["d", digits],
  ["D", complement(digits)],
  ["w", wordCharacters],
  ["W", complement(wordCharacters)],
  ["s", whiteSpace],
  ["S", complement(whiteSpace)],
]);
const controlEscapes: ReadonlyMap<string, number> = new Map([
  ["t", 9],
  ["n", 10],
  ["v", 11],
  ["f", 12],
  ["r", 13],
]);

class Refusal {
  readonly reason: string;
  readonly at: number;

  constructor(reason: string, at: number) {
    this.reason = reason;
    this.at = at;
  }
}

/**
 * Reads an ECMAScript regular expression with the `u` flag, as JSON Schema has it: literals,
 * escapes, classes, groups, alternation, quantifiers and the anchors. Look-around, back
 * references, word boundaries, property escapes and modifiers are refused by name.
 */
export function parsePattern(pattern: string): ParsedPattern {
  try {
    new RegExp(pattern, "u");
  } catch (cause) {
    const reason = `it is no regular expression (${cause instanceof Error ? cause.message : ""})`;
    return { kind: "refused", reason, at: 0 };
  }
  try {
    return { kind: "parsed", expression: new PatternParser(pattern).parse() };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return { kind: "refused", reason: refusal.reason, at: refusal.at };
  }
}

/** Reads what the host's own reader has already found well-formed. */
class PatternParser {
  private at = 0;
  private depth = 0;
  private readonly pattern: string;

  constructor(pattern: string) {
    this.pattern = pattern;
  }

  parse(): Expression {
    return this.parseDisjunction();
  }

  /** Disjunction :: Alternative { "|" Alternative } */
  private parseDisjunction(): Expression {
    this.depth += 1;
    if (this.depth > maxDepth) this.refuse("its groups are nested too deeply");
    const items = [this.parseAlternative()];
    while (this.eat("|")) items.push(this.parseAlternative());
    this.depth -= 1;
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : { kind: "alternatives", items };
  }

  /** Alternative :: { Term } */
  private parseAlternative(): Expression {
    const items: Expression[] = [];
    while (this.at < this.pattern.length && !this.sees("|") && !this.sees(")")) {
      items.push(this.parseQuantifier(this.parseAtom()));
    }
    return { kind: "sequence", items };
  }

  /** Atom :: "^" | "$" | "." | class | group | escape | character */
  private parseAtom(): Expression {
    if (this.eat("^")) return { kind: "start" };
    if (this.eat("$")) return { kind: "end" };
    if (this.eat(".")) return { kind: "set", set: complement(lineEnds) };
    if (this.eat("[")) return { kind: "set", set: this.parseClass() };
    if (this.sees("(")) return this.parseGroup();
    if (this.sees("\\")) return { kind: "set", set: this.parseEscape() };
    return { kind: "set", set: single(this.next()) };
  }

  /** Quantifier :: one of `* + ?` or "{" m [ "," [ n ] ] "}", then an optional "?" */
  private parseQuantifier(item: Expression): Expression {
    const form = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y;
    form.lastIndex = this.at;
    const match = form.exec(this.pattern);
    if (match === null) return item;
    const [whole, sign, low, comma, high] = match;
    const min = sign === undefined ? Number(low) : sign === "+" ? 1 : 0;
    const closed = comma === undefined ? min : high === "" ? null : Number(high);
    const max = sign === undefined ? closed : sign === "?" ? 1 : null;
    if (Math.max(min, max ?? 0) > maxCount) this.refuse(`it repeats more than ${maxCount} times`);
    this.at += whole.length;
    return { kind: "repeat", item, min, max };
  }

  /** Group :: "(" [ "?:" | "?<" name ">" ] Disjunction ")" */
  private parseGroup(): Expression {
    const opening = /\((?:\?(?:(<?[=!])|<[^>=!]*>|(:)|([a-z-]+:)))?/y;
    opening.lastIndex = this.at;
    const match = opening.exec(this.pattern);
    if (match?.[1] !== undefined) this.refuse("it uses look-around");
    if (match?.[3] !== undefined) this.refuse("it uses modifiers");
    this.at += match?.[0].length ?? 1;
    const inner = this.parseDisjunction();
    this.eat(")");
    return inner;
  }

  /** CharacterClass :: "[" [ "^" ] { member [ "-" member ] } "]" */
  private parseClass(): CodePointSet {
    const isNegated = this.eat("^");
    const ranges: CodePointRange[] = [];
    while (!this.eat("]")) {
      const first = this.parseMember();
      if (this.sees("-") && this.pattern[this.at + 1] !== "]") {
        this.at += 1;
        const last = this.parseMember();
        // With the `u` flag both ends are single characters; the host has checked that.
        ranges.push([first[0]?.[0] ?? 0, last[0]?.[0] ?? 0]);
      } else ranges.push(...first);
    }
    const set = toCodePointSet(ranges);
    return isNegated ? complement(set) : set;
  }

  private parseMember(): CodePointSet {
    if (this.pattern.startsWith("\\b", this.at)) {
      this.at += 2;
      return single(8);
    }
    return this.sees("\\") ? this.parseEscape() : single(this.next());
  }

  /** An escape, in a class or outside. */
  private parseEscape(): CodePointSet {
    const start = this.at;
    this.at += 1;
    const letter = String.fromCodePoint(this.next());
    const set = classEscapes.get(letter);
    if (set !== undefined) return set;
    const control = controlEscapes.get(letter);
    if (control !== undefined) return single(control);
    if (letter === "0") return single(0);
    if (letter === "c") return single(this.next() % 32);
    if (letter === "x") return single(this.readHex(2));
    if (letter === "u") return single(this.readUnicodeEscape());
    this.at = start;
    if (/[1-9k]/.test(letter)) this.refuse("it uses back references");
    if (/[bB]/.test(letter)) this.refuse("it uses word boundaries");
    if (/[pP]/.test(letter)) this.refuse("it uses property escapes");
    this.at = start + 2;
    return single(letter.codePointAt(0) ?? 0);
  }

  private readUnicodeEscape(): number {
    if (this.eat("{")) {
      const end = this.pattern.indexOf("}", this.at);
      const point = Number.parseInt(this.pattern.slice(this.at, end), 16);
      this.at = end + 1;
      return point;
    }
    const unit = this.readHex(4);
    const low = /\\u([dD][c-fC-F][0-9a-fA-F]{2})/y;
    low.lastIndex = this.at;
    const match = unit >= 0xd800 && unit <= 0xdbff ? low.exec(this.pattern)?.[1] : undefined;
    if (match === undefined) return unit;
    this.at += 6;
    return 0x10000 + (unit - 0xd800) * 0x400 + Number.parseInt(match, 16) - 0xdc00;
  }

  private readHex(count: number): number {
    const text = this.pattern.slice(this.at, this.at + count);
    this.at += count;
    return Number.parseInt(text, 16);
  }

  private next(): number {
    const point = this.pattern.codePointAt(this.at) ?? 0;
    this.at += point > 0xffff ? 2 : 1;
    return point;
  }

  private sees(mark: string): boolean {
    return this.pattern.startsWith(mark, this.at);
  }

  private eat(mark: string): boolean {
    if (!this.sees(mark)) return false;
    this.at += mark.length;
    return true;
  }

  private refuse(reason: string): never {
    throw new Refusal(reason, this.at);
  }
}

function single(point: number): CodePointSet {
  return [[point, point]];
}
