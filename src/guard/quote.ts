const unsafe = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

/**
 * A short text from outside on one line: quoted as a JSON string, line and paragraph separators
 * and control characters escaped, cut at `maxLength` code points. It can start no line of its own.
 */
export function quoteLine(text: string, maxLength = 200): string {
  const points = [...text];
  const kept = points.length > maxLength ? `${points.slice(0, maxLength - 1).join("")}…` : text;
  return JSON.stringify(kept).replace(
    unsafe,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
