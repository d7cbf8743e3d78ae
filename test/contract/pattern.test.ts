import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { jsonContract, tryJsonContract } from "../../src/contract/index.ts";
import type { Json } from "../../src/text/index.ts";
import { type LlamaGrammarOracle, openLlamaOracle } from "./llama-oracle.ts";

let oracle: LlamaGrammarOracle;

beforeAll(async () => {
  oracle = await openLlamaOracle();
});

function stringSchema(pattern: string, more: { readonly [keyword: string]: Json } = {}): Json {
  return { type: "string", pattern, ...more };
}

describe("patterns in the grammar", () => {
  it.each([
    ["^abc$", ["abc"], ["ab", "abcd", "xabc"]],
    ["^(?:a|bc)$", ["a", "bc"], ["abc", ""]],
    ["^a$|^b$", ["a", "b"], ["ab", "c"]],
    ["^(?<year>\\d{4})-\\d\\d$", ["2026-01"], ["226-01", "2026-1"]],
    ["^.$", ["a", "\u0085", "😀"], ["\n", "\u2028", "aa"]],
    ["^\\S+\\s\\w*$", ["é x_1", "a "], ["a", " a"]],
    ["^[^a]$", ["b", "\n", '"', "\\"], ["a"]],
    ['^["\\\\/]{2}$', ['"\\', "//"], ['"', "ab"]],
    ["^\\u{1F600}\\ud83d\\ude01\\x41\\cJ\\0$", ["😀😁A\n\0"], ["😀😁A\n"]],
    ["^[\\u{1F600}-\\u{1F64F}]+$", ["😀🙏"], ["🚀", ""]],
    ["^[\\b\\t-\\r]$", ["\b", "\v"], ["b"]],
    ["^[a-]?$", ["-", "a", ""], ["b"]],
    ["^(a?b?)*$", ["", "abba"], ["c"]],
    ["^(|a)+$", ["", "aa"], ["b"]],
    ["^((a*)*)*$", ["", "aa"], ["b"]],
    ["^(a?){2,3}$", ["", "a", "aaa"], ["aaaa"]],
    ["^a{0}b$", ["b"], ["ab"]],
    ["^a+?b*?$", ["a", "ab"], ["b"]],
    ["^[^\\s\\S]?x$", ["x"], ["ax"]],
    ["^$", [""], ["a"]],
  ])("%s admits what it matches", async (pattern, right, wrong) => {
    const contract = jsonContract(stringSchema(pattern));
    const accepts = await oracle.open(contract.toGrammar() ?? "");
    for (const text of right) expect([text, accepts(JSON.stringify(text))]).toEqual([text, true]);
    for (const text of wrong) expect([text, accepts(JSON.stringify(text))]).toEqual([text, false]);
    for (const text of right) expect(contract.check(JSON.stringify(text)).kind).toBe("accepted");
    for (const text of wrong) expect(contract.check(JSON.stringify(text)).kind).toBe("refused");
  });

  it("spells characters of the class in every way JSON has for them, and no others", async () => {
    const contract = jsonContract(stringSchema('^[/é"\\n\\u0001😀-😂]$'));
    const accepts = await oracle.open(contract.toGrammar() ?? "");
    const right = ['"/"', '"\\/"', '"é"', '"\\u00e9"', '"\\u00E9"', '"\\""', '"\\n"', '"\\u0001"'];
    const pairs = ['"😀"', '"\\ud83d\\ude00"', '"\\uD83D\\uDE02"'];
    for (const text of [...right, ...pairs]) expect([text, accepts(text)]).toEqual([text, true]);
    const wrong = ['"\n"', '"\u0001"', '"\\r"', '"\\u00e8"', '"\\ud83d"', '"\\ude00"'];
    const others = ['"\\ud83d\\ude03"', '"\\ud83c\\ude00"', '"""', '"\\"', '"\\t"', '"\\u0002"'];
    for (const text of [...wrong, ...others]) expect([text, accepts(text)]).toEqual([text, false]);
  });

  it("matches surrogate pairs at every edge of a range", async () => {
    for (const [first, last] of [
      [0x10000, 0x10ffff],
      [0x103ff, 0x10400],
      [0x1f601, 0x1f9fe],
      [0x10ffff, 0x10ffff],
      [0x10400, 0x107ff],
      [0xfffe, 0x10001],
    ] as const) {
      const pattern = `^[\\u{${first.toString(16)}}-\\u{${last.toString(16)}}]$`;
      const accepts = await oracle.open(jsonContract(stringSchema(pattern)).toGrammar() ?? "");
      const middle = Math.floor((first + last) / 2);
      for (const point of [first - 1, first, first + 1, middle, last - 1, last, last + 1]) {
        if (point > 0x10ffff) continue;
        const character = String.fromCodePoint(point);
        const units = character.split("").map((unit) => unit.charCodeAt(0).toString(16));
        const escaped = `"${units.map((unit) => `\\u${unit.padStart(4, "0")}`).join("")}"`;
        const wanted = first <= point && point <= last;
        expect([point, accepts(`"${character}"`), accepts(escaped)]).toEqual([
          point,
          wanted,
          wanted,
        ]);
      }
    }
  });

  it.each([
    ["^[a-z]*$", { minLength: 2, maxLength: 4 }, 2, 4],
    ["^[a-z]+$", { maxLength: 3 }, 1, 3],
    ["^[a-z]{2,9}$", { minLength: 1, maxLength: 5 }, 2, 5],
    ["^[a-z]{2}$", { minLength: 2, maxLength: 2 }, 2, 2],
    ["^[a-z][a-z]*$", { maxLength: 3 }, 1, 3],
  ])("%s with %j is bounded exactly", async (pattern, bounds, min, max) => {
    const contract = jsonContract(stringSchema(pattern, bounds));
    expect(contract.notCarried).toEqual([]);
    const accepts = await oracle.open(contract.toGrammar() ?? "");
    for (let length = 0; length <= max + 2; length += 1) {
      const text = JSON.stringify("a".repeat(length));
      expect([length, accepts(text)]).toEqual([length, length >= min && length <= max]);
      expect(contract.check(text).kind === "accepted").toBe(accepts(text));
    }
  });

  it("leaves a length next to other patterns to the checker and says so", () => {
    const contract = jsonContract(stringSchema("^a+(-a+)*$", { minLength: 3, maxLength: 5 }));
    expect(contract.notCarried).toEqual([
      { pointer: "/minLength", reason: expect.stringContaining("count characters") },
      { pointer: "/maxLength", reason: expect.stringContaining("count characters") },
    ]);
    expect(contract.check('"a-a"').kind).toBe("accepted");
    expect(contract.check('"a"').kind).toBe("refused");
    expect(contract.check('"aa-aaa"').kind).toBe("refused");
  });

  it("lists no length that the pattern implies", () => {
    const schema = stringSchema("^a{2}(-a){1,2}$", { minLength: 4, maxLength: 6 });
    expect(jsonContract(schema).notCarried).toEqual([]);
  });

  it.each([
    ["foo", "cover the whole text"],
    ["^foo", "cover the whole text"],
    ["foo$", "cover the whole text"],
    ["^a|b$", "cover the whole text"],
    ["^(a$)b$", "cover the whole text"],
    ["^(?=a)a$", "look-around"],
    ["^(?<!b)a$", "look-around"],
    ["^(a)\\1$", "back references"],
    ["^(?<n>a)\\k<n>$", "back references"],
    ["^\\ba$", "word boundaries"],
    ["^\\p{L}$", "property escapes"],
    ["^[\\p{L}]$", "property escapes"],
    ["^(a$", "no regular expression"],
    ["^a{2000000}$", "repeats more than"],
    [`^${"(".repeat(101)}a${")".repeat(101)}$`, "nested too deeply"],
  ])("refuses %s by name", (pattern, reason) => {
    const { contract, findings } = tryJsonContract(stringSchema(pattern));
    expect(contract).toBeNull();
    expect(findings).toMatchObject([{ code: "contract_unsupported_pattern", path: "/pattern" }]);
    expect(findings[0]?.message).toContain(reason);
  });

  it.each([
    ["^[]$", {}],
    ["^a[^\\s\\S]$", {}],
    ["^\\ud800$", {}],
    ["^a{3}$", { maxLength: 2 }],
    ["^(a|bb)$", { minLength: 3 }],
  ])("%s with %j matches nothing, and that is a finding", (pattern, bounds) => {
    const { contract, findings } = tryJsonContract(stringSchema(pattern, bounds));
    expect(contract).toBeNull();
    expect(findings).toMatchObject([{ code: "contract_unsatisfiable", path: "/pattern" }]);
  });

  it("agrees with RegExp on random patterns and texts", async () => {
    const atom = fc.constantFrom("a", "b", "[ab]", "[^a]", ".", "\\d", "é", "-", "\\/", '"', "\\n");
    const quantifier = fc.constantFrom("", "", "", "?", "*", "+", "{2}", "{1,2}", "{0,2}", "{2,}");
    const { pattern } = fc.letrec<{ pattern: string; term: string; group: string }>((tie) => ({
      group: tie("pattern").map((inner) => `(?:${inner})`),
      term: fc
        .tuple(fc.oneof({ maxDepth: 2 }, atom, tie("group")), quantifier)
        .map(([item, count]) => item + count),
      pattern: fc
        .array(fc.array(tie("term"), { maxLength: 3 }), { minLength: 1, maxLength: 3 })
        .map((ways) => ways.map((terms) => terms.join("")).join("|")),
    }));
    const letters = fc.constantFrom("a", "b", "1", "é", "-", "/", '"', "\n", "😀");
    const texts = fc.array(
      fc.array(letters, { maxLength: 5 }).map((parts) => parts.join("")),
      { minLength: 12, maxLength: 12 },
    );
    let pairs = 0;
    let matches = 0;
    await fc.assert(
      fc.asyncProperty(pattern, texts, async (body, samples) => {
        const whole = `^(?:${body})$`;
        const { contract } = tryJsonContract(stringSchema(whole));
        if (contract === null) throw new Error(`refused: ${whole}`);
        const accepts = await oracle.open(contract.toGrammar() ?? "");
        const expression = new RegExp(whole, "u");
        for (const text of samples) {
          const wanted = expression.test(text);
          pairs += 1;
          if (wanted) matches += 1;
          const printed = JSON.stringify(text);
          const isRead = contract.check(printed).kind === "accepted";
          expect([text, accepts(printed), isRead]).toEqual([text, wanted, wanted]);
        }
      }),
      { numRuns: 600, seed: 7 },
    );
    expect(pairs).toBe(7_200);
    expect(matches).toBeGreaterThan(500);
  }, 60_000);
});
