import { beforeAll, describe, expect, it } from "vitest";
import { type Check, runChecks } from "../../src/check/index.ts";
import { type Contract, jsonContract } from "../../src/contract/index.ts";
import { acceptsText, parseGrammar } from "../../src/grammar/index.ts";
import { openLlamaOracle } from "./llama-oracle.ts";
import { decomposeSchema, extractSchema, intents, tagsSchema } from "./task-schemas.ts";

/**
 * The three dictation tasks on the texts that the old hand-written grammars got wrong, and on their
 * neighbours. `grammar`: may the model write it. `reader`: is it read as a value of the contract.
 * `checks`: does that value pass the checks of the task.
 */
interface Row {
  readonly text: string;
  readonly grammar: boolean;
  readonly reader: boolean;
  readonly checks?: boolean;
}

const all = { grammar: true, reader: true, checks: true };
const none = { grammar: false, reader: false };
const readerOnly = { grammar: false, reader: true, checks: true };
const checksRefuse = { grammar: true, reader: true, checks: false };

const items = (count: number): string =>
  JSON.stringify(Array.from({ length: count }, (_, index) => `step ${index}`));
const tags = (topic: string, intent = "planning"): string => JSON.stringify({ topic, intent });

const listChecks: readonly Check[] = [
  { kind: "notBlank", at: "" },
  { kind: "singleLine", at: "" },
  { kind: "distinct", at: "" },
];

const tasks: readonly {
  readonly name: string;
  readonly contract: Contract;
  readonly checks: readonly Check[];
  readonly rows: readonly Row[];
}[] = [
  {
    name: "array of 3 to 7",
    contract: jsonContract(decomposeSchema),
    checks: listChecks,
    rows: [
      { text: '["a","b"]', ...none },
      { text: items(2), ...none },
      { text: items(3), ...all },
      { text: items(7), ...all },
      { text: items(8), ...none },
      { text: '["","",""]', ...none },
      { text: '[" ","\u00a0","\u200b"]', ...checksRefuse },
      // The grammar cannot know it; `uniqueItems` is judged on reading, so no check is reached.
      { text: '["a","a","a"]', grammar: true, reader: false },
      { text: '["Call Ann.","call ann","b"]', ...checksRefuse },
      { text: '["a\tb","c","d"]', ...none },
      { text: '["a\u0000b","c","d"]', ...none },
      { text: '["a\u001fb","c","d"]', ...none },
      { text: '["a\\nb","c","d"]', ...none },
      { text: '["a\\ud800b","c","d"]', ...none },
      { text: '["a\\udc00b","c","d"]', ...none },
      { text: '["a\\ud83d\\ude00","c","d"]', ...all },
      { text: '["a\\ud83d\\ud83d","c","d"]', ...none },
      { text: '["a\\u0000b","c","d"]', ...none },
      { text: '["a\\/b","c","d"]', ...all },
      { text: '["a\u2028b","c\u007fd","e"]', ...all },
      { text: '["a\\xb","c","d"]', ...none },
      { text: '["a"\n,"b","c"]', ...readerOnly },
      { text: '["a","b","c"]\n', ...none },
      { text: '["a", "b", "c"]', ...all },
      { text: '["a",  "b","c"]', ...none },
      { text: '["a",\t"b","c"]', ...none },
      { text: '[ "a","b","c" ]', ...readerOnly },
      { text: ' ["a","b","c"]', ...none },
      { text: `["${"x".repeat(160)}","b","c"]`, ...all },
      { text: `["${"x".repeat(161)}","b","c"]`, ...none },
      { text: `["${"😀".repeat(160)}","b","c"]`, ...all },
      { text: `["${"😀".repeat(161)}","b","c"]`, ...none },
      { text: '[1,"b","c"]', ...none },
      { text: '["a","b","c"', ...none },
    ],
  },
  {
    name: "array of 0 to 20",
    contract: jsonContract(extractSchema),
    checks: listChecks,
    rows: [
      { text: "[]", ...all },
      { text: "[ ]", ...readerOnly },
      { text: '["a"]', ...all },
      { text: '["a","b"]', ...all },
      { text: '[""]', ...none },
      { text: '[" "]', ...checksRefuse },
      { text: '["a",]', ...none },
      { text: "\n[]", ...none },
      { text: items(20), ...all },
      { text: items(21), ...none },
    ],
  },
  {
    name: "tags",
    contract: jsonContract(tagsSchema),
    checks: [{ kind: "hasLetter", at: "/topic" }],
    rows: [
      { text: tags("interview-prep"), ...all },
      { text: '{"topic": "interview-prep", "intent": "planning"}', ...all },
      ...["ai", "hr", "3d"].map((topic) => ({ text: tags(topic), ...all })),
      ...["---", "-ab", "ab-", "a--b", "a-b-c-d", "a-b-c-d-e-f", "a".repeat(500), ""].map(
        (topic) => ({ text: tags(topic), ...none }),
      ),
      { text: tags("a".repeat(24)), ...all },
      { text: tags("a".repeat(25)), ...none },
      { text: tags("123"), ...checksRefuse },
      ...["Interview", "café", "grant application"].map((topic) => ({
        text: tags(topic),
        ...none,
      })),
      { text: '{"topic" :"ai","intent":"planning"}', ...readerOnly },
      { text: '{"intent":"planning","topic":"ai"}', ...readerOnly },
      { text: '{"topic":"ai","intent":"planning","more":1}', ...none },
      { text: '{"topic":"ai"}', ...none },
      { text: '{"topic":"ai","topic":"ai","intent":"planning"}', ...none },
      ...["Planning", " planning", "", "plan"].map((intent) => ({
        text: tags("ai", intent),
        ...none,
      })),
      ...intents.map((intent) => ({ text: tags("ai", intent), ...all })),
      { text: '{"topic":"ai","intent":"planning"} ', ...none },
      { text: '{\r\n"topic":"ai","intent":"planning"}', ...none },
    ],
  },
];

describe.each(tasks)("$name", ({ contract, checks, rows }) => {
  let accepts: (text: string) => boolean;

  beforeAll(async () => {
    accepts = await (await openLlamaOracle()).open(contract.toGrammar() ?? "");
  });

  it.each(rows)("grammar $grammar, reader $reader, checks $checks: $text", (row) => {
    expect(accepts(row.text)).toBe(row.grammar);
    expect(acceptsText(parseGrammar(contract.toGrammar() ?? ""), row.text).accepted).toBe(
      row.grammar,
    );
    const checked = contract.check(row.text);
    expect(checked.kind).toBe(row.reader ? "accepted" : "refused");
    if (checked.kind === "refused") {
      expect(checked.findings.length).toBeGreaterThan(0);
      return;
    }
    const findings = runChecks(checks, { value: checked.value, inputs: {} });
    expect(findings.length === 0).toBe(row.checks);
  });
});
