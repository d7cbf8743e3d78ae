import { describe, expect, it } from "vitest";
import { runChecks } from "../../src/check/index.ts";
import { jsonContract } from "../../src/contract/index.ts";
import {
  acceptsText,
  analyzeGrammar,
  createAcceptor,
  type Item,
  parseGrammar,
  toRuleTable,
  visitBody,
} from "../../src/grammar/index.ts";
import { countDerivations } from "./derivations.ts";
import { decomposeSchema, extractSchema, intents, tagsSchema } from "./task-schemas.ts";

/** The faults G1–G10 of the old dictation grammars and the drift cases DR1–DR15. */

const tags = jsonContract(tagsSchema);
const decompose = jsonContract(decomposeSchema);
const extract = jsonContract(extractSchema);
const contracts = { tags, decompose, extract };

function admits(contract: typeof tags, text: string): boolean {
  return acceptsText(parseGrammar(contract.toGrammar() ?? ""), text).accepted;
}

function reads(contract: typeof tags, text: string): boolean {
  return contract.check(text).kind === "accepted";
}

function topic(text: string): string {
  return JSON.stringify({ topic: text, intent: "planning" });
}

function list(...items: string[]): string {
  return `[${items.map((item) => `"${item}"`).join(",")}]`;
}

function numbered(count: number): string {
  return list(...Array.from({ length: count }, (_, index) => `step ${index}`));
}

