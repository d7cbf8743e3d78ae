import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadPack, parseReference, printReference, tryLoadPack } from "../../src/pack/index.ts";
import { IncipitError, toPosition } from "../../src/text/index.ts";
import { changed, packFiles } from "./pack-files.ts";

/** Code, message, hint and place of the errors of a changed pack. */
function problems(changes: Record<string, string | null>) {
  const files = packFiles(changes);
  return tryLoadPack(files)
    .findings.filter(({ severity }) => severity === "error")
    .map(({ code, message, hint, span }) => {
      const { line, column } = toPosition(files.get(span?.path ?? "") ?? "", span?.start ?? 0);
      return { code, message, hint, at: span && `${span.path}:${line}:${column}` };
    });
}

describe("a pack", () => {
  it("is linked: a task holds its modules, template, inputs and reinforcements", () => {
    const pack = loadPack(packFiles());
    const task = pack.tasks.get("name");
    expect(task?.ref).toBe("small/name");
    expect(task?.version).toBe("2.0");
    expect(task?.system.modules.map(({ ref, tier, version }) => [ref, tier, version])).toEqual([
      ["system/notes.yaml#rules", "protected", "1.0"],
      ["system/notes.yaml#words", "customizable", "1.0"],
    ]);
    expect(task?.user.ref).toBe("templates/note.json#plain");
    expect(task?.inputs.map(({ name, kind, optional }) => [name, kind, optional])).toEqual([
      ["note", "text", false],
      ["terms", "list", true],
    ]);
    expect(task?.retry.reinforce.map(({ on, text }) => [on, text.ref, text.version])).toEqual([
      ["contract", "compositions/retry.json#shape", "1.1"],
    ]);
    expect(task?.whenEmpty).toEqual({ value: null });
    expect([...pack.languages.keys()].sort()).toEqual(["de", "en"]);
  });

  it("is a function of its files: order and line ends do not matter, one letter does", () => {
    const digest = loadPack(packFiles()).digest;
    expect(loadPack(new Map([...packFiles()].reverse())).digest).toBe(digest);
    const crlf = new Map(
      [...packFiles()].map(([path, text]) => [path, text.replace(/\n/g, "\r\n")]),
    );
    expect(loadPack(crlf).digest).toBe(digest);
    expect(loadPack(crlf).tasks.get("name")?.digest).toBe(
      loadPack(packFiles()).tasks.get("name")?.digest,
    );
    const other = packFiles(changed("templates/note.json", "Name it now.", "Name it now!"));
    expect(loadPack(other).digest).not.toBe(digest);
    expect(loadPack(other).tasks.get("name")?.digest).not.toBe(
      loadPack(packFiles()).tasks.get("name")?.digest,
    );
  });

  it("hands out frozen data", () => {
    const task = loadPack(packFiles()).tasks.get("name");
    const schema = task?.output.kind === "json" ? task.output.schema : null;
    expect(Object.isFrozen(schema)).toBe(true);
    const pack = loadPack(packFiles());
    expect(() => (pack.tasks as Map<string, unknown>).delete("name")).toThrow(TypeError);
    expect(() => (pack.tasks as Map<string, unknown>).set("x", 1)).toThrow(TypeError);
  });

  it("leaves hidden and foreign files alone", () => {
    const digest = loadPack(packFiles()).digest;
    const more = packFiles({ ".git/config.yaml": "x: [", "notes.md": "# hi", "logo.png": "\0" });
    expect(loadPack(more).digest).toBe(digest);
  });

  it("throws one error that carries every finding", () => {
    const files = packFiles({ "templates/note.json": "{" });
    let error: unknown;
    try {
      loadPack(files);
    } catch (thrown) {
      error = thrown;
    }
    expect(IncipitError.isInstance(error) && error.code).toBe("pack_invalid");
    expect(IncipitError.isInstance(error) && error.findings.length).toBeGreaterThan(0);
  });
});

