import { alternatives, characterClass, optional, type Part } from "../../grammar/index.ts";
import {
  type CodePointSet,
  hasCodePoint,
  intersect,
  scalarValues,
  setOfText,
  subtract,
  toCodePointSet,
  toSetKey,
} from "../pattern/code-points.ts";
import type { Expression } from "../pattern/expression.ts";
import {
  addRule,
  type GrammarWriter,
  joinAlternatives,
  joinParts,
  repeatUnit,
  shareRule,
} from "./grammar-writer.ts";

/** What never stands for itself in a JSON string. */
const escapedOnly = toCodePointSet([[0, 0x1f], ...setOfText('"\\')]);
const shortEscapes: readonly (readonly [character: string, letter: string])[] = [
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["\b", "b"],
  ["\f", "f"],
  ["\n", "n"],
  ["\r", "r"],
  ["\t", "t"],
];
/**
 * What may be written `\uXXXX`: controls without a letter of their own, and everything beyond
 * printable ASCII. No writer escapes a plain letter so, and offering it would only cost choices.
 */
const hexEscaped = subtract(
  toCodePointSet([
    [0, 0x1f],
    [0x7f, 0x10ffff],
  ]),
  setOfText("\b\f\n\r\t"),
);

/** The content of a JSON string that stands for a text of the expression. */
export function toStringContent(writer: GrammarWriter, expression: Expression, name: string): Part {
  switch (expression.kind) {
    case "set":
      return toCharacter(writer, expression.set, name);
    case "sequence":
      return joinParts(expression.items.map((item) => toStringContent(writer, item, name)));
    case "alternatives":
      return joinAlternatives(expression.items.map((item) => toStringContent(writer, item, name)));
    case "repeat": {
      const { item, min, max } = expression;
      if (max === 0) return "";
      if (min === 0 && max === 1) return optional(toStringContent(writer, item, name));
      const unit =
        item.kind === "set"
          ? toCharacter(writer, item.set, name)
          : addRule(writer, `${name}-part`, (inner) => toStringContent(writer, item, inner));
      return repeatUnit(writer, unit, min, max, name);
    }
    default:
      throw new Error("an anchor is left in the expression of a whole text");
  }
}

/** One character of a set as JSON strings spell it: raw, with a short escape, or as `\uXXXX`. */
function toCharacter(writer: GrammarWriter, set: CodePointSet, name: string): Part {
  const raw = subtract(set, escapedOnly);
  const letters = shortEscapes.filter(([character]) =>
    hasCodePoint(set, character.codePointAt(0) ?? 0),
  );
  const hex = intersect(set, hexEscaped);
  if (letters.length === 0 && hex.length === 0) {
    const only = raw.length === 1 && raw[0]?.[0] === raw[0]?.[1] ? raw[0]?.[0] : undefined;
    return only === undefined ? characterClass(raw) : String.fromCodePoint(only);
  }
  const key = toSetKey(set);
  const isAny = key === toSetKey(scalarValues);
  const base = isAny ? "" : `${name}-`;
  return shareRule(writer, `character ${key}`, `${base}character`, () => {
    const escapeRule = addRule(writer, `${base}escape`, () =>
      alternatives(
        ...(letters.length === 0 ? [] : [characterClass(letters.map(([, letter]) => letter))]),
        ...toHexEscapes(writer, hex).map((digits) => joinParts(["u", digits])),
      ),
    );
    const escaped = joinParts(["\\", escapeRule]);
    return raw.length === 0 ? escaped : alternatives(characterClass(raw), escaped);
  });
}

/** What may follow `\u`, for each kind of spelling: four digits, or a pair of surrogates. */
function toHexEscapes(writer: GrammarWriter, set: CodePointSet): readonly Part[] {
  const single = intersect(set, [[0, 0xffff]]);
  const parts = single.length === 0 ? [] : [toDigits(writer, single, 4)];
  for (const { high, low } of toSurrogates(intersect(set, [[0x10000, 0x10ffff]]))) {
    parts.push(joinParts([toDigits(writer, high, 4), "\\u", toDigits(writer, low, 4)]));
  }
  return parts;
}