describe.each(Object.entries(contracts))("the grammar of %s", (_name, contract) => {
  const grammar = parseGrammar(contract.toGrammar() ?? "");

  it("has no finding of the grammar checks", () => {
    expect(analyzeGrammar(grammar)).toEqual([]);
  });

  it("G4, G5: has no repetition without bound, and no rule that uses itself", () => {
    const unbounded: Item[] = [];
    for (const { body } of grammar.rules) {
      visitBody(body, (node) => {
        if (node.kind === "repetition" && node.max === null) unbounded.push(node);
      });
    }
    expect(unbounded).toEqual([]);
    const uses = new Map(
      grammar.rules.map(({ name, body }) => {
        const names: string[] = [];
        visitBody(body, (node) => {
          if (node.kind === "rule-reference") names.push(node.name);
        });
        return [name, names];
      }),
    );
    const depth = (name: string, above: readonly string[]): number => {
      expect(above).not.toContain(name);
      const below = (uses.get(name) ?? []).map((inner) => depth(inner, [...above, name]));
      return 1 + Math.max(0, ...below);
    };
    expect(depth("root", [])).toBeLessThan(8);
  });

  it("G6, G7, DR6: begins and ends with the value; no gap is more than one blank", () => {
    const start = createAcceptor(grammar).start().expected();
    expect(start.every((text) => /^"[[{]/.test(text))).toBe(true);
    const text = contract === tags ? topic("ai") : list("a", "b", "c");
    for (const gap of ["\t", "\n", "\r", "\r\n", "  "]) {
      for (const at of text.matchAll(/[,:[\]{}]/g)) {
        const before = text.slice(0, at.index) + gap + text.slice(at.index);
        const after = text.slice(0, at.index + 1) + gap + text.slice(at.index + 1);
        expect([before, admits(contract, before)]).toEqual([before, false]);
        expect([after, admits(contract, after)]).toEqual([after, false]);
      }
    }
  });
});

describe("strings", () => {
  it("G1, DR12: controls are neither written nor read, raw or escaped", () => {
    for (let point = 0; point < 0x20; point += 1) {
      const raw = list(`a${String.fromCharCode(point)}`, "b", "c");
      const escaped = list(`a\\u00${point.toString(16).padStart(2, "0")}`, "b", "c");
      for (const text of [raw, escaped]) {
        expect([point, admits(decompose, text), reads(decompose, text)]).toEqual([
          point,
          false,
          false,
        ]);
      }
    }
  });

  it("G2, DR12: surrogates come in pairs or not at all", () => {
    for (const half of ["\\ud800", "\\uDBFF", "\\udc00", "\\uDFFF", "\\ude00\\ud83d"]) {
      expect(admits(decompose, list(half, "b", "c"))).toBe(false);
      expect(reads(decompose, list(half, "b", "c"))).toBe(false);
    }
    expect(admits(decompose, list("\\ud83d\\ude00", "b", "c"))).toBe(true);
    expect(reads(decompose, list("\\ud83d\\ude00", "b", "c"))).toBe(true);
  });

  it("G3: every text has one derivation", () => {
    const grammar = parseGrammar(decompose.toGrammar() ?? "");
    for (const gap of ["", " "]) {
      const text = `["a",${gap}"b\\/\\u00e9",${gap}"\\ud83d\\ude00"]`;
      expect(countDerivations(grammar, text)).toBe(1);
    }
    expect(countDerivations(grammar, '["a",  "b","c"]')).toBe(0);
    expect(countDerivations(parseGrammar(tags.toGrammar() ?? ""), topic("a-b-3"))).toBe(1);
    expect(countDerivations(parseGrammar(extract.toGrammar() ?? ""), "[]")).toBe(1);
    const ambiguous = parseGrammar('root ::= "a" ws ws "b"\nws ::= " "*\n');
    expect(countDerivations(ambiguous, "a  b")).toBe(3);
  });

  it("G9, DR11: empty, equal and many-lined items do not pass", () => {
    const checks = [
      { kind: "notBlank", at: "" },
      { kind: "singleLine", at: "" },
      { kind: "distinct", at: "" },
    ] as const;
    const passes = (text: string): boolean => {
      const checked = decompose.check(text);
      if (checked.kind === "refused") return false;
      return runChecks(checks, { value: checked.value, inputs: {} }).length === 0;
    };
    expect(passes(list("", "b", "c"))).toBe(false);
    expect(passes(list(" ", "b", "c"))).toBe(false);
    expect(passes(list("a", "a", "a"))).toBe(false);
    expect(passes(list("Call Ann", "call ann.", "c"))).toBe(false);
    expect(passes(list("a\\nb", "c", "d"))).toBe(false);
    expect(passes(list("a".repeat(161), "c", "d"))).toBe(false);
    expect(passes(list("a\u0085b", "c", "d"))).toBe(false);
    expect(passes(list("a", "b", "c"))).toBe(true);
  });
});

describe("tags", () => {
  it("G8: the model writes one order without blanks before colons, the reader takes any", () => {
    const turned = '{"intent" : "planning","topic": "ai"}';
    expect([admits(tags, turned), reads(tags, turned)]).toEqual([false, true]);
  });

  it("DR6: what is read prints in canonical form", () => {
    const checked = tags.check('{ "topic" : "ai",\n"intent": "planning" }');
    expect(checked.kind === "accepted" && JSON.stringify(checked.value)).toBe(topic("ai"));
  });

  it.each([
    ["G10, DR1", ["ai", "hr", "3d", "a", "a-b", "a-b-c", "interview-prep"], true],
    ["G10, DR2", ["a-b-c-d", "a-b-c-d-e-f"], false],
    ["G10, DR3", ["---", "-", "--"], false],
    ["G10, DR4", ["-ab", "ab-", "a--b"], false],
    ["DR5", ["a".repeat(25), "a".repeat(500), `a-${"b".repeat(25)}`], false],
    ["DR8", ["café", "Interview", "grant application", "日付", "ａ"], false],
  ])("%s: %j %s", (_id, topics, wanted) => {
    for (const one of topics) {
      expect([one, admits(tags, topic(one)), reads(tags, topic(one))]).toEqual([
        one,
        wanted,
        wanted,
      ]);
    }
  });

  it("DR3: a topic of digits alone is left to a check, which refuses it", () => {
    const checked = tags.check(topic("123"));
    if (checked.kind === "refused") throw new Error("the shape is right");
    const findings = runChecks([{ kind: "hasLetter", at: "/topic" }], {
      value: checked.value,
      inputs: {},
    });
    expect(findings.map(({ code }) => code)).toEqual(["check_has_letter"]);
  });

  it("DR5: the longest object has 108 characters and three blanks", () => {
    const part = "a".repeat(24);
    const longest = JSON.stringify({ topic: `${part}-${part}-${part}`, intent: "reflection" });
    expect(longest).toHaveLength(108);
    const spaced = longest.replaceAll(":", ": ").replace(",", ", ");
    expect([admits(tags, longest), admits(tags, spaced)]).toEqual([true, true]);
  });

  it("DR8: the instructions say which letters", () => {
    expect(tags.describe()).toContain("a-z and 0-9");
  });

  it("DR9: grammar, schema, type and instructions have the same intents", () => {
    const rule = toRuleTable(parseGrammar(tags.toGrammar() ?? "")).get("intent");
    const written = rule?.body.sequences.map(({ items }) => {
      const [item] = items;
      return item?.kind === "literal"
        ? (JSON.parse(String.fromCodePoint(...item.codePoints)) as string)
        : null;
    });
    expect(written).toEqual(intents);
    expect([...tags.toType().matchAll(/"(\w+)"/g)].map(([, intent]) => intent)).toEqual(intents);
    const line = tags
      .describe()
      .split("\n")
      .find((text) => text.startsWith('- "intent"'));
    expect([...(line ?? "").matchAll(/"(\w+)" \(/g)].map(([, intent]) => intent)).toEqual(intents);
    for (const intent of intents) {
      expect(reads(tags, JSON.stringify({ topic: "ai", intent }))).toBe(true);
    }
  });
});

describe("arrays", () => {
  it("DR7: carriage returns are nowhere", () => {
    for (const text of ['["a",\r"b","c"]', '["a",\r\n"b","c"]', '["a","b","c"]\r\n']) {
      expect([admits(decompose, text), reads(decompose, text)]).toEqual([false, false]);
    }
    expect(reads(tags, '{\r\n"topic":"ai","intent":"planning"}')).toBe(false);
  });

  it("DR10: 2 and 8 steps are refused, 3 and 7 pass, in the grammar and on reading", () => {
    for (const [count, wanted] of [
      [2, false],
      [3, true],
      [7, true],
      [8, false],
    ] as const) {
      expect(admits(decompose, numbered(count))).toBe(wanted);
      expect(reads(decompose, numbered(count))).toBe(wanted);
    }
    expect(decompose.describe()).toContain("3 to 7 strings");
  });

  it("DR13: the instructions say: an array, of strings, and nothing else", () => {
    expect(extract.describe()).toMatch(/^Write one JSON array of .*strings.*nothing else\./);
  });

  it("DR14: no items is an empty array; an array of an empty item is refused", () => {
    expect([admits(extract, "[]"), reads(extract, "[]")]).toEqual([true, true]);
    expect(reads(extract, "[ ]")).toBe(true);
    expect([admits(extract, '[""]'), reads(extract, '[""]')]).toEqual([false, false]);
    expect(extract.describe()).toContain("[] if there are none");
  });

  it("DR15: there are at most 20 items", () => {
    expect([admits(extract, numbered(20)), reads(extract, numbered(20))]).toEqual([true, true]);
    expect([admits(extract, numbered(21)), reads(extract, numbered(21))]).toEqual([false, false]);
    expect(extract.describe()).toContain("at most 20");
  });
});
