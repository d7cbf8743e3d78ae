import { type Finding, IncipitError, type Source, type SourceSpan } from "../text/index.ts";

/** A place in a grammar's text that moves forward while the text is parsed. */
export interface Cursor {
  readonly path: string;
  readonly text: string;
  /** Where reading ends: a NUL, as for llama.cpp, or the length of the text. */
  readonly end: number;
  at: number;
  /** Comments read since the last rule was finished, without their `#`. */
  comments: string[];
}

/** Puts a cursor at the start of a text. */
export function createCursor(source: Source): Cursor {
  const nul = source.text.indexOf("\0");
  const end = nul < 0 ? source.text.length : nul;
  return { path: source.path, text: source.text, end, at: 0, comments: [] };
}

/** The UTF-16 unit at the cursor or `ahead` of it as a string, empty at the end. */
export function peek(cursor: Cursor, ahead = 0): string {
  const at = cursor.at + ahead;
  return at < cursor.end ? (cursor.text[at] ?? "") : "";
}

/** Takes a text that stands at the cursor; false when another stands there. */
export function take(cursor: Cursor, expected: string): boolean {
  const next = cursor.at + expected.length;
  if (next > cursor.end || !cursor.text.startsWith(expected, cursor.at)) return false;
  cursor.at = next;
  return true;
}

/** Takes what a sticky expression matches at the cursor, possibly nothing. */
export function takeMatch(cursor: Cursor, sticky: RegExp): string {
  sticky.lastIndex = cursor.at;
  const match = sticky.exec(cursor.text)?.[0] ?? "";
  cursor.at += match.length;
  return match;
}

/** `gap`, or `wide-gap` with line breaks: blanks and comments. */
export function skipGap(cursor: Cursor, lineBreaks: "line-breaks" | "one-line"): void {
  for (;;) {
    const character = peek(cursor);
    if (character === "#") {
      const comment = takeMatch(cursor, /#[^\r\n\0]*/y);
      cursor.comments.push(comment.slice(1));
    } else if (
      character === " " ||
      character === "\t" ||
      (lineBreaks === "line-breaks" && (character === "\n" || character === "\r"))
    ) {
      cursor.at += 1;
    } else {
      return;
    }
  }
}

/** The span from an offset to the cursor. */
export function spanFrom(cursor: Cursor, start: number): SourceSpan {
  return { path: cursor.path, start, end: cursor.at };
}

/** What stands at an offset, as a message quotes it. */
export function quoteAt(cursor: Cursor, at: number): string {
  if (at >= cursor.end) return "the end of the text";
  const character = String.fromCodePoint(cursor.text.codePointAt(at) ?? 0);
  if (character === "\n" || character === "\r") return "a line break";
  if (character === '"') return "a double quote";
  return JSON.stringify(character);
}

/** A syntax error with its place; `resumeAt` is where the search for the next rule begins. */
export class SyntaxFailure extends IncipitError {
  readonly resumeAt: number;

  constructor(finding: Finding, resumeAt: number) {
    super(finding.code, finding.message, { hint: finding.hint, findings: [finding] });
    this.resumeAt = resumeAt;
  }
}

export interface FailOptions {
  readonly code?: string;
  /** Where the offender starts; the cursor when left out. */
  readonly start?: number;
  readonly hint?: string | undefined;
  readonly resumeAt?: number;
}

/** Makes the failure for what stands at the cursor. */
export function toFailure(
  cursor: Cursor,
  message: string,
  options: FailOptions = {},
): SyntaxFailure {
  const start = Math.min(options.start ?? cursor.at, cursor.end);
  const wide = (cursor.text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
  const end = Math.min(cursor.end, Math.max(cursor.at, start + wide));
  const finding: Finding = {
    code: options.code ?? "grammar_syntax",
    severity: "error",
    message,
    span: { path: cursor.path, start, end },
    ...(options.hint === undefined ? {} : { hint: options.hint }),
  };
  return new SyntaxFailure(finding, options.resumeAt ?? start);
}