describe("faults of a pack are named with their place", () => {
  it("a missing manifest", () => {
    expect(problems({ "incipit.yaml": null })[0]?.code).toBe("pack_file_not_found");
  });

  it("a reference to a missing file", () => {
    expect(problems(changed("tasks/name.yaml", "system/notes.yaml", "system/note.yaml"))).toEqual([
      {
        code: "pack_file_not_found",
        message: 'The file "system/note.yaml" was not found in the pack.',
        hint: 'did you mean "system/notes.yaml" or "tasks/name.yaml"?',
        at: "tasks/name.yaml:3:9",
      },
    ]);
  });

  it("a reference to a missing key", () => {
    expect(problems(changed("tasks/name.yaml", "note.json#plain", "note.json#plan"))).toEqual([
      {
        code: "pack_key_not_found",
        message: 'The key "plan" of "templates/note.json#plan" was not found.',
        hint: 'did you mean "plain"?',
        at: "tasks/name.yaml:4:7",
      },
    ]);
  });

  it.each([
    "../secret.json",
    "/etc/x.json",
    "a/../../b.json",
    "C:/x.json",
    "a\\\\..\\\\b.json",
    "%2e%2e/x.json",
  ])("a reference that leads outside: %s", (path) => {
    const [first] = problems(
      changed("tasks/name.yaml", "system: system/notes.yaml", `system: "${path}"`),
    );
    expect(first?.code).toBe("pack_bad_reference");
    expect(first?.at).toBe("tasks/name.yaml:3:9");
  });

  it("an unknown key", () => {
    expect(problems(changed("tasks/name.yaml", "whenEmpty:", "whenempty:"))).toEqual([
      {
        code: "pack_unknown_key",
        message: '"whenempty" is not a key that "tasks/name.yaml" can have.',
        hint: 'did you mean "whenEmpty"?',
        at: "tasks/name.yaml:8:12",
      },
    ]);
  });

  it("a wrong value", () => {
    const [first] = problems(changed("tasks/name.yaml", "maxTokens: 30", "maxTokens: many"));
    expect(first?.code).toBe("pack_bad_value");
    expect(first?.message).toContain('"limits.maxTokens" is not right');
    expect(first?.at).toBe("tasks/name.yaml:14:22");
  });

  it("a duplicate key, broken YAML, broken JSON, an alias", () => {
    expect(
      problems(changed("incipit.yaml", "name: small", "name: small\nname: big"))[0]?.code,
    ).toBe("pack_syntax");
    expect(problems({ "incipit.yaml": "name: [" })[0]?.code).toBe("pack_syntax");
    expect(problems(changed("templates/note.json", "1.0", "1.0', "))[0]?.code).toMatch(/^pack_/);
    expect(problems({ "templates/note.json": "{ plain: 1 }" })[0]?.code).toBe("pack_syntax");
    expect(problems(changed("incipit.yaml", "name: small", "name: &a small\nx: *a"))[0]?.code).toBe(
      "pack_syntax",
    );
  });

  it("a tag, a key that is no text, a number that would lose digits", () => {
    const codes = (from: string, to: string) =>
      problems(changed("incipit.yaml", from, to))[0]?.code;
    expect(codes("name: small", "name: !!binary aGk=")).toBe("pack_syntax");
    expect(codes("name: small", "? [a]\n: x\nname: small")).toBe("pack_syntax");
    expect(
      problems(changed("tasks/name.yaml", "maxTokens: 30", "maxTokens: 9007199254740993"))[0],
    ).toMatchObject({
      code: "pack_unsafe_number",
      at: "tasks/name.yaml:14:22",
    });
  });

  it("never throw anything but a pack's own failure", () => {
    const piece = fc.constantFrom(
      ...": - {}[]!&*|>'\"#%@`?,\n\t ~0x1e9 a b !!binary <<: *a &a null true".split(" "),
    );
    const text = fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom(...packFiles().keys()), text, (path, pieces) => {
        const broken = tryLoadPack(packFiles({ [path]: pieces.join(" ") }));
        expect(broken.pack === null).toBe(
          broken.findings.some(({ severity }) => severity === "error"),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("what nests too deeply, in maps and in lists, and what overflows a parser", () => {
    const deep = (text: string) => problems({ "languages/en.yaml": text })[0]?.code;
    const head = packFiles().get("languages/en.yaml") ?? "";
    expect(deep(`${head}x: ${"[".repeat(70)}${"]".repeat(70)}\n`)).toBe("pack_too_deep");
    expect(deep(`x: ${"{a: ".repeat(70)}1${"}".repeat(70)}\n`)).toBe("pack_too_deep");
    expect(deep(`x: ${"[".repeat(20_000)}`)).toBe("pack_too_deep");
    expect(deep('"'.repeat(300_000))).toMatch(/^pack_/);
  });

  it("a text of invisible characters", () => {
    const rules = "content: Answer with a word.";
    expect(
      problems(changed("system/notes.yaml", rules, 'content: "\\u200b\\u00ad"'))[0]?.code,
    ).toBe("pack_bad_value");
  });

  it("forty thousand unknown keys, quickly", () => {
    const keys = Array.from({ length: 40_000 }, (_, index) => `k${index}: 1`).join("\n");
    const start = performance.now();
    const found = problems({ "tasks/name.yaml": `${packFiles().get("tasks/name.yaml")}${keys}\n` });
    expect(found.length).toBeLessThan(60);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it("two files of one task or one language, and a task that has no name", () => {
    const task = packFiles().get("tasks/name.yaml") ?? "";
    expect(problems({ "tasks/name.yml": task })[0]).toMatchObject({
      code: "pack_duplicate_name",
      message: '"tasks/name.yml" defines the task "name" a second time.',
    });
    const english = packFiles().get("languages/en.yaml") ?? "";
    expect(problems({ "languages/english.yaml": english })[0]?.code).toBe("pack_duplicate_name");
    expect(problems({ "tasks/bad name!.yaml": task })[0]?.code).toBe("pack_bad_value");
  });

  it("a last line that says nothing", () => {
    expect(
      problems(changed("templates/note.json", "${note}\\nName it now.", "${note}."))[0]?.code,
    ).toBe("pack_last_word");
  });

  it.each(["__proto__", "constructor", "prototype"])("the reserved key %s", (key) => {
    expect(
      problems(changed("incipit.yaml", "name: small", `name: small\n${key}: x`))[0]?.code,
    ).toBe("pack_reserved_key");
  });

  it("an undeclared slot, at its place in the file", () => {
    expect(problems(changed("system/notes.yaml", "${terms}", "${term}"))).toEqual([
      {
        code: "template_undeclared_variable",
        message: '"${term}" is not a declared variable.',
        hint: 'declare it under "variables", or correct its name: did you mean "terms"?',
        at: "system/notes.yaml:12:5",
      },
    ]);
  });

  it("a variable that is no input of the task", () => {
    const [first] = problems(changed("tasks/name.yaml", "  note: {", "  memo: {"));
    expect(first?.code).toBe("pack_unknown_variable");
    expect(first?.hint).toContain("memo");
  });

  it("an unknown module in the order, one named twice", () => {
    expect(
      problems(changed("system/notes.yaml", "[rules, words]", "[rules, wrds]"))[0],
    ).toMatchObject({
      code: "pack_unknown_module",
      hint: 'did you mean "words"?',
      at: "system/notes.yaml:3:38",
    });
    expect(
      problems(changed("system/notes.yaml", "[rules, words]", "[rules, words, rules]"))[0]?.code,
    ).toBe("pack_repeated_module");
  });

  it("a protected module that depends on an input", () => {
    expect(
      problems(changed("system/notes.yaml", "tier: customizable", "tier: protected"))[0]?.code,
    ).toBe("pack_protected_module_varies");
  });

  it("an optional input used without a guard", () => {
    expect(problems(changed("system/notes.yaml", "  when: terms\n", ""))[0]?.code).toBe(
      "pack_unguarded_module",
    );
  });

  it("a reinforcement for a code that cannot be", () => {
    expect(problems(changed("tasks/name.yaml", "on: contract", "on: contrakt"))).toEqual([
      {
        code: "pack_bad_value",
        message: '"retry.reinforce.0.on" is not right: "contrakt" is no code of a finding.',
        hint: 'did you mean "contract"?',
        at: "tasks/name.yaml:18:21",
      },
    ]);
  });

  it("a reinforcement for a misspelt code", () => {
    expect(
      problems(changed("tasks/name.yaml", "on: contract", "on: contract_shema"))[0],
    ).toMatchObject({
      code: "pack_bad_value",
      hint: expect.stringContaining('did you mean "contract_schema"'),
    });
  });

  it("an input under the reserved name output", () => {
    expect(problems(changed("tasks/name.yaml", "  note: {", "  output: {"))[0]?.code).toBe(
      "pack_reserved_key",
    );
  });

  it("a user template that gives the data the last word", () => {
    expect(
      problems(changed("templates/note.json", "${note}\\nName it now.", "Name it:\\n${note}"))[0]
        ?.code,
    ).toBe("pack_last_word");
  });

  it("a schema that the contract cannot take, an unknown check", () => {
    expect(problems(changed("tasks/name.yaml", "minLength: 1", "minlength: 1"))[0]?.code).toMatch(
      /^contract_/,
    );
    expect(problems(changed("tasks/name.yaml", "hasLetter", "hasleter"))[0]?.code).toMatch(
      /^check_/,
    );
  });
});

describe("a reference", () => {
  it("is cut at the first # and at dots; a backslash makes a dot literal", () => {
    expect(parseReference("a/b.json")).toEqual({ path: "a/b.json", keys: [] });
    expect(parseReference("a.json#x.y")).toEqual({ path: "a.json", keys: ["x", "y"] });
    expect(parseReference("a.json#v1\\.2.t\\\\i")).toEqual({
      path: "a.json",
      keys: ["v1.2", "t\\i"],
    });
    expect(parseReference("a.json#x#y")).toEqual({ path: "a.json", keys: ["x#y"] });
  });

  it("prints so that it parses back", () => {
    for (const text of ["a/b.json", "a.json#x.y", "a.json#v1\\.2.t\\\\i"]) {
      expect(printReference(parseReference(text))).toBe(text);
    }
  });

  it.each(["", "#a", "a.json#", "a.json#x..y", "a.json#.x", "a//b.json", "./a.json", "a\0b.json"])(
    "is refused when it is %j",
    (text) => {
      expect(() => parseReference(text)).toThrow(IncipitError);
    },
  );
});

describe("a hand-written grammar", () => {
  it("is kept as written, and an error in it is the pack's", () => {
    const text = 'root ::= "a"   |  "b"\n';
    expect(
      loadPack(packFiles({ "grammars/x.gbnf": text })).grammars.get("grammars/x.gbnf")?.text,
    ).toBe(text);
    expect(problems({ "grammars/x.gbnf": "root ::= a\n" })).toEqual([
      {
        code: "grammar_undefined_rule",
        message: expect.stringContaining('"a"'),
        hint: expect.any(String),
        at: "grammars/x.gbnf:1:10",
      },
    ]);
  });
});
