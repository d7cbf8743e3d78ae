/** A text together with the path it was read from. */
export interface Source {
  /** Path as a person would write it: relative to the pack, or a file name. */
  readonly path: string;
  readonly text: string;
}

/** A stretch of a source; offsets in UTF-16 units, `end` exclusive. */
export interface SourceSpan {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** A place for people: both numbers start at 1; columns count UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Gives the line and column of an offset; an offset past the end gives the end. */
export function toPosition(text: string, offset: number): Position {
  const end = Math.max(0, Math.min(offset, text.length));
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 10 || (unit === 13 && text.charCodeAt(at + 1) !== 10)) {
      line += 1;
      lineStart = at + 1;
    }
  }
  return { line, column: end - lineStart + 1 };
}

/** Prints `path:line:column`, the line the span starts in, and a caret under it. */
export function printExcerpt(source: Source, span: SourceSpan): string {
  const { line, column } = toPosition(source.text, span.start);
  const content = source.text.split(/\r\n|\r|\n/)[line - 1] ?? "";
  const from = Math.max(0, column - 60);
  const shown = content.slice(from, from + 100).replaceAll("\t", " ");
  const width = Math.max(1, Math.min(span.end - span.start, content.length - column + 1, 60));
  const gutter = `${line} | `;
  const caret = " ".repeat(gutter.length + column - 1 - from) + "^".repeat(width);
  return `${source.path}:${line}:${column}\n${gutter}${shown}\n${caret}`;
}
