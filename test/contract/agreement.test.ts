import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type Contract, tryJsonContract } from "../../src/contract/index.ts";
import { acceptsText, analyzeGrammar, parseGrammar } from "../../src/grammar/index.ts";
import type { Json } from "../../src/text/index.ts";
import { countDerivations } from "./derivations.ts";
import { type LlamaGrammarOracle, openLlamaOracle } from "./llama-oracle.ts";

/** Grammar, checker and llama.cpp on random schemas of the supported kind. */

let oracle: LlamaGrammarOracle;

beforeAll(async () => {
  oracle = await openLlamaOracle();
});

interface Sample {
  readonly schema: Json;
  /** Values, most of them right or nearly right. */
  readonly value: Json;
}

const word = fc.constantFrom("a", "ab", "b-", "", "é", '"', "\\", "/", "\n", "😀", "a/b", "日");
const scalar = fc.oneof(
  word,
  fc.constantFrom(0, 1, -1.5, 123456789012345, 1.5e-7, true, false, null),
);

const choice = fc
  .tuple(fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 }), fc.boolean(), scalar)
  .chain(([values, isOneOf, other]) =>
    fc.record({
      schema: fc.constant<Json>(
        isOneOf ? { oneOf: values.map((value) => ({ const: value })) } : { enum: values },
      ),
      value: fc.constantFrom<Json>(...values, other),
    }),
  );

const bounds = fc
  .tuple(fc.nat(3), fc.nat(3), fc.boolean(), fc.boolean())
  .map(([low, more, hasLow, hasHigh]) => ({ low, high: low + more, hasLow, hasHigh }));

const text = fc
  .tuple(
    bounds,
    fc.constantFrom(null, "^[a-z]*$", '^[^\\n"]+$', "^(a|/é|\\\\)*$", "^[/\\u{1F600}]+$"),
  )
  .chain(([{ low, high, hasLow, hasHigh }, pattern]) =>
    fc.record({
      schema: fc.constant<Json>({
        type: "string",
        ...(hasLow && { minLength: low }),
        ...(hasHigh && { maxLength: high }),
        ...(pattern !== null && { pattern }),
      }),
      value: fc.oneof(
        fc.array(word, { maxLength: 4 }).map((words): Json => words.join("")),
        fc.constantFrom<Json>("aa", "a/é", "/😀/", "\\", 1, null),
      ),
    }),
  );

const plain = fc
  .tuple(fc.constantFrom("integer", "number", "boolean", "null"), scalar)
  .map(([type, value]): Sample => ({ schema: { type }, value }));

const { sample } = fc.letrec<{ sample: Sample; list: Sample; record: Sample }>((tie) => ({
  list: fc
    .tuple(bounds, fc.array(tie("sample"), { minLength: 1, maxLength: 5 }))
    .map(([{ low, high, hasLow, hasHigh }, items]): Sample => {
      const schema = items[0]?.schema ?? null;
      const same = items.filter((item) => JSON.stringify(item.schema) === JSON.stringify(schema));
      const first = items[0]?.value ?? null;
      const value = items.map((_, index) => same[index]?.value ?? first);
      const counts = { ...(hasLow && { minItems: low }), ...(hasHigh && { maxItems: high }) };
      return { schema: { type: "array", items: schema, ...counts }, value };
    }),
  record: fc
    .tuple(
      fc.uniqueArray(fc.tuple(word, tie("sample")), { maxLength: 3, selector: ([key]) => key }),
      fc.nat(9),
    )
    .map(([members, spoil]): Sample => {
      const entries = members.map(([key, { value }]): [string, Json] => [key, value]);
      if (spoil === 0) entries.pop();
      if (spoil === 1) entries.push(["more", 1]);
      return {
        schema: {
          type: "object",
          properties: Object.fromEntries(members.map(([key, { schema }]) => [key, schema])),
          required: members.map(([key]) => key),
          additionalProperties: false,
        },
        value: Object.fromEntries(entries),
      };
    }),
  sample: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    choice,
    text,
    plain,
    tie("list"),
    tie("record"),
  ),
})) as unknown as { sample: fc.Arbitrary<Sample> };

function spaced(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${spaced(member)}`,
  );
  return `{${members.join(", ")}}`;
}

/** The contract; a schema that nothing satisfies is left out of the property. */
function open(schema: Json): Contract {
  const { contract, findings } = tryJsonContract(schema);
  if (contract !== null) return contract;
  const errors = findings.filter(({ severity }) => severity === "error");
  expect(errors.map(({ code }) => code)).toEqual(errors.map(() => "contract_unsatisfiable"));
  return fc.pre(false) as never;
}

describe("grammar and checker", () => {
  it("admit and accept the same values, and llama.cpp agrees", async () => {
    const counts = { admitted: 0, refused: 0, notCarried: 0 };
    await fc.assert(
      fc.asyncProperty(sample, async ({ schema, value }) => {
        const contract = open(schema);
        const source = contract.toGrammar() ?? "";
        const grammar = parseGrammar(source);
        const llama = await oracle.open(source);
        for (const printed of [JSON.stringify(value), spaced(value)]) {
          const isAdmitted = acceptsText(grammar, printed).accepted;
          const isAccepted = contract.check(printed).kind === "accepted";
          expect([printed, llama(printed)]).toEqual([printed, isAdmitted]);
          if (contract.notCarried.length > 0) {
            counts.notCarried += 1;
            if (isAccepted) expect([printed, isAdmitted]).toEqual([printed, true]);
          } else {
            expect([printed, isAdmitted]).toEqual([printed, isAccepted]);
            counts[isAdmitted ? "admitted" : "refused"] += 1;
            if (isAdmitted && printed.length < 60) {
              expect([printed, countDerivations(grammar, printed)]).toEqual([printed, 1]);
            }
          }
        }
      }),
      { numRuns: 700, seed: 11 },
    );
    expect(counts.admitted).toBeGreaterThan(200);
    expect(counts.refused).toBeGreaterThan(200);
    expect(counts.notCarried).toBeGreaterThan(10);
  }, 60_000);

  it("random grammars have no finding but a missing bound", () => {
    fc.assert(
      fc.property(sample, ({ schema }) => {
        const grammar = parseGrammar(open(schema).toGrammar() ?? "");
        const findings = analyzeGrammar(grammar);
        expect(findings).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
