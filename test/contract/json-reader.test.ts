import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toJson } from "../../src/contract/json/json-node.ts";
import { readJson } from "../../src/contract/json/json-reader.ts";
import type { Json } from "../../src/text/index.ts";

function codes(text: string): string[] {
  return readJson(text).findings.map(({ code }) => code);
}

function read(text: string): Json | undefined {
  const result = readJson(text);
  return result.kind === "read" && result.findings.length === 0 ? toJson(result.node) : undefined;
}

describe("the strict JSON reader", () => {
  it.each([
    ["null", null],
    ["true", true],
    ["-0.5e+2", -50],
    ['"a\\u00e9\\n\\/\\ud83d\\ude00"', "aé\n/😀"],
    ["[]", []],
    ["[ ]", []],
    ['{"a": [1,\n2] ,"b" :{}}', { a: [1, 2], b: {} }],
  ])("reads %s", (text, value) => {
    expect(read(text)).toEqual(value);
  });

  it("keeps the spelling of numbers", () => {
    const result = readJson("[1.0,12345678901234567890]");
    expect(result).toMatchObject({
      node: { items: [{ spelling: "1.0" }, { spelling: "12345678901234567890" }] },
    });
  });

  it("gives the place of every node", () => {
    expect(readJson('{"a":[1]}')).toMatchObject({
      node: {
        start: 0,
        end: 9,
        members: [{ keyStart: 1, keyEnd: 4, value: { start: 5, end: 8, items: [{ start: 6 }] } }],
      },
    });
  });

  it("makes an own member of the key __proto__", () => {
    const value = read('{"__proto__":1}');
    expect(Object.entries(value as object)).toEqual([["__proto__", 1]]);
  });

  it.each([
    "",
    " ",
    "nul",
    "01",
    "+1",
    "1.",
    ".5",
    "1e",
    "'a'",
    '"a',
    '"\\x41"',
    '"\\u12g4"',
    '"\t"',
    '"\u0000"',
    "[1,]",
    "[,1]",
    "[1 2]",
    '{"a":1,}',
    "{a:1}",
    '{"a"}',
    "[1]]",
    "[1] 2",
    "\ufeff[]",
    "\u00a0[]",
    "NaN",
    "undefined",
    "// a\n1",
  ])("refuses %j as JSON", (text) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(codes(text)).toContain("contract_json_syntax");
  });

  it.each([
    [" []", 0, 1],
    ["\n[]", 0, 1],
    ["[] ", 2, 3],
    ["[]\n", 2, 3],
    ["[1,  2]", 3, 5],
    ["[1,\t2]", 3, 4],
    ["[1,\r\n2]", 3, 5],
    ["[\r\n1]", 1, 3],
    ["[1\n\n]", 2, 4],
  ])("refuses the white space in %j", (text, start, end) => {
    expect(readJson(text).findings).toMatchObject([
      { code: "contract_whitespace", severity: "error", span: { path: "output", start, end } },
    ]);
  });

  it("refuses equal keys, however they are spelled, with the pointer of the second", () => {
    expect(readJson('{"o":{"a":1,"\\u0061":2}}').findings).toMatchObject([
      { code: "contract_duplicate_key", path: "/o/a", span: { start: 12, end: 20 } },
    ]);
  });

  it.each([
    '"\\ud800"',
    '"\\udc00"',
    '"\\ud800a"',
    '"\\ud83d\\ud83d\\ude00"',
    '"\ud800"',
    '"\udc00\ud800"',
  ])("refuses the lone surrogate in %j", (text) => {
    expect(new Set(codes(text))).toEqual(new Set(["contract_lone_surrogate"]));
  });

  it("escapes the pointer of a finding", () => {
    expect(readJson('{"a/b":{"~":[1,01]}}').findings[0]?.path).toBe("/a~1b/~0");
  });

  it("limits the depth instead of overflowing", () => {
    expect(codes("[".repeat(256) + "]".repeat(256))).toEqual([]);
    expect(codes("[".repeat(257))).toEqual(["contract_json_depth"]);
    expect(codes('{"a":'.repeat(1_000_000))).toEqual(["contract_json_depth"]);
  });

  it("gives at most twenty findings", () => {
    expect(codes(`[${"  1,".repeat(5_000)}1]`)).toHaveLength(19);
    expect(codes(`[${"  1,".repeat(5_000)}]`)).toHaveLength(20);
  });

  it("says where the whole items of a cut array end", () => {
    const cutAfter = (text: string) => {
      const result = readJson(text);
      return result.kind === "unreadable" ? result.cutAfter : undefined;
    };
    expect(cutAfter('["a","b","c')).toEqual([4, 8]);
    expect(cutAfter('["a","b"')).toEqual([4, 8]);
    expect(cutAfter("[10,20")).toEqual([3]);
    expect(cutAfter("[true,fal")).toEqual([5]);
    expect(cutAfter('["a","\\u00')).toEqual([4]);
    expect(cutAfter('["a","b\\')).toEqual([4]);
    expect(cutAfter('[{"a":[1,2]},{"a":[1')).toEqual([12]);
    expect(cutAfter('["a" "b"]')).toBeNull();
    expect(cutAfter('{"a":["b"')).toBeNull();
    expect(cutAfter("[1]")).toBeUndefined();
  });

  it("reads what JSON.stringify prints, as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const text = JSON.stringify(value);
        const result = readJson(text);
        expect(result.findings.filter(({ code }) => code !== "contract_lone_surrogate")).toEqual(
          [],
        );
        if (result.findings.length === 0 && result.kind === "read") {
          expect(toJson(result.node)).toEqual(JSON.parse(text));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("never accepts what JSON.parse refuses, and never throws, on any string", () => {
    const fragment = fc.constantFrom(
      ...['"', "\\", "u", "d83d", "\\u", "[", "]", "{", "}", ",", ":", " ", "\n", "\t", "\r"],
      ...["-", "0", "1", ".", "e", "true", "fal", "null", "a", "\ud83d", "\ude00", "\0", "é"],
    );
    const anyText = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(fragment, { maxLength: 30 }).map((parts) => parts.join("")),
    );
    let accepted = 0;
    fc.assert(
      fc.property(anyText, (text) => {
        const value = read(text);
        if (value === undefined) return;
        accepted += 1;
        expect(value).toEqual(JSON.parse(text));
      }),
      { numRuns: 20_000 },
    );
    expect(accepted).toBeGreaterThan(20);
  });

  it("reads a text of ten million characters", () => {
    const text = `["${"a".repeat(10_000_000)}"]`;
    expect(readJson(text).findings).toEqual([]);
    expect(codes(text.slice(0, -2))).toEqual(["contract_json_syntax"]);
  });
});