interface SurrogatePairs {
  readonly high: CodePointSet;
  readonly low: CodePointSet;
}

/** Code points beyond U+FFFF as pairs, high surrogates with the same low ones together. */
function toSurrogates(set: CodePointSet): readonly SurrogatePairs[] {
  const pairs: (readonly [high: readonly [number, number], low: readonly [number, number]])[] = [];
  const add = (first: number, last: number): void => {
    const high = (point: number): number => 0xd800 + ((point - 0x10000) >> 10);
    const low = (point: number): number => 0xdc00 + ((point - 0x10000) & 0x3ff);
    pairs.push([
      [high(first), high(last)],
      [low(first), low(last)],
    ]);
  };
  for (const [first, last] of set) {
    const firstWhole = Math.ceil(first / 0x400) * 0x400;
    const pastWhole = Math.floor((last + 1) / 0x400) * 0x400;
    if (firstWhole > pastWhole) add(first, last);
    else {
      if (first < firstWhole) add(first, firstWhole - 1);
      if (firstWhole < pastWhole) add(firstWhole, pastWhole - 1);
      if (pastWhole <= last) add(pastWhole, last);
    }
  }
  // All low surrogates of one high one, then all high ones with the same low ones.
  const lows = new Map<number, (readonly [number, number])[]>();
  const whole: (readonly [number, number])[] = [];
  for (const [high, low] of pairs) {
    if (low[0] === 0xdc00 && low[1] === 0xdfff) whole.push(high);
    else lows.set(high[0], [...(lows.get(high[0]) ?? []), low]);
  }
  const grouped = new Map<string, { high: (readonly [number, number])[]; low: CodePointSet }>();
  for (const [high, ranges] of lows) {
    const low = toCodePointSet(ranges);
    const group = grouped.get(toSetKey(low)) ?? { high: [], low };
    group.high.push([high, high]);
    grouped.set(toSetKey(low), group);
  }
  const all: CodePointSet = [[0xdc00, 0xdfff]];
  return [
    ...[...grouped.values()].map(({ high, low }) => ({ high: toCodePointSet(high), low })),
    ...(whole.length === 0 ? [] : [{ high: toCodePointSet(whole), low: all }]),
  ];
}

/** Hexadecimal digits, in either case, of the numbers of a set. */
function toDigits(writer: GrammarWriter, set: CodePointSet, width: number): Part {
  const size = 16 ** width;
  if (set.length === 1 && set[0]?.[0] === 0 && set[0][1] === size - 1) {
    return joinParts(Array.from({ length: width }, () => toHexDigit(writer)));
  }
  const below = size / 16;
  const byRest = new Map<string, { digits: number[]; rest: CodePointSet }>();
  for (let digit = 0; digit < 16; digit += 1) {
    const part = intersect(set, [[digit * below, (digit + 1) * below - 1]]);
    if (part.length === 0) continue;
    const rest = part.map(([a, b]) => [a - digit * below, b - digit * below] as const);
    const known = byRest.get(toSetKey(rest));
    if (known === undefined) byRest.set(toSetKey(rest), { digits: [digit], rest });
    else known.digits.push(digit);
  }
  const ways = [...byRest.values()].map(({ digits, rest }) => {
    const first = toDigitClass(writer, digits);
    return width === 1 ? first : joinParts([first, toDigits(writer, rest, width - 1)]);
  });
  return joinAlternatives(ways);
}

function toHexDigit(writer: GrammarWriter): Part {
  return shareRule(writer, "hex", "hex", () =>
    characterClass([
      ["0", "9"],
      ["a", "f"],
      ["A", "F"],
    ]),
  );
}

function toDigitClass(writer: GrammarWriter, digits: readonly number[]): Part {
  if (digits.length === 16) return toHexDigit(writer);
  const texts = digits.map((digit) => digit.toString(16));
  const only = texts.length === 1 ? texts[0] : undefined;
  if (only !== undefined && /[0-9]/.test(only)) return only;
  const points = setOfText([...texts, ...texts.map((text) => text.toUpperCase())].join(""));
  return characterClass(points);
}
