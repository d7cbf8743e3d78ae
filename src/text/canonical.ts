/** A JSON value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** Text as it is digested: CRLF and CR become LF. */
export function toCanonicalText(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/** JSON without white space, members in written order: order is meaning in a schema. */
export function printCanonicalJson(value: Json): string {
  return JSON.stringify(value);
}

/**
 * JSON by RFC 8785: no white space, members sorted by UTF-16 units. Only for values whose order
 * carries no meaning, such as a stamp.
 */
export function printSortedJson(value: Json): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
    const sorted = Object.entries(member).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return Object.fromEntries(sorted);
  });
}
