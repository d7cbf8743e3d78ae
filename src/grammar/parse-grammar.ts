import { type Finding, IncipitError, type Source } from "../text/index.ts";
import type { Alternatives, Grammar, Item, Rule, Sequence } from "./ast.ts";
import {
  type Cursor,
  createCursor,
  peek,
  quoteAt,
  SyntaxFailure,
  skipGap,
  spanFrom,
  take,
  takeMatch,
  toFailure,
} from "./cursor.ts";
import { parseQuantifier } from "./parse-quantifier.ts";
import { parseClass, parseLiteral, parseToken } from "./parse-terminal.ts";
import { quoteName } from "./quote-name.ts";
import { toDefineHint, toEndHint, toNameHint } from "./syntax-hint.ts";

export interface ParseOptions {
  /** Most parentheses open at once; 50,000 when left out. */
  readonly maxDepth?: number;
  /** Most UTF-16 units of the text; 16,000,000 when left out. */
  readonly maxLength?: number;
}

/** A grammar, or null when the findings hold an error. */
export interface ParsedGrammar {
  readonly grammar: Grammar | null;
  readonly findings: readonly Finding[];
}

const mostFindings = 100;

/**
 * Parses a GBNF text as llama.cpp 0.4 reads it. Throws `grammar_syntax` with one finding for each
 * rule that cannot be read. Whether the rules make sense together is what `analyzeGrammar` says.
 */
export function parseGrammar(source: string | Source, options: ParseOptions = {}): Grammar {
  const { grammar, findings } = tryParseGrammar(source, options);
  if (grammar !== null) return grammar;
  const first = findings.find((finding) => finding.severity === "error");
  throw new IncipitError(
    first?.code ?? "grammar_syntax",
    first?.message ?? "The text is no grammar.",
    { hint: first?.hint, findings },
  );
}

/** Parses a GBNF text and gives its findings; throws on no text. */
export function tryParseGrammar(
  source: string | Source,
  options: ParseOptions = {},
): ParsedGrammar {
  const { maxDepth = 50_000, maxLength = 16_000_000 } = options;
  const cursor = createCursor(
    typeof source === "string" ? { path: "grammar.gbnf", text: source } : source,
  );
  const { text, path, end } = cursor;
  if (text.length > maxLength) {
    const message = `The text has ${text.length} units, more than the limit of ${maxLength}.`;
    const span = { path, start: 0, end: 0 };
    return {
      grammar: null,
      findings: [{ code: "grammar_too_large", severity: "error", message, span }],
    };
  }
  const rules: Rule[] = [];
  const findings: Finding[] = [];
  if (end < text.length) {
    findings.push({
      code: "grammar_nul",
      severity: "warning",
      message: "A NUL character ends the grammar; what follows it is not read.",
      span: { path, start: end, end: end + 1 },
      hint: "write \\u0000 for the character itself",
    });
  }
  skipGap(cursor, "line-breaks");
  while (cursor.at < end && findings.length < mostFindings) {
    try {
      rules.push(parseRule(cursor, findings, maxDepth));
    } catch (failure) {
      if (!(failure instanceof SyntaxFailure)) throw failure;
      findings.push(...failure.findings);
      cursor.at = findNextRule(cursor, failure.resumeAt);
    }
  }
  if (findings.some((finding) => finding.severity === "error")) return { grammar: null, findings };
  const { comments } = cursor;
  const grammar: Grammar = {
    kind: "grammar",
    rules,
    ...(comments.length === 0 ? {} : { comments }),
  };
  return { grammar, findings };
}

/** rule = name gap "::=" wide-gap alternates line-end wide-gap */
function parseRule(cursor: Cursor, findings: Finding[], maxDepth: number): Rule {
  const start = cursor.at;
  const name = parseName(cursor);
  if (name === "") {
    throw toFailure(cursor, `Expected the name of a rule, found ${quoteAt(cursor, start)}.`, {
      hint: toNameHint(peek(cursor)),
    });
  }
  const nameSpan = spanFrom(cursor, start);
  skipGap(cursor, "one-line");
  if (!take(cursor, "::=")) {
    const found = quoteAt(cursor, cursor.at);
    throw toFailure(cursor, `Expected "::=" after the name ${quoteName(name)}, found ${found}.`, {
      hint: toDefineHint(peek(cursor)),
    });
  }
  skipGap(cursor, "line-breaks");
  const body = parseAlternates(cursor, findings, maxDepth);
  const span = { ...nameSpan, end: body.span?.end ?? nameSpan.end };
  if (cursor.at < cursor.end && !take(cursor, "\r\n") && !take(cursor, "\n")) {
    if (!take(cursor, "\r")) {
      const found = quoteAt(cursor, cursor.at);
      throw toFailure(cursor, `Expected the end of the rule ${quoteName(name)}, found ${found}.`, {
        hint: toEndHint(peek(cursor)),
      });
    }
  }
  const { comments } = cursor;
  cursor.comments = [];
  skipGap(cursor, "line-breaks");
  return {
    kind: "rule",
    name,
    body,
    ...(comments.length === 0 ? {} : { comments }),
    span,
    nameSpan,
  };
}

/** name = [A-Za-z0-9-]+ */
function parseName(cursor: Cursor): string {
  return takeMatch(cursor, /[A-Za-z0-9-]*/y);
}

/** Alternatives that are being read: the body of a rule, or of an open parenthesis. */
interface Frame {
  /** Where the parenthesis stands; of a rule's body, where the body begins. */
  readonly openedAt: number;
  readonly sequences: Sequence[];
  items: Item[];
  sequenceStart: number;
  /** What a quantifier would repeat is the last item; false after an item that leaves nothing. */
  canRepeat: boolean;
}

