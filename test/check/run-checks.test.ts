import { describe, expect, it } from "vitest";
import { type Check, parseCheck, runChecks } from "../../src/check/index.ts";
import type { Json } from "../../src/text/index.ts";

function run(check: Check, value: Json) {
  return runChecks([check], { value, inputs: {} });
}

function places(check: Check, value: Json): (readonly [code: string, path: string | undefined])[] {
  return run(check, value).map(({ code, path }) => [code, path]);
}

describe("a check in a task file", () => {
  it.each<[Json, Check]>([
    ["notBlank", { kind: "notBlank", at: "" }],
    [{ notBlank: true }, { kind: "notBlank", at: "" }],
    [{ notBlank: "" }, { kind: "notBlank", at: "" }],
    [{ hasLetter: "topic" }, { kind: "hasLetter", at: "/topic" }],
    [{ hasLetter: "/topic" }, { kind: "hasLetter", at: "/topic" }],
    [{ hasLetter: "a/b" }, { kind: "hasLetter", at: "/a~1b" }],
    [{ singleLine: "/a/0" }, { kind: "singleLine", at: "/a/0" }],
    [{ distinct: "steps" }, { kind: "distinct", at: "/steps" }],
  ])("%j is read", (raw, check) => {
    expect(parseCheck(raw)).toEqual({ check, findings: [] });
  });

  it.each<[Json, string, string]>([
    ["notblank", 'There is no check "notblank".', 'did you mean "notBlank"?'],
    [{ hasLetters: "topic" }, 'There is no check "hasLetters".', 'did you mean "hasLetter"?'],
    [
      { fluent: true },
      'There is no check "fluent".',
      "known: hasLetter, notBlank, singleLine, distinct",
    ],
    [
      { toString: true },
      'There is no check "toString".',
      "known: hasLetter, notBlank, singleLine, distinct",
    ],
    [
      { notBlank: true, distinct: true },
      'Found {"notBlank":true,"distinct":true} where one check was expected.',
      "write one of hasLetter, notBlank, singleLine, distinct, or { name: property }",
    ],
    [
      { hasLetter: 3 },
      'The place of "hasLetter" is 3.',
      "give the name of a property or a JSON Pointer such as /topic",
    ],
    [
      { hasLetter: "/a~2" },
      'The place of "hasLetter" is "/a~2".',
      "give the name of a property or a JSON Pointer such as /topic",
    ],
  ])("%j is refused", (raw, message, hint) => {
    expect(parseCheck(raw)).toEqual({
      check: null,
      findings: [{ code: "check_invalid", severity: "error", message, hint }],
    });
  });

  it.each([null, 1, [], {}, ["notBlank"]])("%j is no check", (raw) => {
    expect(parseCheck(raw).findings).toMatchObject([{ code: "check_invalid" }]);
  });
});

describe("hasLetter", () => {
  const check: Check = { kind: "hasLetter", at: "/topic" };

  it.each(["ai", "3d", "日付", "é", "1-a"])("%s passes", (topic) => {
    expect(run(check, { topic })).toEqual([]);
  });

  it.each(["123", "1-2-3", "", "😀"])("%j does not", (topic) => {
    expect(run(check, { topic })).toEqual([
      {
        code: "check_has_letter",
        severity: "error",
        message: `${JSON.stringify(topic)} has no letter.`,
        path: "/topic",
        hint: "use words, not only digits or signs",
      },
    ]);
  });
});

describe("notBlank", () => {
  const check: Check = { kind: "notBlank", at: "" };

  it("names every blank item", () => {
    expect(places(check, ["a", "", " \t", "\u00a0\u200b\u2060\ufeff", "\u3164", "."])).toEqual([
      ["check_not_blank", "/1"],
      ["check_not_blank", "/2"],
      ["check_not_blank", "/3"],
      ["check_not_blank", "/4"],
    ]);
  });

  it("judges a text", () => {
    expect(places(check, " ")).toEqual([["check_not_blank", ""]]);
    expect(run(check, " ").map(({ message }) => message)).toEqual(["The text is blank."]);
    expect(run(check, ["a", ""]).map(({ message }) => message)).toEqual(["Item 2 is blank."]);
    expect(places(check, "a")).toEqual([]);
    expect(places(check, [])).toEqual([]);
  });
});

describe("singleLine", () => {
  const check: Check = { kind: "singleLine", at: "" };

  it.each(["\n", "\r\n", "\r", "\v", "\f", "\u0085"])("%j breaks a line", (mark) => {
    expect(places(check, ["a", `b${mark}c`])).toEqual([["check_single_line", "/1"]]);
    expect(run(check, `b${mark}`)).toMatchObject([
      { code: "check_single_line", path: "", message: "The text has a line break." },
    ]);
  });

  it("lets the separators pass that JSON lets pass", () => {
    expect(run(check, ["a\u2028b", "c\td"])).toEqual([]);
  });
});

describe("distinct", () => {
  const check: Check = { kind: "distinct", at: "" };

  it.each([
    ["Call Ann", "call ann"],
    ["Call Ann", " Call Ann. "],
    ["Call Ann .", "Call Ann"],
    ["Straße", "STRASSE"],
    ["caf\u00e9", "CAFE\u0301"],
    ["", "."],
  ])("%j and %j are the same", (first, second) => {
    expect(run(check, ["x", first, second])).toEqual([
      {
        code: "check_distinct",
        severity: "error",
        message: "Items 2 and 3 say the same.",
        path: "/2",
        hint: "write each item once, and a different one instead",
      },
    ]);
  });

  it("lets different items pass", () => {
    expect(run(check, ["call Ann", "call Anna", "call Ann?", "call Ann.."])).toEqual([]);
  });

  it("is no matter of one text", () => {
    expect(places(check, "a")).toEqual([["check_not_applicable", ""]]);
  });
});

describe("a check on a part that is not there or of another kind", () => {
  it.each<[Check, Json, string]>([
    [{ kind: "hasLetter", at: "/topic" }, {}, '"hasLetter" cannot judge nothing at "/topic".'],
    [
      { kind: "hasLetter", at: "/toString" },
      {},
      '"hasLetter" cannot judge nothing at "/toString".',
    ],
    [{ kind: "notBlank", at: "/a" }, { a: 1 }, '"notBlank" cannot judge a number at "/a".'],
    [
      { kind: "distinct", at: "" },
      [["a"]],
      '"distinct" cannot judge a list of other values than texts at "".',
    ],
    [{ kind: "singleLine", at: "" }, null, '"singleLine" cannot judge null at "".'],
  ])("%j on %j says so", (check, value, message) => {
    expect(run(check, value)).toMatchObject([
      { code: "check_not_applicable", severity: "error", message },
    ]);
  });
});

it("runs every check", () => {
  const checks: Check[] = [
    { kind: "notBlank", at: "" },
    { kind: "singleLine", at: "" },
    { kind: "distinct", at: "" },
  ];
  const findings = runChecks(checks, { value: ["a\nb", "", "A\nB."], inputs: {} });
  expect(findings.map(({ code, path }) => [code, path])).toEqual([
    ["check_not_blank", "/1"],
    ["check_single_line", "/0"],
    ["check_single_line", "/2"],
    ["check_distinct", "/2"],
  ]);
});
