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
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(printSortedJson).join(",")}]`;
  const members = Object.entries(value as { readonly [key: string]: Json })
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, member]) => `${JSON.stringify(key)}:${printSortedJson(member)}`);
  return `{${members.join(",")}}`;
}
