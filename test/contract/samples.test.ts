import { beforeAll, describe, expect, it } from "vitest";
import { jsonContract } from "../../src/contract/index.ts";
import { parseGrammar, sampleGrammar } from "../../src/grammar/index.ts";
import type { Json } from "../../src/text/index.ts";
import { countDerivations } from "./derivations.ts";
import { type LlamaGrammarOracle, openLlamaOracle } from "./llama-oracle.ts";
import { decomposeSchema, extractSchema, tagsSchema } from "./task-schemas.ts";

let oracle: LlamaGrammarOracle;

beforeAll(async () => {
  oracle = await openLlamaOracle();
});

const invoice: Json = {
  type: "object",
  properties: {
    number: { type: "string", pattern: "^[A-Z]{2}-\\d{4}$" },
    customer: {
      type: "object",
      properties: {
        name: { type: "string", minLength: 1, maxLength: 30 },
        note: { type: "string", pattern: '^(\\w+( |/|"|\\\\))*$', maxLength: 12 },
      },
      required: ["name", "note"],
      additionalProperties: false,
    },
    lines: {
      type: "array",
      minItems: 1,
      maxItems: 4,
      items: {
        type: "object",
        properties: {
          unit: { enum: ["h", "kg", null, 1.5, true] },
          amount: { type: "number" },
          count: { type: "integer" },
          paid: { type: "boolean" },
          none: { type: "null" },
        },
        required: ["unit", "amount", "count", "paid", "none"],
        additionalProperties: false,
      },
    },
  },
  required: ["number", "customer", "lines"],
  additionalProperties: false,
};

describe.each<[string, Json, number]>([
  ["tags", tagsSchema, 120],
  ["decompose", decomposeSchema, 600],
  ["extract", extractSchema, 600],
  ["invoice", invoice, 600],
  ["any text", { type: "string" }, 100],
])("texts drawn from the grammar of %s", (_name, schema, maxLength) => {
  const contract = jsonContract(schema);
  const source = contract.toGrammar() ?? "";
  const grammar = parseGrammar(source);
  const texts = sampleGrammar(grammar, { seed: 3, count: 1_000, maxLength });

  it("are JSON, without white space but single blanks, and pass but for what is not carried", () => {
    const carriesAll = contract.notCarried.length === 0;
    const keywords = contract.notCarried.map(({ pointer }) => pointer.split("/").at(-1));
    let passed = 0;
    for (const text of texts) {
      expect(() => JSON.parse(text)).not.toThrow();
      const outside = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
      expect(outside).not.toMatch(/^\s|\s$|\s\s|\s[,:\]}]|[\t\n\r]/);
      const checked = contract.check(text);
      if (checked.kind === "accepted") {
        passed += 1;
        expect(checked.value).toEqual(JSON.parse(text));
        continue;
      }
      expect([text, carriesAll]).toEqual([text, false]);
      for (const { code, message } of checked.findings) {
        expect(["contract_schema", "contract_repeated_item"]).toContain(code);
        expect(keywords).toContain(/\((\w+)\)\.$/.exec(message)?.[1]);
      }
    }
    expect(passed).toBeGreaterThan(carriesAll ? 999 : 500);
  });

  it("match in llama.cpp, each by one derivation", async () => {
    const accepts = await oracle.open(source);
    for (const text of texts) expect([text, accepts(text)]).toEqual([text, true]);
    for (const text of texts.filter(({ length }) => length < 80).slice(0, 200)) {
      expect([text, countDerivations(grammar, text)]).toEqual([text, 1]);
    }
  });
});
