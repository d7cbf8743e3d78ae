import { describe, expect, it } from "vitest";
import {
  jsonContract,
  textContract,
  toContract,
  tryJsonContract,
} from "../../src/contract/index.ts";
import { digestParts, IncipitError, type Json } from "../../src/text/index.ts";
import { decomposeSchema, extractSchema, tagsSchema } from "./task-schemas.ts";

function refusals(schema: Json): (readonly [code: string, path: string | undefined])[] {
  const { contract, findings } = tryJsonContract(schema);
  expect(contract).toBeNull();
  return findings.filter(({ severity }) => severity === "error").map((f) => [f.code, f.path]);
}

function hints(schema: Json, text: string): (readonly [path: string | undefined, hint: string])[] {
  const checked = jsonContract(schema).check(text);
  if (checked.kind === "accepted") return [];
  return checked.findings.map(({ path, hint }) => [path, hint ?? ""]);
}

describe("the grammar of a contract", () => {
  it("is readable, with one rule for each part", () => {
    expect(
      jsonContract(tagsSchema).toGrammar(),
    ).toBe(`root ::= "{\\"topic\\":" gap topic "," gap "\\"intent\\":" gap intent "}"
gap ::= " "?
topic ::= "\\"" [0-9a-z]{1,24} topic-part{0,2} "\\""
topic-part ::= "-" [0-9a-z]{1,24}
intent ::=
  "\\"planning\\"" |
  "\\"reflection\\"" |
  "\\"venting\\"" |
  "\\"capture\\"" |
  "\\"decision\\"" |
  "\\"question\\""
`);
  });

  it("gives every rule a valid name of its own", () => {
    const names = [
      "root",
      "gap",
      "Due Date",
      "due_date",
      "dueDate",
      "日付",
      "名前",
      "é",
      "hex",
      "-",
    ];
    const contract = jsonContract({
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, { const: name }])),
      required: names,
      additionalProperties: false,
    });
    const rules = [...(contract.toGrammar() ?? "").matchAll(/^(\S+) ::=/gm)].map(
      ([, name]) => name,
    );
    expect(rules).toEqual([
      "root",
      "gap",
      "root-2",
      "gap-2",
      "due-date",
      "due-date-2",
      "due-date-3",
      "value",
      "value-2",
      "e",
      "hex",
      "value-3",
    ]);
  });
});

