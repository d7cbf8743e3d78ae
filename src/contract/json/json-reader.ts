import type { Finding } from "../../text/index.ts";
import type { JsonMember, JsonNode } from "./json-node.ts";
import { type PointerStep, toPointer } from "./json-pointer.ts";
import { readJsonString } from "./json-string.ts";
import { quote } from "./quote.ts";

/** What the reader makes of a text. */
export type ReadJson =
  | { readonly kind: "read"; readonly node: JsonNode; readonly findings: readonly Finding[] }
  | {
      readonly kind: "unreadable";
      readonly findings: readonly Finding[];
      /**
       * When the text ended too early inside an array at its root: the offsets at which the whole
       * items of that array end. Null for every other fault.
       */
      readonly cutAfter: readonly number[] | null;
    };

export interface ReadJsonOptions {
  /** How deep arrays and objects may nest; 256 unless told. */
  readonly maxDepth?: number;
}

/** The most findings one text gives. */
export const maxFindings = 20;

const numberForm = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const gapForm = /[ \t\n\r]+/y;
const words = [
  ["null", null],
  ["true", true],
  ["false", false],
] as const;

/**
 * Reads one JSON value (RFC 8259) with the place of every part, more strictly than `JSON.parse`:
 * equal keys and lone surrogates are refused, and a gap between two parts is at most one blank or
 * line feed, with none before or after the value. Faults that leave the value readable are
 * collected; the text is acceptable only when there are no findings. Never throws.
 */
export function readJson(text: string, options: ReadJsonOptions = {}): ReadJson {
  return new JsonReader(text, options.maxDepth ?? 256).read();
}

class JsonReader {
  private at = 0;
  private readonly steps: PointerStep[] = [];
  private readonly findings: Finding[] = [];
  private readonly cutAfter: number[] = [];
  private isCut = false;
  private readonly text: string;
  private readonly maxDepth: number;

  constructor(text: string, maxDepth: number) {
    this.text = text;
    this.maxDepth = maxDepth;
  }

  read(): ReadJson {
    const gap = this.readGapText();
    if (gap !== "" && this.at < this.text.length) this.reportEdge(0, "before");
    const isArray = this.text[this.at] === "[";
    const node = this.readValue();
    if (node !== null) {
      const end = this.at;
      const trailing = this.readGapText();
      if (this.at < this.text.length) {
        const hint = "write one JSON value and end right after it";
        this.syntax(`Found ${this.next()} after the JSON value.`, hint);
      } else {
        if (trailing !== "") this.reportEdge(end, "after");
        return { kind: "read", node, findings: this.findings };
      }
    }
    const cutAfter = isArray && this.isCut ? this.cutAfter : null;
    return { kind: "unreadable", findings: this.findings, cutAfter };
  }

  /** value = object | array | string | number | "true" | "false" | "null" */
  private readValue(): JsonNode | null {
    const start = this.at;
    const first = this.text[start];
    if (first === "{" || first === "[") {
      if (this.steps.length >= this.maxDepth) {
        const hint = `nest at most ${this.maxDepth} arrays and objects`;
        this.report(
          "contract_json_depth",
          "The JSON is nested too deeply.",
          start,
          start + 1,
          hint,
        );
        return null;
      }
      return first === "{" ? this.readObject() : this.readArray();
    }
    if (first === '"') {
      const value = this.readString();
      return value === null ? null : { kind: "string", value, start, end: this.at };
    }
    numberForm.lastIndex = start;
    const spelling = numberForm.exec(this.text)?.[0];
    if (spelling !== undefined) {
      this.at += spelling.length;
      return { kind: "number", spelling, start, end: this.at };
    }
    for (const [word, value] of words) {
      if (!this.text.startsWith(word, start)) continue;
      this.at += word.length;
      const placed = { start, end: this.at };
      return value === null ? { kind: "null", ...placed } : { kind: "boolean", value, ...placed };
    }
    this.expected("a JSON value", this.toStartHint());
    return null;
  }

  /** array = "[" [ value *( "," value ) ] "]" */
  private readArray(): JsonNode | null {
    const start = this.at;
    const items: JsonNode[] = [];
    this.at += 1;
    this.readGap();
    if (this.text[this.at] === "]") {
      this.at += 1;
      return { kind: "array", items, start, end: this.at };
    }
    for (;;) {
      this.steps.push(items.length);
      const item = this.readValue();
      this.steps.pop();
      if (item === null) return null;
      items.push(item);
      // A number that reaches the end of the text may have lost digits.
      const isWhole = item.kind !== "number" || this.at < this.text.length;
      if (this.steps.length === 0 && isWhole) this.cutAfter.push(this.at);
      this.readGap();
      const mark = this.text[this.at];
      if (mark !== "," && mark !== "]") {
        this.expected('"," or "]"', "put a comma between two items and close the array");
        return null;
      }
      this.at += 1;
      if (mark === "]") return { kind: "array", items, start, end: this.at };
      this.readGap();
    }
  }

