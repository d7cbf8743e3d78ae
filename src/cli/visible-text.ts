/**
 * A text from outside as it can be shown on a terminal: control characters and marks that reorder
 * text are written as escapes, so that it cannot move the cursor or hide itself. Line breaks and
 * tabs stay.
 */
export function toVisibleText(text: string): string {
  const hidden =
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
  return text.replace(hidden, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** The most UTF-16 units of a message that is shown. */
const messageLimit = 500;

/** The end of a cut message that stays: after a quoted name it says what is wrong. */
const messageTail = 160;

/** A message cut in its middle with `…` where it is long, never inside a character. */
export function toShortText(text: string): string {
  if (text.length <= messageLimit) return text;
  const head = text.slice(0, messageLimit - messageTail - 1).replace(/[\ud800-\udbff]$/, "");
  const tail = text.slice(-messageTail).replace(/^[\udc00-\udfff]/, "");
  return `${head}…${tail}`;
}

/**
 * A message as it is shown: cut where it is long, and on one line, so that no name in it can look
 * like a line of our own.
 */
export function toMessage(text: string): string {
  return toShortText(
    toVisibleText(text).replace(/[\n\u2028\u2029]/g, (character) => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
    }),
  );
}

/** A text on one line, cut with `…` after that many UTF-16 units, never inside a character. */
export function toLine(text: string, most: number): string {
  const line = toVisibleText(text.replace(/\s+/g, " ").trim());
  if (line.length <= most) return line;
  const cut = line.slice(0, most - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