describe("what is not understood", () => {
  it.each<[string, Json, [string, string][]]>([
    ["a format", { type: "string", format: "date" }, [["contract_unsupported_keyword", "/format"]]],
    [
      "a misspelt keyword",
      { type: "string", minlength: 1 },
      [["contract_unsupported_keyword", "/minlength"]],
    ],
    [
      "an optional key",
      { type: "object", properties: { "a/b": { type: "null" } }, additionalProperties: false },
      [["contract_unsupported_keyword", "/properties/a~1b"]],
    ],
    ["an open object", { type: "object" }, [["contract_unsupported_keyword", ""]]],
    [
      "an open object that says so",
      { type: "object", additionalProperties: true },
      [["contract_unsupported_keyword", "/additionalProperties"]],
    ],
    [
      "a required key without a schema",
      { type: "object", required: ["a"], additionalProperties: false },
      [["contract_unsatisfiable", "/required"]],
    ],
    [
      "bounds of a number",
      { type: "integer", minimum: 1 },
      [["contract_unsupported_keyword", "/minimum"]],
    ],
    ["several types", { type: ["string", "null"] }, [["contract_unsupported_keyword", "/type"]]],
    ["an unknown type", { type: "text" }, [["contract_schema_value", "/type"]]],
    ["no type", {}, [["contract_unsupported_keyword", ""]]],
    ["a reference", { $ref: "#/$defs/a" }, [["contract_unsupported_keyword", "/$ref"]]],
    ["a boolean schema", true, [["contract_schema_value", ""]]],
    [
      "alternatives without const",
      { oneOf: [{ type: "string" }] },
      [["contract_unsupported_keyword", "/oneOf/0"]],
    ],
    [
      "a keyword beside const in an alternative",
      { anyOf: [{ const: 1, minimum: 0 }] },
      [["contract_unsupported_keyword", "/anyOf/0/minimum"]],
    ],
    ["a value with parts", { enum: [[1]] }, [["contract_unsupported_keyword", "/enum"]]],
    [
      "a keyword beside enum",
      { enum: ["a"], minLength: 1 },
      [["contract_unsupported_keyword", "/minLength"]],
    ],
    ["an empty enum", { enum: [] }, [["contract_schema_value", "/enum"]]],
    [
      "one value twice under oneOf",
      { oneOf: [{ const: 1 }, { const: 1 }] },
      [["contract_unsatisfiable", "/oneOf"]],
    ],
    [
      "a value of another type",
      { type: "string", enum: ["a", 1] },
      [["contract_unsatisfiable", "/enum"]],
    ],
    ["a wrong count", { type: "string", minLength: -1 }, [["contract_schema_value", "/minLength"]]],
    [
      "crossed lengths",
      { type: "string", minLength: 3, maxLength: 2 },
      [["contract_unsatisfiable", "/minLength"]],
    ],
    [
      "crossed counts",
      { type: "array", items: { type: "null" }, minItems: 3, maxItems: 2 },
      [["contract_unsatisfiable", "/minItems"]],
    ],
    [
      "more different items than there are",
      { type: "array", items: { enum: ["a", "b"] }, minItems: 3, maxItems: 9, uniqueItems: true },
      [["contract_unsatisfiable", "/minItems"]],
    ],
    ["any items", { type: "array" }, [["contract_unsupported_keyword", ""]]],
    [
      "a tuple",
      { type: "array", items: { type: "null" }, prefixItems: [] },
      [["contract_unsupported_keyword", "/prefixItems"]],
    ],
  ])("%s is refused with its pointer", (_title, schema, wanted) => {
    expect(refusals(schema)).toEqual(wanted);
  });

  it("reports every fault, not only the first", () => {
    expect(
      refusals({
        type: "object",
        properties: { a: { type: "string", format: "x" }, b: { type: "number", minimum: 1 } },
        required: ["a", "b"],
        additionalProperties: false,
      }),
    ).toEqual([
      ["contract_unsupported_keyword", "/properties/a/format"],
      ["contract_unsupported_keyword", "/properties/b/minimum"],
    ]);
  });

  it("takes 64 arrays and objects, one in the other, and no more", () => {
    const wrap = {
      array: (items: Json): Json => ({ type: "array", items, maxItems: 1 }),
      object: (items: Json): Json => ({
        type: "object",
        properties: { items },
        required: ["items"],
        additionalProperties: false,
      }),
    };
    for (const [kind, step] of [
      ["array", "/items"],
      ["object", "/properties/items"],
    ] as const) {
      let schema: Json = { type: "null" };
      for (let depth = 0; depth < 64; depth += 1) schema = wrap[kind](schema);
      expect(tryJsonContract(schema).findings).toEqual([]);
      expect(refusals(wrap[kind](schema))).toEqual([["contract_schema_depth", step.repeat(64)]]);
    }
  });

  it("refuses endless nesting and schemas that contain themselves", () => {
    let schema: Json = { type: "null" };
    for (let depth = 0; depth < 2_000; depth += 1) schema = { type: "array", items: schema };
    expect(refusals(schema).map(([code]) => code)).toEqual(["contract_schema_depth"]);
    const endless: Record<string, Json> = { type: "array" };
    endless.items = endless;
    expect(refusals(endless)).toEqual([["contract_schema_value", ""]]);
  });

  it("throws the first fault with its place and all findings", () => {
    const make = () => toContract({ kind: "json", schema: { type: "string", format: "date" } });
    expect(make).toThrow(IncipitError);
    expect(make).toThrow('at /format: The keyword "format" is not supported here.');
  });

  it("takes annotations as they are", () => {
    const schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      $comment: "c",
      title: "t",
      default: "a",
      examples: ["a"],
      type: "string",
      maxLength: 3,
    };
    const contract = jsonContract(schema);
    expect(contract.check('"abc"').kind).toBe("accepted");
    expect(contract.check('"abcd"').kind).toBe("refused");
    expect(contract.toJsonSchema()).toEqual(schema);
  });

  it("notes where an output has no bound", () => {
    const { findings } = tryJsonContract({ type: "array", items: { type: "string" } });
    expect(findings.map(({ code, severity, path }) => [code, severity, path])).toEqual([
      ["contract_unbounded", "info", "/items"],
      ["contract_unbounded", "info", ""],
    ]);
  });

  it("is not changed by a later change of the schema", () => {
    const schema = { enum: ["a"] };
    const contract = jsonContract(schema);
    schema.enum.push("b");
    expect(contract.check('"b"').kind).toBe("refused");
    expect(contract.toJsonSchema()).toEqual({ enum: ["a"] });
    expect(contract.digest).toBe(digestParts("contract/1", ['{"enum":["a"]}']));
  });
});