/**
 * alternates = sequence { "|" wide-gap sequence }
 * sequence   = { item trail { quantifier trail } }
 * item       = literal | class | "." | token | name | "(" wide-gap alternates ")"
 *
 * One loop with a stack of its own, so that depth is a limit and never an overflow.
 */
function parseAlternates(cursor: Cursor, findings: Finding[], maxDepth: number): Alternatives {
  const outer: Frame[] = [];
  let frame = openFrame(cursor.at, cursor.at);
  const trail = (): void => skipGap(cursor, outer.length > 0 ? "line-breaks" : "one-line");
  for (;;) {
    const start = cursor.at;
    const character = peek(cursor);
    if (character === "(") {
      if (outer.length >= maxDepth) {
        throw toFailure(cursor, `More than ${maxDepth} parentheses are open here.`, {
          code: "grammar_too_deep",
          resumeAt: cursor.end,
        });
      }
      cursor.at += 1;
      skipGap(cursor, "line-breaks");
      outer.push(frame);
      frame = openFrame(start, cursor.at);
    } else if (character === "|") {
      closeSequence(cursor, frame);
      cursor.at += 1;
      skipGap(cursor, "line-breaks");
      frame.sequenceStart = cursor.at;
    } else if (character !== "" && "*+?{".includes(character)) {
      const bounds = parseQuantifier(cursor, trail);
      const item = frame.canRepeat ? frame.items.pop() : undefined;
      if (item === undefined) {
        throw toFailure(cursor, `There is nothing to repeat before "${character}".`, {
          start,
          hint: 'a quantifier follows an item that is not empty, unlike "", [] or x{0}',
        });
      }
      const span = spanFrom(cursor, item.span?.start ?? start);
      frame.items.push({ kind: "repetition", item, ...bounds, span });
      frame.canRepeat = bounds.max !== 0;
      trail();
    } else {
      const item = parseSimpleItem(cursor, character);
      if (item !== null) {
        pushItem(frame, item, findings);
        trail();
        continue;
      }
      closeSequence(cursor, frame);
      const body = toAlternatives(cursor, frame);
      const parent = outer.pop();
      if (parent === undefined) return body;
      if (!take(cursor, ")")) {
        const found = quoteAt(cursor, start);
        throw toFailure(cursor, `Expected ")" for an open parenthesis, found ${found}.`, {
          hint: toEndHint(peek(cursor)),
          resumeAt: frame.openedAt,
        });
      }
      parent.items.push({ kind: "group", body, span: spanFrom(cursor, frame.openedAt) });
      parent.canRepeat = true;
      frame = parent;
      trail();
    }
  }
}

function openFrame(openedAt: number, sequenceStart: number): Frame {
  return { openedAt, sequences: [], items: [], sequenceStart, canRepeat: false };
}

function closeSequence(cursor: Cursor, frame: Frame): void {
  const start = frame.items[0]?.span?.start ?? frame.sequenceStart;
  const end = frame.items.at(-1)?.span?.end ?? frame.sequenceStart;
  const span = { path: cursor.path, start, end };
  frame.sequences.push({ kind: "sequence", items: frame.items, span });
  frame.items = [];
  frame.canRepeat = false;
}

function toAlternatives(cursor: Cursor, { sequences }: Frame): Alternatives {
  const start = sequences[0]?.span?.start ?? cursor.at;
  const end = sequences.at(-1)?.span?.end ?? cursor.at;
  return { kind: "alternatives", sequences, span: { path: cursor.path, start, end } };
}

/** Adds an item to its sequence. An empty one leaves no node, and nothing to repeat. */
function pushItem(frame: Frame, item: Item, findings: Finding[]): void {
  frame.canRepeat = true;
  if (item.kind === "literal" && item.codePoints.length === 0) {
    frame.canRepeat = false;
  } else if (item.kind === "character-class" && item.ranges.length === 0) {
    frame.canRepeat = false;
    findings.push({
      code: "grammar_empty_class",
      severity: "warning",
      message: `The class ${item.negated ? "[^]" : "[]"} has no member; it matches the empty text.`,
      ...(item.span === undefined ? {} : { span: item.span }),
      hint: 'write . for any character, "" for the empty text',
    });
  } else {
    frame.items.push(item);
  }
}

/** literal | class | "." | token | name, or null where none begins */
function parseSimpleItem(cursor: Cursor, character: string): Item | null {
  switch (character) {
    case '"':
      return parseLiteral(cursor);
    case "[":
      return parseClass(cursor);
    case "<":
    case "!":
      return parseToken(cursor);
    case ".": {
      const start = cursor.at;
      cursor.at += 1;
      return { kind: "any-character", span: spanFrom(cursor, start) };
    }
    default: {
      const start = cursor.at;
      const name = parseName(cursor);
      return name === "" ? null : { kind: "rule-reference", name, span: spanFrom(cursor, start) };
    }
  }
}

/** The start of the next line after an offset that looks like the head of a rule. */
function findNextRule(cursor: Cursor, after: number): number {
  const head = /[\r\n][ \t]*[\w-]+[ \t]*:{0,2}=/g;
  head.lastIndex = after;
  const match = head.exec(cursor.text);
  return match === null || match.index >= cursor.end ? cursor.end : skipBlanks(cursor, match.index);
}

function skipBlanks(cursor: Cursor, at: number): number {
  cursor.at = at;
  cursor.comments = [];
  skipGap(cursor, "line-breaks");
  return cursor.at;
}
