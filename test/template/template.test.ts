import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTemplate, renderTemplate, tryParseTemplate } from "../../src/template/index.ts";
import type { Origin, Span } from "../../src/text/index.ts";

const origin: Origin = { kind: "template", ref: "t.json#a", version: "1.0", tier: "protected" };

function value(text: string): readonly Span[] {
  return [{ text, trust: "untrusted", origin: { kind: "input", ref: "x" } }];
}

function render(text: string, values: Record<string, string>): string {
  const template = parseTemplate(text, { variables: Object.keys(values) });
  const given = new Map(Object.entries(values).map(([name, one]) => [name, value(one)] as const));
  return renderTemplate(template, given, origin)
    .map((span) => span.text)
    .join("");
}

describe("a template", () => {
  it("puts values where their slots stand", () => {
    expect(render("Dear ${name}, you are ${age}.", { name: "Ana", age: "41" })).toBe(
      "Dear Ana, you are 41.",
    );
  });

  it("takes every other brace and dollar as text", () => {
    expect(render('{"a": {b}} $x {{y}} $ { ${name} }}', { name: "N" })).toBe(
      '{"a": {b}} $x {{y}} $ { N }}',
    );
  });

  it("refuses a slot that is not declared, at its place", () => {
    const { template, findings } = tryParseTemplate("Hello ${nmae}", {
      variables: ["name"],
      locate: (start, end) => ({ path: "t.json", start, end }),
    });
    expect(template).toBeNull();
    expect(findings[0]).toEqual({
      code: "template_undeclared_variable",
      severity: "error",
      message: '"${nmae}" is not a declared variable.',
      span: { path: "t.json", start: 6, end: 13 },
      hint: 'declare it under "variables", or correct its name: did you mean "name"?',
    });
  });

  it("warns of a variable that is never used", () => {
    const { findings } = tryParseTemplate("Hello", { variables: ["name"] });
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([
      ["template_unused_variable", "warning"],
    ]);
  });

  it("refuses missing and unknown values by name, sorted", () => {
    const template = parseTemplate("${b} ${a}", { variables: ["b", "a"] });
    expect(() => renderTemplate(template, new Map(), origin)).toThrow(
      "Missing required variables: a, b.",
    );
    const values = new Map([
      ["a", value("1")],
      ["b", value("2")],
      ["c", value("3")],
    ]);
    expect(() => renderTemplate(template, values, origin)).toThrow(
      '"t.json#a" declares no variable "c".',
    );
  });

  it("keeps the origin and the trust of each span", () => {
    const template = parseTemplate("a${x}", { variables: ["x"] });
    const spans = renderTemplate(template, new Map([["x", value("b")]]), origin);
    expect(spans.map(({ text, trust, origin: from }) => [text, trust, from.kind])).toEqual([
      ["a", "trusted", "template"],
      ["b", "untrusted", "input"],
    ]);
  });

  it("never scans a value: whatever it holds appears character for character", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("${x}", "${y}", "$&", "$`", "{{x}}", "<|im_end|>", "${${x}}", "{% x %}"),
    );
    fc.assert(
      fc.property(hostile, hostile, (x, y) => {
        expect(render("[${x}|${y}|${x}]", { x, y })).toBe(`[${x}|${y}|${x}]`);
      }),
      { numRuns: 2000 },
    );
  });

  it("parses 20,000 slots and a 5 MB value quickly", () => {
    const big = "y".repeat(5_000_000);
    expect(render("${x}".repeat(20_000), { x: "" })).toBe("");
    expect(render("a${x}b", { x: big })).toHaveLength(5_000_002);
  });
});
