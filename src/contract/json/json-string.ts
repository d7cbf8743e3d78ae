/** A fault inside a string that leaves the rest readable, or the one that ends the reading. */
interface StringFault {
  readonly code: "contract_json_syntax" | "contract_lone_surrogate";
  readonly message: string;
  readonly hint: string;
  readonly start: number;
  readonly end: number;
}

/** A JSON string: whole, cut by the end of the text, or broken at `end`. */
export type ReadString = { readonly faults: readonly StringFault[]; readonly end: number } & (
  | { readonly kind: "whole"; readonly value: string }
  | { readonly kind: "cut" | "broken" }
);

const plainForm = /[^"\\\u0000-\u001f\ud800-\udfff]+/y;
const hexForm = /[0-9a-fA-F]{4}/y;
const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);
const mostFaults = 20;

/** Reads the JSON string whose opening quote is at `start`. */
export function readJsonString(text: string, start: number): ReadString {
  const parts: string[] = [];
  const faults: StringFault[] = [];
  let at = start + 1;
  const fault = (code: StringFault["code"], message: string, hint: string, end: number): void => {
    if (faults.length < mostFaults) faults.push({ code, message, hint, start: at, end });
  };
  for (;;) {
    plainForm.lastIndex = at;
    const plain = plainForm.exec(text)?.[0] ?? "";
    if (plain !== "") parts.push(plain);
    at += plain.length;
    const unit = text[at];
    if (unit === undefined) {
      const hint = "close every string; write less if it is long";
      fault("contract_json_syntax", "The text ends inside a string.", hint, at);
      return { kind: "cut", faults, end: at };
    }
    if (unit === '"') return { kind: "whole", value: parts.join(""), faults, end: at + 1 };
    const point = text.codePointAt(at) ?? 0;
    if (point > 0xffff) {
      parts.push(String.fromCodePoint(point));
      at += 2;
    } else if (unit !== "\\" && point >= 0xd800) {
      fault("contract_lone_surrogate", ...loneSurrogate(point), at + 1);
      parts.push("\ufffd");
      at += 1;
    } else if (unit !== "\\") {
      const name = toName(point);
      const hint = "write control characters as escapes, or leave them out";
      const message = `The raw control character ${name} stands inside a string.`;
      fault("contract_json_syntax", message, hint, at + 1);
      parts.push(unit);
      at += 1;
    } else {
      const escaped = readEscape(text, at);
      if (escaped.kind === "broken") {
        const isCut = at + escaped.length >= text.length;
        const hint = 'after a backslash write one of " \\ / b f n r t or u and four hex digits';
        const message = isCut ? "The text ends inside a string." : "A backslash starts no escape.";
        fault("contract_json_syntax", message, hint, Math.min(text.length, at + 2));
        return { kind: isCut ? "cut" : "broken", faults, end: at };
      }
      if (escaped.kind === "lone") {
        fault("contract_lone_surrogate", ...loneSurrogate(escaped.unit), at + 6);
      }
      parts.push(escaped.kind === "lone" ? "\ufffd" : escaped.value);
      at += escaped.length;
    }
  }
}

type Escape = { readonly length: number } & (
  | { readonly kind: "read"; readonly value: string }
  | { readonly kind: "lone"; readonly unit: number }
  | { readonly kind: "broken" }
);

/** escape = "\" ( one of `"\/bfnrt` | "u" 4hex ); a high surrogate takes the low one after it. */
function readEscape(text: string, at: number): Escape {
  const letter = text[at + 1] ?? "";
  const short = escapes.get(letter);
  if (short !== undefined) return { kind: "read", value: short, length: 2 };
  const unit = letter === "u" ? readHex(text, at + 2) : null;
  if (unit === null) {
    let length = letter === "u" ? 2 : 1;
    while (length > 1 && /[0-9a-fA-F]/.test(text[at + length] ?? "")) length += 1;
    return { kind: "broken", length };
  }
  if (unit < 0xd800 || unit > 0xdfff) {
    return { kind: "read", value: String.fromCharCode(unit), length: 6 };
  }
  const low = text.startsWith("\\u", at + 6) ? readHex(text, at + 8) : null;
  if (unit > 0xdbff || low === null || low < 0xdc00 || low > 0xdfff) {
    return { kind: "lone", unit, length: 6 };
  }
  return { kind: "read", value: String.fromCharCode(unit, low), length: 12 };
}

function readHex(text: string, at: number): number | null {
  hexForm.lastIndex = at;
  const digits = hexForm.exec(text)?.[0];
  return digits === undefined ? null : Number.parseInt(digits, 16);
}

function loneSurrogate(unit: number): [message: string, hint: string] {
  const message = `The lone surrogate ${toName(unit)} stands inside a string.`;
  return [message, "write the character itself, or leave it out"];
}

function toName(point: number): string {
  return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}