describe("hints a small model can act on", () => {
  it.each<[Json, string, [string, string][]]>([
    [
      tagsSchema,
      '{"topic":"ai","intent":"Planning"}',
      [
        [
          "/intent",
          '"intent" must be one of planning, reflection, venting, capture, decision, question',
        ],
      ],
    ],
    [
      tagsSchema,
      '{"topic":"A","intent":"planning"}',
      [
        [
          "/topic",
          '"topic" must be: 1 to 3 lower-case words of a-z and 0-9, joined by single hyphens (for example "interview-prep")',
        ],
      ],
    ],
    [tagsSchema, '{"topic":"a"}', [["", 'add the key "intent"']]],
    [
      tagsSchema,
      '{"topic":"a","intent":"planning","x":1}',
      [["", 'leave out "x"; the keys are "topic", "intent"']],
    ],
    [
      tagsSchema,
      '{"topic":1,"intent":"planning"}',
      [["/topic", '"topic" must be a text in double quotes']],
    ],
    [tagsSchema, "[]", [["", "the JSON must be an object"]]],
    [tagsSchema, "```json\n{}", [["", "write the JSON alone, without a code fence"]]],
    [decomposeSchema, '["a","b"]', [["", "write between 3 and 7 items, there are 2"]]],
    [
      extractSchema,
      JSON.stringify(Array.from({ length: 21 }, (_, index) => `${index}`)),
      [["", "write at most 20 items, there are 21"]],
    ],
    [decomposeSchema, '["a","b","b"]', [["", "write each item once: items 2 and 3 are the same"]]],
    [
      decomposeSchema,
      `["a","b","${"é".repeat(161)}"]`,
      [["/2", "item 3 must have between 1 and 160 characters, it has 161"]],
    ],
    [{ const: "a b" }, '"x"', [["", 'the JSON must be "a b"']]],
    [{ anyOf: [{ const: 1 }, { const: null }] }, "2", [["", "the JSON must be one of 1, null"]]],
    [{ type: "boolean" }, '"true"', [["", "the JSON must be true or false"]]],
  ])("%# %s", (schema, text, wanted) => {
    expect(hints(schema, text)).toEqual(wanted);
  });

  it("gives the value in the schema's order, whatever order it was read in", () => {
    const checked = jsonContract(tagsSchema).check('{"intent":"planning",\n"topic" : "abc"}');
    expect(checked.kind === "accepted" && JSON.stringify(checked.value)).toBe(
      '{"topic":"abc","intent":"planning"}',
    );
  });

  it("refuses a whole number whose last digits would be lost", () => {
    expect(jsonContract({ type: "integer" }).check("9007199254740993")).toMatchObject({
      kind: "refused",
      findings: [{ code: "contract_number_range" }],
    });
    expect(jsonContract({ type: "integer" }).check("9007199254740991")).toMatchObject({
      kind: "accepted",
      value: 9007199254740991,
    });
  });

  it("names the keyword and the place in the text", () => {
    const checked = jsonContract(tagsSchema).check('{"topic":"ai","intent":"Planning"}');
    expect(checked).toEqual({
      kind: "refused",
      findings: [
        {
          code: "contract_schema",
          severity: "error",
          message: '"intent" is "Planning" (oneOf).',
          span: { path: "output", start: 23, end: 33 },
          path: "/intent",
          hint: '"intent" must be one of planning, reflection, venting, capture, decision, question',
        },
      ],
    });
  });

  it("does not take inherited names for keys", () => {
    const schema: Json = {
      type: "object",
      properties: { toString: { type: "string" } },
      required: ["toString"],
      additionalProperties: false,
    };
    expect(hints(schema, "{}")).toEqual([["", 'add the key "toString"']]);
    expect(hints(tagsSchema, '{"topic":"a","intent":"planning","__proto__":1}')).toHaveLength(1);
  });

  it("refuses numbers that become infinite", () => {
    const checked = jsonContract({ type: "array", items: { type: "number" } }).check("[1e999]");
    expect(checked).toMatchObject({ findings: [{ code: "contract_number_range", path: "/0" }] });
  });

  it("judges a text of millions of wrong items without listing them", () => {
    const wrong = `[${"1,".repeat(2_000_000)}1]`;
    for (const schema of [decomposeSchema, { type: "array", items: { oneOf: [{ const: "a" }] } }]) {
      expect(hints(schema, wrong)).toHaveLength(1);
    }
    const many = `[${"1,".repeat(40_000)}1]`;
    const choices = ["a", "b", "c"].map((value) => ({ const: value }));
    const found = hints({ type: "array", items: { anyOf: choices } }, many);
    expect(found).toHaveLength(20);
    expect(found[19]).toEqual(["/19", "item 20 must be one of a, b, c"]);
  });

  it("lists at most twenty findings", () => {
    const text = JSON.stringify(Array.from({ length: 5_000 }, () => 1));
    expect(hints(decomposeSchema, text)).toHaveLength(20);
  });
});

