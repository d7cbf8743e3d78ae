import { describe, expect, it } from "vitest";
import {
  checkGrammar,
  createAcceptor,
  parseGrammar,
  printGrammar,
  sampleGrammar,
} from "../../src/grammar/index.ts";
import { withoutSpans } from "./plain-tree.ts";
import {
  type DataCase,
  dataFolder,
  dataNote,
  readDataCases,
  readShippedGrammars,
} from "./upstream-data.ts";

/** Whether the findings say that llama.cpp takes the text. A grammar without an end it takes. */
function isTaken(text: string, root = "root"): boolean {
  return checkGrammar(text, { root }).findings.every(
    ({ severity, code }) => severity !== "error" || code === "grammar_no_finished_text",
  );
}

function countMistakes({ grammar = "", accepts = [], rejects = [] }: DataCase): readonly string[] {
  const acceptor = createAcceptor(parseGrammar(grammar));
  const isAccepted = (text: string): boolean => {
    const state = acceptor.start().accept(text);
    return state.kind === "accepting" && state.isComplete;
  };
  return [
    ...accepts.filter((text) => !isAccepted(text)),
    ...rejects.filter((text) => isAccepted(text)),
  ];
}

if (dataFolder === undefined) console.warn(`Left out: upstream.test.ts ${dataNote}.`);

describe.skipIf(dataFolder === undefined)(`llama.cpp's own data (${dataNote})`, () => {
  it("agrees with llama.cpp 0.4 on all 116 probes: taken, or refused or never answered", () => {
    const probes = readDataCases("parser-probes.jsonl");
    const differing = probes.filter(
      (probe) => isTaken(probe.grammar ?? "") !== (probe["v0.4.0"] === "ok"),
    );
    expect(probes).toHaveLength(116);
    expect(differing.map(({ id }) => id)).toEqual([]);
  });

  it("agrees with llama.cpp on all 32 parser and build cases", () => {
    const cases = readDataCases("parser-cases.jsonl");
    const differing = cases.filter((one) => isTaken(one.grammar ?? "", one.root) !== one.ok);
    expect(cases).toHaveLength(32);
    expect(differing.map(({ id }) => id)).toEqual([]);
  });

  it("decides all 367 texts of the 45 grammars without tokens, and those of the probes", () => {
    const cases = readDataCases("integration.jsonl").filter(({ tokens }) => tokens !== true);
    const probes = readDataCases("parser-probes.jsonl").filter(({ accepts }) => accepts);
    const texts = cases.flatMap(({ accepts = [], rejects = [] }) => [...accepts, ...rejects]);
    expect(cases).toHaveLength(45);
    expect(texts).toHaveLength(367);
    expect(probes.length).toBeGreaterThan(40);
    expect(
      [...cases, ...probes].flatMap((one) =>
        countMistakes(one).map((text) => `${one.name ?? one.id}: ${text.slice(0, 100)}`),
      ),
    ).toEqual([]);
  });

  it("finds no error in the grammars that llama.cpp ships or makes", () => {
    const grammars = [
      ...readShippedGrammars().map(([, text]) => text),
      ...readDataCases("integration.jsonl").map(({ grammar = "" }) => grammar),
      ...readDataCases("schema-cases.jsonl").flatMap(({ upstreamGrammar }) =>
        upstreamGrammar == null ? [] : [upstreamGrammar],
      ),
    ];
    expect(grammars).toHaveLength(8 + 47 + 71);
    expect(grammars.filter((text) => !isTaken(text))).toEqual([]);
  });

  it("prints every grammar of the data so that it is read as the same tree", () => {
    const grammars = [
      ...readShippedGrammars().map(([, text]) => text),
      ...["integration.jsonl", "parser-probes.jsonl", "parser-cases.jsonl"]
        .flatMap(readDataCases)
        .map(({ grammar = "" }) => grammar)
        .filter((text) => text.length < 1000 && isTaken(text)),
    ];
    expect(grammars.length).toBeGreaterThan(130);
    for (const text of grammars) {
      const grammar = parseGrammar(text);
      const printed = printGrammar(grammar);
      const again = parseGrammar(printed);
      expect(withoutSpans(again)).toEqual(withoutSpans(grammar));
      expect(printGrammar(again)).toBe(printed);
    }
  });

  it("samples texts that the acceptor takes, within the length", () => {
    const grammars = [
      ...readShippedGrammars().map(([, text]) => text),
      ...readDataCases("integration.jsonl")
        .filter(({ tokens }) => tokens !== true)
        .map(({ grammar = "" }) => grammar),
    ];
    for (const text of grammars) {
      const grammar = parseGrammar(text);
      const acceptor = createAcceptor(grammar);
      for (const sample of sampleGrammar(grammar, { seed: 1, count: 20, maxLength: 600 })) {
        expect(acceptor.start().accept(sample)).toMatchObject({ isComplete: true });
        expect([...sample].length).toBeLessThanOrEqual(600);
      }
    }
  });
});