  /** object = "{" [ string ":" value *( "," string ":" value ) ] "}" */
  private readObject(): JsonNode | null {
    const start = this.at;
    const members: JsonMember[] = [];
    const keys = new Set<string>();
    this.at += 1;
    this.readGap();
    if (this.text[this.at] === "}") {
      this.at += 1;
      return { kind: "object", members, start, end: this.at };
    }
    for (;;) {
      const keyStart = this.at;
      if (this.text[keyStart] !== '"') {
        this.expected("a key in double quotes", "write every key in double quotes");
        return null;
      }
      const key = this.readString();
      if (key === null) return null;
      const keyEnd = this.at;
      this.steps.push(key);
      if (keys.has(key)) {
        const message = `The key ${quote(key)} is written twice.`;
        this.report("contract_duplicate_key", message, keyStart, keyEnd, "write each key once");
      }
      keys.add(key);
      this.readGap();
      if (this.text[this.at] !== ":") {
        this.expected('":"', "put a colon between a key and its value");
        return null;
      }
      this.at += 1;
      this.readGap();
      const value = this.readValue();
      this.steps.pop();
      if (value === null) return null;
      members.push({ key, keyStart, keyEnd, value });
      this.readGap();
      const mark = this.text[this.at];
      if (mark !== "," && mark !== "}") {
        this.expected('"," or "}"', "put a comma between two members and close the object");
        return null;
      }
      this.at += 1;
      if (mark === "}") return { kind: "object", members, start, end: this.at };
      this.readGap();
    }
  }

  private readString(): string | null {
    const read = readJsonString(this.text, this.at);
    for (const { code, message, hint, start, end } of read.faults) {
      this.report(code, message, start, end, hint);
    }
    this.at = read.end;
    if (read.kind === "cut") this.isCut = true;
    return read.kind === "whole" ? read.value : null;
  }

  private readGapText(): string {
    gapForm.lastIndex = this.at;
    const gap = gapForm.exec(this.text)?.[0] ?? "";
    this.at += gap.length;
    return gap;
  }

  /** gap = [ SP | LF ]; anything longer is read and reported, unless the text ends with it. */
  private readGap(): void {
    const start = this.at;
    const gap = this.readGapText();
    if (gap === "" || gap === " " || gap === "\n" || this.at === this.text.length) return;
    const message = `White space ${quote(gap)} stands between two parts of the JSON.`;
    const hint = "put at most one blank after a comma or a colon";
    this.report("contract_whitespace", message, start, this.at, hint);
  }

  private reportEdge(start: number, side: "before" | "after"): void {
    const hint = side === "before" ? "start with the JSON itself" : "end right after the JSON";
    this.report(
      "contract_whitespace",
      `White space stands ${side} the JSON.`,
      start,
      this.at,
      hint,
    );
  }

  private toStartHint(): string {
    if (this.text.startsWith("```", this.at)) return "write the JSON alone, without a code fence";
    if (this.steps.length === 0) return "write the JSON value alone, without any other text";
    return "write a string in double quotes, a number, true, false, null, an array or an object";
  }

  /** The character that comes next, quoted. */
  private next(): string {
    return quote(String.fromCodePoint(this.text.codePointAt(this.at) ?? 0));
  }

  private expected(what: string, hint: string): void {
    if (this.at >= this.text.length || this.isCutWord()) {
      this.isCut = true;
      const message = `The text ends where ${what} was expected.`;
      this.syntax(message, this.text === "" ? hint : "finish the JSON; write less if it is long");
    } else this.syntax(`Found ${this.next()} where ${what} was expected.`, hint);
  }

  /** Whether the text ends inside `true`, `false`, `null` or after a minus sign. */
  private isCutWord(): boolean {
    const rest = this.text.slice(this.at, this.at + 6);
    return rest === "-" || words.some(([word]) => rest !== "" && word.startsWith(rest));
  }

  private syntax(message: string, hint: string): void {
    const point = this.text.codePointAt(this.at);
    const end = point === undefined ? this.at : this.at + (point > 0xffff ? 2 : 1);
    this.report("contract_json_syntax", message, this.at, end, hint);
  }

  private report(code: string, message: string, start: number, end: number, hint: string): void {
    // The last place is kept for the fault that ends the reading.
    const isLast = code === "contract_json_syntax" || code === "contract_json_depth";
    if (this.findings.length >= (isLast ? maxFindings : maxFindings - 1)) return;
    const span = { path: "output", start, end };
    const path = toPointer(this.steps);
    this.findings.push({ code, severity: "error", message, span, path, hint });
  }
}
