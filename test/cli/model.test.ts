import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { incipit, makeFolder, readError } from "./incipit.ts";

const folder = makeFolder();
const home = join(folder, "home");
const run = ["run", "dictation/content-tags", "-i", "transcript=call Ana"];

beforeAll(() => {
  writeFileSync(join(folder, "words.gguf"), "these are words, not weights\n");
  mkdirSync(join(folder, "folder.gguf"));
});

describe("model list", () => {
  it("names the catalogue, its default, and that nothing is here", async () => {
    const called = await incipit(["model", "list", "--json"], { home });
    expect(called).toMatchObject({ exitCode: 0, stderr: "" });
    const models = JSON.parse(called.stdout);
    expect(models[0]).toMatchObject({
      name: "smollm2-135m-instruct",
      isDefault: true,
      state: "absent",
      path: null,
      license: "Apache-2.0",
    });
    expect(models[0].digest).toMatch(/^[0-9a-f]{64}$/);
    const people = await incipit(["model", "list"], { home });
    expect(people.stdout).toMatch(/^smollm2-135m-instruct \* +– +98\.4 MB +Apache-2\.0/m);
    expect(existsSync(home)).toBe(false);
  });
});

describe("a run without its model", () => {
  it("says which is missing and how to get it, fetches nothing and records nothing", async () => {
    const called = await incipit([...run, "--json"], { home });
    expect(called).toMatchObject({ exitCode: 3, stdout: "" });
    expect(readError(called)).toMatchObject({
      code: "model_missing",
      message: expect.stringContaining('"smollm2-135m-instruct" is not here yet'),
      hint: "run `incipit model pull`",
    });
    expect(existsSync(home)).toBe(false);
  });

  it("gives the value of an empty input all the same", async () => {
    const args = ["run", "dictation/extract-tasks", "-i", "transcript=um", "--no-store"];
    const called = await incipit(args, { home });
    expect(called).toMatchObject({ exitCode: 0, stdout: "[]\n" });
    expect(called.stderr).toContain("no model was asked · not recorded");
    expect(existsSync(home)).toBe(false);
  });

  it.each([
    ["words.gguf", "model_not_gguf", 3],
    ["not-here.gguf", "model_file_missing", 3],
    ["folder.gguf", "model_file_missing", 3],
    ["smollm3", "model_unknown", 2],
    ["https://example.org/model.bin", "model_bad_reference", 2],
  ])("refuses --model %s as %s", async (model, code, exitCode) => {
    const called = await incipit([...run, "--model", model, "--json"], { home, folder });
    expect(called).toMatchObject({ exitCode, stdout: "" });
    expect(readError(called).code).toBe(code);
  });
});

describe("model pull", () => {
  it("refuses a file that is no model", async () => {
    const called = await incipit(["model", "pull", "words.gguf"], { home, folder });
    expect(called).toMatchObject({ exitCode: 3, stdout: "" });
    expect(called.stderr).toMatch(/^error: .*words\.gguf.*\n/);
    expect(called.stderr).toContain("GGUF");
  });

  it("tells of every source that could not be reached", async () => {
    const environment = {
      HF_ENDPOINT: "http://127.0.0.1:9",
      PIP_INDEX_URL: "http://127.0.0.1:9/simple",
      PIP_RETRIES: "0",
    };
    const called = await incipit(["model", "pull", "--json"], { home, environment });
    expect(called).toMatchObject({ exitCode: 3, stdout: "" });
    const error = readError(called);
    expect(error.code).toBe("model_unreachable");
    expect(error.findings).toHaveLength(2);
  }, 120_000);
});
