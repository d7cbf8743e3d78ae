import { readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listModels, type PullEvent, pullModel, resolveModel } from "../../src/model/index.ts";
import { createEntry, createModelFile, toDigest } from "./support/made-up-model.ts";
import { createFolder, toFailure } from "./support/temporary.ts";

const file = createModelFile(200_000);
const digest = toDigest(file);

async function prepare(): Promise<{ home: string; path: string }> {
  const folder = await createFolder();
  const path = join(folder, "own.gguf");
  await writeFile(path, file);
  return { home: join(folder, "home"), path };
}

describe("a local model file", () => {
  test("is used in place by default and shown by the list", async () => {
    const { home, path } = await prepare();
    expect(await pullModel(path, { home })).toEqual({
      name: "own.gguf",
      reference: path,
      path,
      digest,
      bytes: file.length,
      license: null,
      source: path,
    });
    expect((await listModels({ home })).at(-1)).toMatchObject({
      name: "own.gguf",
      reference: path,
      kind: "path",
      state: "present",
      digest,
      path,
    });
  });

  test("that has a digest of the catalogue is that model", async () => {
    const { home, path } = await prepare();
    const catalogue = [createEntry(file)];
    expect(await pullModel(path, { home, catalogue })).toMatchObject({ name: "made-up", path });
    const environment = {};
    expect(await resolveModel("made-up", { home, catalogue, environment })).toMatchObject({
      name: "made-up",
      path,
      digest,
      license: "CC0-1.0",
    });
    expect(await listModels({ home, catalogue })).toMatchObject([
      { name: "made-up", state: "present", path },
    ]);
    await writeFile(path, createModelFile(200_000, 3));
    expect((await toFailure(resolveModel("made-up", { home, catalogue, environment }))).code).toBe(
      "model_missing",
    );
  });

  test.each(["copy", "link"] as const)("can be kept as a %s in the cache", async (keep) => {
    const { home, path } = await prepare();
    const model = await pullModel(path, { home, keep });
    expect(model.path).toBe(join(home, "models", "files", digest, "own.gguf"));
    expect(file.equals(await readFile(model.path))).toBe(true);
    expect((await stat(path)).nlink).toBe(keep === "link" ? 2 : 1);
    await rm(path);
    expect(await resolveModel(path, { home })).toMatchObject({ path: model.path, digest });
  });

  test("is refused when it is missing, a folder, no model, or cut short", async () => {
    const { home, path } = await prepare();
    const folder = join(path, "..");
    const text = join(folder, "text.gguf");
    const short = join(folder, "short.gguf");
    await writeFile(text, "a text");
    await writeFile(short, file.subarray(0, 100_000));
    const codes = [];
    for (const wrong of [join(folder, "none.gguf"), folder, text, short]) {
      codes.push((await toFailure(pullModel(wrong, { home }))).code);
    }
    expect(codes).toEqual([
      "model_file_missing",
      "model_file_missing",
      "model_not_gguf",
      "model_truncated",
    ]);
    expect((await listModels({ home })).filter(({ kind }) => kind === "path")).toEqual([]);
  });
});

describe("a model for a run", () => {
  test("is the one named, else INCIPIT_MODEL's, else the default", async () => {
    const { home, path } = await prepare();
    const catalogue = [createEntry(file)];
    const missing = await toFailure(resolveModel(undefined, { home, environment: {} }));
    expect(missing.code).toBe("model_missing");
    expect(missing.message).toBe('The model "smollm2-135m-instruct" is not here yet.');
    expect(missing.hint).toBe("run `incipit model pull`");
    const other = await toFailure(
      resolveModel(undefined, { home, environment: { INCIPIT_MODEL: "made-up" }, catalogue }),
    );
    expect(other.hint).toBe("run `incipit model pull made-up`");
    const environment = { INCIPIT_MODEL: "made-up" };
    expect(await resolveModel(path, { home, environment })).toMatchObject({ path, digest });
  });

  test("may be a path that was never pulled, and its digest is kept for the next time", async () => {
    const { home, path } = await prepare();
    const hashed: number[] = [];
    const onProgress = (event: PullEvent): void => {
      if (event.kind === "verify") hashed.push(event.receivedBytes);
    };
    const options = { home, environment: { INCIPIT_MODEL: path }, onProgress };
    expect((await resolveModel(undefined, options)).digest).toBe(digest);
    expect(hashed.at(-1)).toBe(file.length);
    const before = hashed.length;
    expect((await resolveModel(undefined, options)).digest).toBe(digest);
    expect(hashed).toHaveLength(before);
  });

  test("leaves no trace of a path that is not to be remembered", async () => {
    const { home, path } = await prepare();
    expect((await resolveModel(path, { home, remember: false })).digest).toBe(digest);
    await expect(stat(home)).rejects.toThrow("ENOENT");
  });

  test("is read again when size or time are not as recorded", async () => {
    const { home, path } = await prepare();
    await resolveModel(path, { home });
    const other = createModelFile(200_000, 9);
    await writeFile(path, other);
    const later = new Date(Date.now() + 60_000);
    await utimes(path, later, later);
    expect((await listModels({ home })).at(-1)?.state).toBe("changed");
    expect((await resolveModel(path, { home })).digest).toBe(toDigest(other));
  });

  test("that is listed as present becomes absent when its file is gone", async () => {
    const { home, path } = await prepare();
    await pullModel(path, { home });
    await rm(path);
    expect((await listModels({ home })).at(-1)).toMatchObject({
      state: "absent",
      path: null,
      receivedBytes: 0,
    });
    expect((await toFailure(resolveModel(path, { home }))).code).toBe("model_file_missing");
  });
});

describe("an empty home", () => {
  test("lists the catalogue as absent and is not created", async () => {
    const { home } = await prepare();
    const listed = await listModels({ home });
    expect(listed.map(({ name, state, isDefault }) => [name, state, isDefault])).toEqual([
      ["smollm2-135m-instruct", "absent", true],
      ["qwen2.5-coder-0.5b-instruct", "absent", false],
    ]);
    await expect(stat(home)).rejects.toThrow();
  });
});

describe("what is no file", () => {
  test.skipIf(process.platform === "win32")("is no model, and is named as what it is", async () => {
    const home = await createFolder();
    for (const [path, kind] of [
      [home, "a folder"],
      ["/dev/zero", "not a regular file"],
    ] as const) {
      const failure = await toFailure(resolveModel(path, { home, environment: {} }));
      expect(failure.code).toBe("model_file_missing");
      expect(failure.message).toBe(`"${path}" is ${kind}, expected a model file.`);
    }
  });
});

describe("a home that is a file", () => {
  test("is no home without models, but an error", async () => {
    const { path } = await prepare();
    const failure = await toFailure(listModels({ home: path }));
    expect(failure.code).toBe("model_storage_failed");
    expect(failure.message).toBe(
      `"${join(path, "models")}" cannot be used: it is no folder, or lies in one that is none.`,
    );
    expect(failure.hint).toContain("INCIPIT_HOME");
  });
});