describe("the instructions of a contract", () => {
  it("describe an object by its keys and its form", () => {
    expect(jsonContract(tagsSchema).describe()).toBe(
      `Write one JSON object with these 2 keys, in this order, and nothing else.
- "topic": 1 to 3 lower-case words of a-z and 0-9, joined by single hyphens, for example "interview-prep"
- "intent": exactly one of "planning" (does planning), "reflection" (does reflection), "venting" (does venting), "capture" (does capture), "decision" (does decision), "question" (does question)
Form: {"topic":"…","intent":"…"}`,
    );
  });

  it("describe an array by its number of items", () => {
    expect(jsonContract(decomposeSchema).describe()).toBe(
      `Write one JSON array of 3 to 7 strings, no two of them the same, and nothing else.
- each string: 1 to 160 characters, on one line
Form: ["…","…","…",…]`,
    );
    expect(jsonContract(extractSchema).describe()).toBe(
      `Write one JSON array of at most 20 strings, no two of them the same, [] if there are none, and nothing else.
- each string: 1 to 160 characters, on one line
Form: ["…","…",…]`,
    );
  });

  it("describe a choice in one line", () => {
    expect(
      jsonContract({
        oneOf: [{ const: "yes", description: "it is so" }, { const: "no" }],
      }).describe(),
    ).toBe('Write exactly one of "yes" (it is so), "no", and nothing else.');
  });

  it("show a pattern where the author describes nothing", () => {
    expect(jsonContract({ type: "string", pattern: "^[a-z]{2}$" }).describe()).toBe(
      "Write one JSON string, in double quotes: text matching ^[a-z]{2}$, and nothing else.",
    );
  });

  it("show nested arrays once each, so that they do not double the form", () => {
    const nest = (depth: number): Json =>
      depth === 0 ? { type: "null" } : { type: "array", items: nest(depth - 1), maxItems: 2 };
    expect(jsonContract(nest(3)).describe().split("\n").at(-1)).toBe("Form: [[[…,…],…],…]");
    const lengths = [16, 32, 64].map((depth) => jsonContract(nest(depth)).describe().length);
    expect(lengths.every((length) => length < 10_000)).toBe(true);
    const tags: Json = {
      type: "object",
      properties: { tags: { type: "array", items: { type: "string" }, maxItems: 9 } },
      required: ["tags"],
      additionalProperties: false,
    };
    const list = jsonContract({ type: "array", items: tags, minItems: 2, maxItems: 2 });
    expect(list.describe().split("\n").at(-1)).toBe('Form: [{"tags":["…","…",…]},…]');
  });

  it("describe what is nested", () => {
    const person: Json = {
      type: "object",
      properties: { name: { type: "string", maxLength: 40 }, age: { type: "integer" } },
      required: ["name", "age"],
      additionalProperties: false,
    };
    expect(
      jsonContract({ type: "array", items: person, minItems: 1, maxItems: 1 }).describe(),
    ).toBe(
      `Write one JSON array of 1 object, and nothing else.
- each object: an object with these 2 keys, in this order
  - "name": at most 40 characters
  - "age": a whole number
Form: [{"name":"…","age":…}]`,
    );
  });
});

