import { describe, expect, it } from "vitest";
import { jsonContract, tryJsonContract } from "../../src/contract/index.ts";
import { parseGrammar, printGrammar } from "../../src/grammar/index.ts";
import type { Json } from "../../src/text/index.ts";

function record(properties: Readonly<Record<string, Json>>): Json {
  const required = Object.keys(properties);
  return { type: "object", properties, required, additionalProperties: false };
}

describe("distinct items are refused where there are too few values", () => {
  const bit: Json = { type: "boolean" };
  const pair = record({ a: bit, b: { enum: [1, 2, 3] } });
  it.each<[string, Json, number]>([
    ["null", { type: "null" }, 1],
    ["true and false", bit, 2],
    ["a constant", { const: "a" }, 1],
    ["a closed set", { enum: ["a", "b", "b", 1] }, 3],
    ["alternatives", { oneOf: [{ const: 1 }, { const: 2 }] }, 2],
    ["an object without keys", record({}), 1],
    ["an object, by its product", pair, 6],
    ["an object in an object", record({ p: pair, q: bit }), 12],
    ["lists of two", { type: "array", items: bit, minItems: 2, maxItems: 2 }, 4],
    ["lists of up to two", { type: "array", items: bit, maxItems: 2 }, 7],
    ["lists of nothing", { type: "array", items: { type: "string" }, maxItems: 0 }, 1],
    ["lists of distinct values", { type: "array", items: bit, uniqueItems: true }, 5],
    ["two of six", { type: "array", items: pair, uniqueItems: true, minItems: 2, maxItems: 2 }, 30],
    ["lists of one value", { type: "array", items: { type: "null" }, maxItems: 9_999 }, 10_000],
    ["the empty text", { type: "string", maxLength: 0 }, 1],
    ["letters", { type: "string", pattern: "^[a-c]{1,2}$" }, 12],
    ["alternative texts", { type: "string", pattern: "^(yes|no)(, (sir|madam))?$" }, 6],
    ["texts matched in two ways", { type: "string", pattern: "^(ab?|abb?)$" }, 3],
    ["texts cut short", { type: "string", pattern: "^(a|bb|ccc)$", maxLength: 2 }, 2],
    ["texts repeated", { type: "string", pattern: "^(ab|c){0,2}$" }, 7],
  ])("%s: %j has %d", (_title, items, count) => {
    const list = (minItems: number): Json => ({
      type: "array",
      items,
      minItems,
      maxItems: 20_000,
      uniqueItems: true,
    });
    expect(tryJsonContract(list(count)).contract).not.toBeNull();
    const { contract, findings } = tryJsonContract(list(count + 1));
    expect(contract).toBeNull();
    expect(findings.filter(({ severity }) => severity === "error")).toMatchObject([
      { code: "contract_unsatisfiable", path: "/minItems" },
    ]);
  });

  it("says how many there are", () => {
    const schema = { type: "array", items: { type: "null" }, minItems: 2, uniqueItems: true };
    expect(tryJsonContract(record({ a: schema })).findings).toMatchObject([
      {
        path: "/properties/a/minItems",
        message: '"minItems" is 2, but only 1 different item is possible.',
      },
    ]);
  });

  it.each<[string, Json]>([
    ["whole numbers", { type: "integer" }],
    ["any text", { type: "string" }],
    ["long texts", { type: "string", pattern: "^(ab|c){90}$" }],
    ["long lists", { type: "array", items: bit, minItems: 10 ** 15, maxItems: 10 ** 15 }],
    ["lists without end", { type: "array", items: { type: "null" } }],
  ])("%s are too many to count", (_title, items) => {
    const schema = { type: "array", items, minItems: 10 ** 15, uniqueItems: true };
    expect(tryJsonContract(schema).contract).not.toBeNull();
  });

  it("a pattern none of whose texts has an allowed length is refused", () => {
    const schema = { type: "string", pattern: "^(a|bbb)$", minLength: 2, maxLength: 2 };
    expect(tryJsonContract(schema).findings).toMatchObject([
      { code: "contract_unsatisfiable", path: "/pattern" },
    ]);
  });
});

