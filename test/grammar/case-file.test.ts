import { describe, expect, it } from "vitest";
import { acceptsText, checkGrammar, parseGrammar, printGrammar } from "../../src/grammar/index.ts";
import { listCaseFiles, readCases } from "./case-file.ts";

describe.each(listCaseFiles())("%s", (file) => {
  const cases = readCases(file);

  it("has cases, each with an expectation or without findings", () => {
    expect(cases.length).toBeGreaterThan(0);
  });

  it.each(cases.map((one) => [one.title, one] as const))("%s", (_title, one) => {
    const { grammar, findings } = checkGrammar(one.grammar);
    const found = findings.map(({ severity, code, span }) => ({
      kind: "finding",
      severity,
      code,
      place: span === undefined ? null : one.grammar.slice(span.start, span.end),
    }));
    expect(found).toEqual(one.expectations.filter(({ kind }) => kind === "finding"));
    for (const expectation of one.expectations) {
      if (expectation.kind === "finding") continue;
      if (grammar === null) throw new Error("no grammar to try a text on");
      const isAccepted = expectation.kind === "accepts";
      const position = isAccepted ? expectation.text.length : expectation.position;
      const { text } = expectation;
      const expected = { text, accepted: isAccepted, position };
      expect({ text, ...acceptsText(grammar, text) }).toEqual(expected);
      const printed = parseGrammar(printGrammar(grammar));
      expect({ text, ...acceptsText(printed, text) }).toEqual(expected);
    }
  });
});
