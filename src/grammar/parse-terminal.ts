import type { CharacterClass, CharacterRange, Literal, TokenItem } from "./ast.ts";
import { type Cursor, peek, quoteAt, spanFrom, take, takeMatch, toFailure } from "./cursor.ts";

/** literal = '"' { character } '"' */
export function parseLiteral(cursor: Cursor): Literal {
  const start = cursor.at;
  take(cursor, '"');
  const codePoints: number[] = [];
  while (!take(cursor, '"')) {
    if (cursor.at >= cursor.end) {
      throw toFailure(cursor, "This literal has no closing double quote.", {
        start,
        hint: 'end it with ", and write a quote within it as \\"',
        resumeAt: start,
      });
    }
    codePoints.push(parseCharacter(cursor));
  }
  return { kind: "literal", codePoints, span: spanFrom(cursor, start) };
}

/** class = "[" [ "^" ] { character [ "-" character ] } "]" */
export function parseClass(cursor: Cursor): CharacterClass {
  const start = cursor.at;
  take(cursor, "[");
  const negated = take(cursor, "^");
  const ranges: CharacterRange[] = [];
  const open = () =>
    toFailure(cursor, "This character class has no closing bracket.", {
      start,
      hint: "the first unescaped ] closes a class; write one within it as \\]",
      resumeAt: start,
    });
  while (!take(cursor, "]")) {
    if (cursor.at >= cursor.end) throw open();
    const from = parseCharacter(cursor);
    if (peek(cursor) === "-" && peek(cursor, 1) !== "]") {
      take(cursor, "-");
      if (cursor.at >= cursor.end) throw open();
      ranges.push([from, parseCharacter(cursor)]);
    } else {
      ranges.push([from, from]);
    }
  }
  return { kind: "character-class", negated, ranges, span: spanFrom(cursor, start) };
}

/** token = [ "!" ] ( "<[" int "]>" | "<" text ">" ) */
export function parseToken(cursor: Cursor): TokenItem {
  const start = cursor.at;
  const negated = take(cursor, "!");
  const textStart = cursor.at;
  if (!take(cursor, "<")) {
    throw toFailure(cursor, `Expected "<" after "!", found ${quoteAt(cursor, cursor.at)}.`, {
      hint: "only a token such as <[10]> can be negated; negate a character as [^a]",
    });
  }
  if (take(cursor, "[")) {
    const digits = takeMatch(cursor, /[0-9]*/y);
    if (digits === "" || BigInt(digits) >= 2n ** 64n || !take(cursor, "]>")) {
      throw toFailure(cursor, "Expected the number of a token, such as <[10]>.", { start });
    }
  } else {
    takeMatch(cursor, /[^>\0]*/y);
    if (!take(cursor, ">")) {
      throw toFailure(cursor, 'This token has no closing ">".', { start, resumeAt: start });
    }
  }
  const text = cursor.text.slice(textStart, cursor.at);
  return { kind: "token", negated, text, span: spanFrom(cursor, start) };
}

const escapes: ReadonlyMap<string, number> = new Map([
  ["t", 0x09],
  ["r", 0x0d],
  ["n", 0x0a],
  ["\\", 0x5c],
  ['"', 0x22],
  ["[", 0x5b],
  ["]", 0x5d],
  ["-", 0x2d],
]);

const hexLengths: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

/** character = any code point | "\" ( "x" 2 hex | "u" 4 hex | "U" 8 hex | one of trn\"[]- ) */
function parseCharacter(cursor: Cursor): number {
  const start = cursor.at;
  if (!take(cursor, "\\")) {
    const codePoint = cursor.text.codePointAt(start) ?? 0;
    cursor.at += codePoint > 0xffff ? 2 : 1;
    // A lone surrogate has no UTF-8 form: the engine is handed U+FFFD in its place.
    return codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint;
  }
  const letter = peek(cursor);
  const hexLength = hexLengths.get(letter);
  if (hexLength !== undefined) {
    cursor.at += 1;
    const digits = cursor.text.slice(cursor.at, Math.min(cursor.at + hexLength, cursor.end));
    if (digits.length !== hexLength || !/^[0-9A-Fa-f]+$/.test(digits)) {
      throw toFailure(cursor, `Expected ${hexLength} hex digits after "\\${letter}".`, { start });
    }
    cursor.at += hexLength;
    return Number.parseInt(digits, 16);
  }
  const value = escapes.get(letter);
  if (value !== undefined) {
    cursor.at += 1;
    return value;
  }
  takeMatch(cursor, /[^\0]/suy);
  const quoted = letter === "" ? "a backslash at the end of the text" : `"\\${letter}"`;
  throw toFailure(cursor, `Unknown escape ${quoted}.`, { start, hint: escapeHints.get(letter) });
}

const escapeHints: ReadonlyMap<string, string> = new Map([
  ["/", 'a slash needs no escape: "/"'],
  ["'", "a single quote needs no escape"],
  [".", "a dot needs no escape within quotes or brackets"],
  ["^", "a caret needs no escape unless it is first in a class; there write \\u005E"],
  ["b", "write \\u0008 for a backspace; a word boundary cannot be said"],
  ["f", "write \\u000C"],
  ["0", "write \\u0000"],
  ["d", "write [0-9]"],
  ["w", "write [A-Za-z0-9_]"],
  ["s", "write [ \\t\\n\\r]"],
]);