describe("the type of a contract", () => {
  it.each<[Json, string]>([
    [
      tagsSchema,
      '{ readonly topic: string; readonly intent: "planning" | "reflection" | "venting" | "capture" | "decision" | "question" }',
    ],
    [decomposeSchema, "readonly string[]"],
    [
      { type: "array", items: { enum: ["a", 1, null, true] } },
      'readonly ("a" | 1 | null | true)[]',
    ],
    [
      { type: "array", items: { type: "array", items: { type: "integer" } } },
      "readonly (readonly number[])[]",
    ],
    [
      {
        type: "object",
        properties: { "a-b": { type: "boolean" } },
        required: ["a-b"],
        additionalProperties: false,
      },
      '{ readonly "a-b": boolean }',
    ],
  ])("%# is TypeScript", (schema, type) => {
    expect(jsonContract(schema).toType()).toBe(type);
  });
});

describe("a text that was cut", () => {
  const decompose = jsonContract(decomposeSchema);

  it.each([
    ['["a","b","c","d', '["a","b","c"]'],
    ['["a","b","c","d"', '["a","b","c","d"]'],
    ['["a","b","c",', '["a","b","c"]'],
    ['["a","b","c", ', '["a","b","c"]'],
    ['["a","b","c"]', '["a","b","c"]'],
    ['["a","b","c","c","d', '["a","b","c"]'],
    ['["a","b","a","c"]', '["a","b","c"]'],
    ['["a","\\u0061","b", "c","d', '["a","b","c"]'],
    ['["a","a","a"]', null],
    [`["${"x".repeat(161)}","b","c"`, null],
    ['["a","b","c', null],
    ['["a","b"', null],
    ["[", null],
    ["", null],
    ['["a","b","c"] and', null],
    ['["a","b","c",]', null],
    ['{"a":["a","b","c"', null],
  ])("%s is mended to %s", (text, wanted) => {
    expect(decompose.repair(text)).toBe(wanted);
    if (wanted !== null) expect(decompose.check(wanted).kind).toBe("accepted");
  });

  it("is no empty list: that would say there was nothing", () => {
    expect(jsonContract(extractSchema).repair('["call A')).toBeNull();
    expect(jsonContract(extractSchema).repair('["call Ann","pa')).toBe('["call Ann"]');
  });

  it("is never half an object", () => {
    expect(jsonContract(tagsSchema).repair('{"topic":"a","intent":"planning"')).toBeNull();
  });
});

describe("the contract of a plain text", () => {
  it.each([
    [{}, "a", "accepted"],
    [{}, "", "refused"],
    [{}, " \n\u200b\u3164", "refused"],
    [{ minLength: 0 }, "", "accepted"],
    [{ minLength: 0 }, "  ", "accepted"],
    [{ minLength: 2, maxLength: 3 }, "a", "refused"],
    [{ minLength: 2, maxLength: 3 }, "ab", "accepted"],
    [{ minLength: 2, maxLength: 3 }, "😀😀😀", "accepted"],
    [{ minLength: 2, maxLength: 3 }, "😀😀😀😀", "refused"],
    [{}, "a\ud800", "refused"],
  ])("%j makes %j %s", (options, text, kind) => {
    expect(textContract(options).check(text).kind).toBe(kind);
  });

  it("gives the text as the value, untouched", () => {
    expect(textContract().check(" a\n")).toEqual({ kind: "accepted", value: " a\n", warnings: [] });
  });

  it("has no grammar and mends nothing", () => {
    const contract = toContract({ kind: "text", minLength: 0, maxLength: 9 });
    expect(contract.toGrammar()).toBeNull();
    expect(contract.repair("abc")).toBeNull();
    expect(contract.toType()).toBe("string");
    expect(contract.toJsonSchema()).toEqual({ type: "string", minLength: 0, maxLength: 9 });
    expect(contract.notCarried.map(({ pointer }) => pointer)).toEqual(["/maxLength"]);
    expect(contract.describe()).toBe(
      "Write the text alone, at most 9 characters: no title, no comment, no quotation marks around it.",
    );
  });

  it("refuses wrong bounds", () => {
    expect(() => textContract({ minLength: 3, maxLength: 2 })).toThrow(IncipitError);
    expect(() => textContract({ maxLength: 0.5 })).toThrow("maxLength");
  });

  it("differs in its digest by its bounds and its kind", () => {
    const digests = [
      textContract().digest,
      textContract({ minLength: 0 }).digest,
      textContract({ maxLength: 0 }).digest,
      jsonContract({ type: "string" }).digest,
    ];
    expect(new Set(digests).size).toBe(4);
  });
});
