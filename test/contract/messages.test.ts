import { describe, expect, it } from "vitest";
import { type Check, parseCheck, runChecks } from "../../src/check/index.ts";
import {
  type ContractDefinition,
  jsonContract,
  textContract,
  toContract,
  tryContract,
  tryJsonContract,
} from "../../src/contract/index.ts";
import { type Finding, IncipitError, type Json } from "../../src/text/index.ts";
import { decomposeSchema, tagsSchema } from "./task-schemas.ts";

/** A message is a sentence: it begins with a capital or a quoted text and ends with a full stop. */
function expectSentences(findings: readonly Finding[]): void {
  expect(findings.length).toBeGreaterThan(0);
  for (const { message, hint } of findings) {
    expect(message).toMatch(/^(?:[A-Z]|").*[^.]\.$/s);
    if (hint !== undefined) expect(hint).toMatch(/^(?:[^A-Z]).*[^.]$/s);
  }
}

function refuse(contract: ReturnType<typeof jsonContract>, text: string): readonly Finding[] {
  const checked = contract.check(text);
  return checked.kind === "refused" ? checked.findings : [];
}

describe("a message is a sentence, a hint is none", () => {
  it.each<[Json]>([
    [true],
    [{}],
    [{ type: "text" }],
    [{ type: ["string", "null"] }],
    [{ type: "string", format: "date" }],
    [{ type: "string", minLength: -1 }],
    [{ type: "string", minLength: 3, maxLength: 2 }],
    [{ type: "string", pattern: "a" }],
    [{ type: "string", pattern: "^(a$" }],
    [{ type: "string", pattern: "^(?=a)$" }],
    [{ type: "string", pattern: "^[]$" }],
    [{ type: "string", pattern: "^a{3}$", maxLength: 2 }],
    [{ type: "string", pattern: 3 }],
    [{ type: "string" }],
    [{ type: "object" }],
    [{ type: "object", required: ["a"], additionalProperties: false }],
    [{ type: "object", properties: { a: { type: "null" } }, additionalProperties: false }],
    [{ type: "object", properties: 1, additionalProperties: false }],
    [{ type: "array" }],
    [{ type: "array", items: { type: "null" }, minItems: 3, maxItems: 2 }],
    [{ type: "array", items: { type: "null" }, minItems: 3, uniqueItems: true }],
    [{ enum: [] }],
    [{ enum: [[1]] }],
    [{ type: "string", enum: [1] }],
    [{ oneOf: [{ const: 1 }, { const: 1 }] }],
    [{ oneOf: [{ type: "string" }] }],
  ])("of the schema %j", (schema) => {
    expectSentences(tryJsonContract(schema).findings);
  });

  it.each([
    "",
    "nul",
    "x",
    "[1] 2",
    " []",
    "[] ",
    "[1,  2]",
    "[1 2]",
    "{a:1}",
    '{"a":1,"a":2}',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '["a',
    '["\\x"]',
    '["\t"]',
    '["\\ud800"]',
    "[".repeat(300),
    '["a"]',
    '["a","b","b"]',
    '["","b","c"]',
    "[1e999,2,3]",
    "{}",
  ])("of the text %j", (text) => {
    expectSentences(refuse(jsonContract(decomposeSchema), text));
  });

  it.each(["{}", '{"topic":"A","intent":"x","more":1}', '{"topic":1,"intent":2}', "[]"])(
    "of the tags %j",
    (text) => {
      expectSentences(refuse(jsonContract(tagsSchema), text));
    },
  );

  it("of a plain text", () => {
    for (const text of ["", "a", "abcd", "\ud800b", "  "]) {
      expectSentences(refuse(textContract({ minLength: 2, maxLength: 3 }), text));
    }
    expect(refuse(textContract({ minLength: 2 }), "a")).toMatchObject([
      { message: "The text has 1 character.", hint: "write at least 2 characters" },
    ]);
  });

  it("of the checks", () => {
    const judge = (kind: Check["kind"], value: Json) =>
      runChecks([{ kind, at: "" }], { value, inputs: {} });
    expectSentences(judge("hasLetter", "12"));
    expectSentences(judge("notBlank", ["", "a"]));
    expectSentences(judge("notBlank", ""));
    expectSentences(judge("singleLine", ["a\nb"]));
    expectSentences(judge("distinct", ["a", "a"]));
    expectSentences(judge("distinct", 1));
    for (const raw of [null, 1, {}, ["a"], "notblank", { hasLetter: 1 }]) {
      expectSentences(parseCheck(raw).findings);
    }
  });
});

describe("a caller without types", () => {
  it.each<[unknown, string, string]>([
    [undefined, "", "The definition is undefined where an object was expected."],
    [null, "", "The definition is null where an object was expected."],
    [5, "", "The definition is 5 where an object was expected."],
    ["json", "", 'The definition is "json" where an object was expected.'],
    [{}, "/kind", 'The value of "kind" is undefined.'],
    [[], "/kind", 'The value of "kind" is undefined.'],
    [{ kind: "xml" }, "/kind", 'The value of "kind" is "xml".'],
    [{ kind: "json" }, "", "The schema is no JSON value."],
    [{ kind: "text", maxLength: "9" }, "/maxLength", 'The value of "maxLength" is "9".'],
  ])("hears what is wrong with the definition %j", (given, path, message) => {
    const definition = given as ContractDefinition;
    const { contract, findings } = tryContract(definition);
    expect(contract).toBeNull();
    expect(findings).toMatchObject([{ code: "contract_schema_value", path, message }]);
    expectSentences(findings);
    expect(() => toContract(definition)).toThrow(IncipitError);
    expect(() => toContract(definition)).toThrow(message);
  });

  it.each([5, null, "9", []])("hears that %j is no bounds of a text", (given) => {
    const make = () => textContract(given as never);
    expect(make).toThrow(IncipitError);
    expect(make).toThrow("where an object was expected.");
  });

  it.each([undefined, null, 5, {}])("has %j refused as an output", (given) => {
    for (const contract of [jsonContract(decomposeSchema), textContract({ minLength: 0 })]) {
      const findings = refuse(contract, given as never);
      expect(findings).toMatchObject([{ code: "contract_schema", path: "" }]);
      expectSentences(findings);
      expect(contract.repair(given as never)).toBeNull();
    }
  });
});