describe("large schemas", () => {
  it.each<[string, (index: number) => string]>([
    ["of their own names", (index) => `key${index}`],
    ["that all ask for one name", (index) => `日${String.fromCodePoint(0x4e00 + index)}`],
  ])("an object of 20,000 texts under keys %s has a grammar", (_title, toKey) => {
    const keys = Array.from({ length: 20_000 }, (_, index) => toKey(index));
    const text: Json = { type: "string", maxLength: 5 };
    const contract = jsonContract(record(Object.fromEntries(keys.map((key) => [key, text]))));
    const source = contract.toGrammar() ?? "";
    const grammar = parseGrammar(source);
    expect(printGrammar(grammar)).toBe(source);
    expect(new Set(grammar.rules.map(({ name }) => name)).size).toBe(grammar.rules.length);
    expect(grammar.rules.length).toBeGreaterThan(20_000);
  });

  it("an object of 4,000 texts is checked, in a long text too", () => {
    const keys = Array.from({ length: 4_000 }, (_, index) => `key${index}`);
    const text: Json = { type: "string", maxLength: 40 };
    const contract = jsonContract(record(Object.fromEntries(keys.map((key) => [key, text]))));
    const print = (length: number) =>
      JSON.stringify(Object.fromEntries(keys.map((key) => [key, "a".repeat(length)])));
    expect(print(30).length).toBeGreaterThan(100_000);
    expect(contract.check(print(30)).kind).toBe("accepted");
    expect(contract.check(print(41)).kind).toBe("refused");
  });

  it("a choice of 150,000 values and a text of 30,000 letters have a grammar", () => {
    const values = Array.from({ length: 150_000 }, (_, index) => `v${index}`);
    expect(jsonContract({ enum: values }).toGrammar()).toContain('"\\"v149999\\""');
    const pattern = `^${"ab".repeat(15_000)}$`;
    expect(jsonContract({ type: "string", pattern }).toGrammar()).toBe(
      `root ::= "\\"${"ab".repeat(15_000)}\\""\n`,
    );
  });
});

describe("long lists", () => {
  const list = (more: { readonly [keyword: string]: Json } = {}) =>
    jsonContract({ type: "array", items: { type: "string", maxLength: 9 }, ...more });
  const repeated = `[${'"a","b",'.repeat(200_000)}`;

  it("that repeat two items are mended to the two", () => {
    expect(list({ uniqueItems: true }).repair(repeated)).toBe('["a","b"]');
    expect(list({ uniqueItems: true, maxItems: 7 }).repair(repeated)).toBe('["a","b"]');
    expect(list({ uniqueItems: true, minItems: 3 }).repair(repeated)).toBeNull();
    expect(list({ uniqueItems: true }).repair(`${repeated}"c"]`)).toBe('["a","b","c"]');
  });

  it("are mended to as many items as are allowed, however many there are", () => {
    expect(list({ maxItems: 3 }).repair(repeated)).toBe('["a","b","a"]');
    const distinct = Array.from({ length: 100_000 }, (_, index) => `"i${index}"`);
    const written = `[${distinct.join(",")}`;
    expect(list({ maxItems: 2, uniqueItems: true }).repair(written)).toBe('["i0","i1"]');
    expect(list({ uniqueItems: true }).repair(written)).toBe(`${written}]`);
  });

  it("end before the first wrong item, however far it stands from the end", () => {
    const right = '"a",'.repeat(999);
    expect(list().repair(`[${right}1,${right}`)).toBe(`[${right.slice(0, -1)}]`);
  });

  it("of equal objects are mended and refused, in whatever order their keys stand", () => {
    const item = record({ a: { type: "integer" }, b: { type: "integer" } });
    const contract = jsonContract({ type: "array", items: item, uniqueItems: true });
    const text = '[{"a":1,"b":2},{"b":2,"a":1},{"a":1,"b":3}]';
    expect(contract.check(text)).toMatchObject({
      findings: [
        {
          code: "contract_repeated_item",
          message: "The JSON has the same object twice (uniqueItems).",
          hint: "write each item once: items 1 and 2 are the same",
        },
      ],
    });
    expect(contract.repair(text)).toBe('[{"a":1,"b":2},{"a":1,"b":3}]');
    const many = Array.from({ length: 20_000 }, (_, index) => `{"a":${index},"b":0}`).join(",");
    expect(contract.repair(`[${many}`)).toBe(`[${many}]`);
    expect(contract.repair(`[${many},${many}]`)).toBe(`[${many}]`);
  });

  it("are written anew where the gaps between their items are wrong", () => {
    expect(list().repair('["a",  "a","b')).toBe('["a","a"]');
    expect(list().repair('["a","b",\t"c","d')).toBe('["a","b","c"]');
  });
});
