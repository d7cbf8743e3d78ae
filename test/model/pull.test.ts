import { readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  listModels,
  type PullEvent,
  type PullOptions,
  pullModel,
  resolveModel,
} from "../../src/model/index.ts";
import { findClosedEndpoint } from "./support/hub.ts";
import { createEntry, createModelFile, madeUpAddress, toDigest } from "./support/made-up-model.ts";
import { createFolder, toFailure, useHub } from "./support/temporary.ts";

const file = createModelFile(1_000_000);
const entry = createEntry(file);
const digest = toDigest(file);
const place = "/maker/made-up/resolve/main/made-up.gguf";
const linked = { "x-linked-etag": `"${digest}"`, "x-linked-size": String(file.length) };

async function prepare(
  endpoint: string,
  more: Partial<PullOptions> = {},
): Promise<{ options: PullOptions; events: PullEvent[] }> {
  const events: PullEvent[] = [];
  const options = {
    home: await createFolder(),
    environment: { HF_ENDPOINT: endpoint },
    catalogue: [entry],
    onProgress: (event: PullEvent) => events.push(event),
    ...more,
  };
  return { options, events };
}

describe("a pull", () => {
  test("brings the file, verified, and a second one finds it without asking anybody", async () => {
    const hub = await useHub(() => ({ file }));
    const { options, events } = await prepare(hub.endpoint);
    const model = await pullModel("Made-Up", options);
    expect(model).toMatchObject({
      name: "made-up",
      reference: "made-up",
      digest,
      bytes: file.length,
      license: "CC0-1.0",
      source: "Hugging Face maker/made-up",
    });
    expect(file.equals(await readFile(model.path))).toBe(true);
    expect(events[0]).toEqual({ kind: "source", source: "Hugging Face maker/made-up" });
    expect(events.findLast(({ kind }) => kind === "progress")).toEqual({
      kind: "progress",
      source: "Hugging Face maker/made-up",
      receivedBytes: file.length,
      totalBytes: file.length,
    });
    expect(events.at(-1)).toEqual({
      kind: "verify",
      receivedBytes: file.length,
      totalBytes: file.length,
    });
    expect(hub.requests.map(({ path }) => path)).toEqual([place]);
    expect(await readdir(join(options.home, "models", "partial"))).toEqual([]);

    expect(await pullModel("made-up", options)).toMatchObject({ path: model.path, source: null });
    expect(hub.requests).toHaveLength(1);
  });

  test("goes on from the byte where the connection was cut", async () => {
    const hub = await useHub((_path, count) =>
      count === 1 ? { file, cutAfter: 400_000 } : { file },
    );
    const { options, events } = await prepare(hub.endpoint);
    const model = await pullModel("made-up", options);
    expect(model.digest).toBe(digest);
    expect(hub.requests.map(({ range }) => range)).toEqual([undefined, "bytes=400000-"]);
    expect(events).toContainEqual({
      kind: "resume",
      source: "Hugging Face maker/made-up",
      receivedBytes: 400_000,
      totalBytes: file.length,
    });
  });

  test("that is stopped by its signal keeps what arrived, and the next one goes on", async () => {
    const hub = await useHub((_path, count) =>
      count === 1 ? { file, stallAfter: 300_000, headers: linked } : { file, headers: linked },
    );
    const stop = new AbortController();
    const { options } = await prepare(hub.endpoint, { signal: stop.signal });
    const failure = await toFailure(
      pullModel("made-up", {
        ...options,
        onProgress: (event) => {
          if (event.kind === "progress" && event.receivedBytes > 0) {
            setTimeout(() => stop.abort(), 150);
          }
        },
      }),
    );
    expect(failure.code).toBe("model_aborted");
    const [listed] = await listModels(options);
    expect(listed).toMatchObject({
      name: "made-up",
      state: "partial",
      receivedBytes: 300_000,
      bytes: file.length,
      path: null,
    });
    const { signal: _, ...rest } = options;
    expect((await toFailure(resolveModel("made-up", rest))).message).toBe(
      'The model "made-up" is not here yet: 300.0 kB of 1.0 MB are here.',
    );

    const model = await pullModel("made-up", rest);
    expect(model.digest).toBe(digest);
    expect(hub.requests[1]?.range).toBe("bytes=300000-");
  });

  test("begins again when the server has another file now", async () => {
    const other = createModelFile(1_000_000, 7);
    let now = other;
    const hub = await useHub((_path, count) => ({
      file: now,
      headers: { etag: `"${toDigest(now).slice(0, 8)}"` },
      ...(count === 1 ? { stallAfter: 200_000 } : {}),
    }));
    const times = { stall: 200 };
    const { options } = await prepare(hub.endpoint, { times });
    expect((await toFailure(pullModel("made-up", options))).code).toBe("model_unreachable");
    now = file;
    expect((await pullModel("made-up", options)).digest).toBe(digest);
    expect(hub.requests.map(({ range }) => range)).toEqual([undefined, "bytes=200000-", undefined]);
  });

  test("begins again when the server gives no ranges", async () => {
    const hub = await useHub((_path, count) => ({
      file,
      ranges: false,
      ...(count === 1 ? { cutAfter: 200_000 } : {}),
    }));
    const { options } = await prepare(hub.endpoint);
    expect((await pullModel("made-up", options)).digest).toBe(digest);
    expect(hub.requests).toHaveLength(2);
  });

  test("of wrong bytes fails with both digests and leaves nothing of them", async () => {
    const wrong = Buffer.from(file);
    wrong[wrong.length - 1] = (wrong[wrong.length - 1] ?? 0) ^ 1;
    const hub = await useHub(() => ({ file: wrong }));
    const { options } = await prepare(hub.endpoint);
    const failure = await toFailure(pullModel("made-up", options));
    expect(failure.code).toBe("model_digest_mismatch");
    expect(failure.message).toBe(
      '"made-up" could not be fetched. Hugging Face maker/made-up: it sent a file with digest ' +
        `${toDigest(wrong)}, not ${digest}.`,
    );
    expect(failure.findings.map(({ code }) => code)).toEqual(["model_source_wrong_file"]);
    const left = await readdir(join(options.home, "models"), { recursive: true });
    expect(left.filter((name) => /\.part|\.gguf/.test(name))).toEqual([]);
  });

  test("whose kept part turns out to be wrong fetches the whole file once more", async () => {
    const hub = await useHub((_path, count) =>
      count === 1 ? { file, stallAfter: 300_000 } : { file },
    );
    const { options } = await prepare(hub.endpoint, { times: { stall: 200 } });
    await toFailure(pullModel("made-up", options));
    const part = join(options.home, "models", "partial", "made-up", "hugging-face.part");
    const bytes = await readFile(part);
    bytes[1000] = (bytes[1000] ?? 0) ^ 255;
    await writeFile(part, bytes);
    expect((await pullModel("made-up", options)).digest).toBe(digest);
    expect(hub.requests.map(({ range }) => range)).toEqual([undefined, "bytes=300000-", undefined]);
  });

  test("refuses a file of another size or digest before it is transferred", async () => {
    const short = createModelFile(999_999);
    const sizes = await useHub(() => ({ file: short }));
    const first = await prepare(sizes.endpoint);
    expect((await toFailure(pullModel("made-up", first.options))).message).toContain(
      `it offers a file of ${short.length} bytes where ${file.length} are expected`,
    );
    const digests = await useHub(() => ({
      file,
      headers: { "x-linked-etag": `"${"0".repeat(64)}"` },
    }));
    const second = await prepare(digests.endpoint);
    expect((await toFailure(pullModel("made-up", second.options))).message).toContain(
      `it offers a file with another digest, ${"0".repeat(64)}`,
    );
    expect([...first.events, ...second.events].some(({ kind }) => kind === "progress")).toBe(false);
  });

  test("goes to the next source and, when all fail, names each with its reason", async () => {
    const hub = await useHub((path) =>
      path.includes("/gone/")
        ? { status: 404, headers: { "x-error-code": "EntryNotFound" } }
        : path.includes("/private/")
          ? { status: 401 }
          : { status: 503 },
    );
    const names = ["maker/gone", "maker/private", "maker/busy"];
    const sources = names.map((repository) => ({ ...madeUpAddress, repository }) as never);
    const { options, events } = await prepare(hub.endpoint, { sources });
    const failure = await toFailure(pullModel("made-up", options));
    expect(failure.code).toBe("model_unreachable");
    expect(failure.findings.map(({ code, message }) => [code, message])).toEqual([
      [
        "model_source_not_found",
        'Hugging Face maker/gone: it has no file "made-up.gguf" at "main" in "maker/gone" (404)',
      ],
      [
        "model_source_denied",
        'Hugging Face maker/private: it does not give "maker/private" to this user, or has none ' +
          "of that name (401)",
      ],
      ["model_source_refused", "Hugging Face maker/busy: it answered with status 503"],
    ]);
    for (const { message } of failure.findings) expect(failure.message).toContain(message);
    expect(failure.hint).toContain("HF_TOKEN");
    expect(failure.hint).toContain(
      "download https://huggingface.co/maker/gone/resolve/main/made-up.gguf and run " +
        "`incipit model pull PATH-OF-THE-FILE`",
    );
    expect(events.filter(({ kind }) => kind === "source-failed")).toHaveLength(3);
  });

  test("leaves a source at once when nobody listens there", async () => {
    const { options } = await prepare(await findClosedEndpoint());
    const begun = performance.now();
    const failure = await toFailure(pullModel("made-up", options));
    expect(performance.now() - begun).toBeLessThan(2000);
    expect(failure.code).toBe("model_unreachable");
    expect(failure.message).toContain("could not be reached (the connection was refused)");
  });

  test("leaves a source that never answers after three seconds for the next one", async () => {
    const hub = await useHub((path) => (path.includes("/hole/") ? { silent: true } : { file }));
    const sources = [{ ...madeUpAddress, repository: "maker/hole" } as never, madeUpAddress];
    const { options, events } = await prepare(hub.endpoint, { sources });
    const begun = performance.now();
    const model = await pullModel("made-up", options);
    expect(performance.now() - begun).toBeGreaterThan(2500);
    expect(performance.now() - begun).toBeLessThan(6000);
    expect(model.source).toBe("Hugging Face maker/made-up");
    expect(events.find(({ kind }) => kind === "source-failed")).toMatchObject({
      finding: { code: "model_source_unreachable" },
    });
  });

  test("gives a stalled transfer up and says after how many bytes", async () => {
    const hub = await useHub(() => ({ file, stallAfter: 250_000 }));
    const { options } = await prepare(hub.endpoint, { times: { stall: 1000 } });
    const failure = await toFailure(pullModel("made-up", options));
    expect(failure.findings[0]?.code).toBe("model_source_stalled");
    expect(failure.message).toContain("it sent nothing for 1 s after 250.0 kB");
  });

  test("gives a connection up that is cut again and again without a byte", async () => {
    const hub = await useHub(() => ({ file, cutAfter: 0 }));
    const { options } = await prepare(hub.endpoint);
    const failure = await toFailure(pullModel("made-up", options));
    expect(failure.findings[0]?.code).toBe("model_source_interrupted");
    expect(hub.requests).toHaveLength(3);
  });

  test("sends the token to the endpoint alone and follows its redirects", async () => {
    const storage = await useHub(() => ({ file }));
    const hub = await useHub((path) =>
      path.startsWith("/old/")
        ? { status: 307, headers: { location: place } }
        : { status: 302, headers: { location: `${storage.endpoint}/blob`, ...linked } },
    );
    const sources = [{ ...madeUpAddress, repository: "old/made-up" } as never];
    const { options } = await prepare(hub.endpoint, {
      sources,
      environment: { HF_ENDPOINT: `${hub.endpoint}/`, HF_TOKEN: "hf_secret" },
    });
    expect((await pullModel("made-up", options)).digest).toBe(digest);
    expect(hub.requests.map(({ authorization }) => authorization)).toEqual([
      "Bearer hf_secret",
      "Bearer hf_secret",
    ]);
    expect(storage.requests.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  test("never prints the token, not even a broken one", async () => {
    const hub = await useHub(() => ({ status: 403 }));
    for (const HF_TOKEN of ["hf_secret", "hf_\u0007secret"]) {
      const { options, events } = await prepare(hub.endpoint, {
        environment: { HF_ENDPOINT: hub.endpoint, HF_TOKEN },
      });
      const failure = await toFailure(pullModel("made-up", options));
      expect(failure.findings[0]?.code).toBe("model_source_denied");
      expect(JSON.stringify([failure.message, failure.hint, failure.findings, events])).not.toMatch(
        /secret/,
      );
    }
  });

  test("refuses an endpoint that is no web address", async () => {
    const { options } = await prepare("huggingface");
    const failure = await toFailure(pullModel("made-up", options));
    expect(failure.code).toBe("model_bad_endpoint");
    expect(failure.message).toContain('"huggingface"');
  });

  test("puts a damaged file in the cache right again", async () => {
    const hub = await useHub(() => ({ file }));
    const { options } = await prepare(hub.endpoint);
    const { path } = await pullModel("made-up", options);
    await writeFile(path, file.subarray(0, 5000));
    const damaged = await toFailure(resolveModel("made-up", options));
    expect(damaged.code).toBe("model_digest_mismatch");
    expect(damaged.hint).toBe("run `incipit model pull made-up` to fetch it again");
    expect((await pullModel("made-up", options)).digest).toBe(digest);
    expect(file.equals(await readFile(path))).toBe(true);
  });

  test("takes a file in that a killed pull had put in its place without a record", async () => {
    const hub = await useHub(() => ({ file }));
    const { options } = await prepare(hub.endpoint);
    const { path } = await pullModel("made-up", options);
    await rm(join(options.home, "models", "records"), { recursive: true });
    expect(await pullModel("made-up", options)).toMatchObject({ path, digest, source: null });
    expect(hub.requests).toHaveLength(1);
  });
});

describe("a pull of an hf: reference", () => {
  const reference = "hf:maker/made-up/made-up.gguf";

  test("takes the server's digest for the file's and keeps what it computed", async () => {
    const hub = await useHub(() => ({ file, headers: linked }));
    const { options } = await prepare(hub.endpoint);
    const model = await pullModel(reference, options);
    expect(model).toMatchObject({ name: reference, reference, digest, license: null });
    expect(await resolveModel(reference, options)).toMatchObject({ path: model.path, digest });
  });

  test("fails when the bytes have not the digest that the server names", async () => {
    const hub = await useHub(() => ({
      file,
      headers: { etag: `"${"a".repeat(64)}"` },
    }));
    const { options } = await prepare(hub.endpoint);
    const failure = await toFailure(pullModel(reference, options));
    expect(failure.code).toBe("model_digest_mismatch");
    expect(failure.message).toContain(
      `it sent a file with digest ${digest}, not ${"a".repeat(64)}`,
    );
  });

  test("refuses what is no model and what was cut short", async () => {
    const page = await useHub(() => ({ file: Buffer.from("<html>sign in</html>") }));
    const first = await prepare(page.endpoint);
    expect((await toFailure(pullModel(reference, first.options))).message).toContain(
      "it sent no GGUF model",
    );
    const short = await useHub(() => ({ file: file.subarray(0, 600_000), length: false }));
    const second = await prepare(short.endpoint);
    expect((await toFailure(pullModel(reference, second.options))).message).toContain(
      "it sent a GGUF model cut short",
    );
  });

  test("that is stopped shows up in the list and goes on only for the same file", async () => {
    const hub = await useHub((_path, count) => ({
      file,
      headers: linked,
      ...(count === 1 ? { stallAfter: 100_000 } : {}),
    }));
    const { options } = await prepare(hub.endpoint, { times: { stall: 200 } });
    await toFailure(pullModel(reference, options));
    expect((await listModels(options)).at(-1)).toMatchObject({
      reference,
      state: "partial",
      receivedBytes: 100_000,
      bytes: file.length,
    });
    expect((await pullModel(reference, options)).digest).toBe(digest);
    expect(hub.requests[1]?.range).toBe("bytes=100000-");
  });

  test("leaves a file of the same content where it is, as it may be in use", async () => {
    const hub = await useHub(() => ({ file }));
    const { options } = await prepare(hub.endpoint);
    const first = await pullModel("made-up", options);
    const { ino } = await stat(first.path);
    const second = await pullModel(reference, options);
    expect(second).toMatchObject({ name: reference, path: first.path });
    expect((await stat(first.path)).ino).toBe(ino);
    expect(hub.requests).toHaveLength(2);
  });

  test("shares one file with a catalogue name of the same content", async () => {
    const hub = await useHub(() => ({ file }));
    const { options } = await prepare(hub.endpoint);
    const first = await pullModel(reference, options);
    const second = await pullModel("made-up", options);
    expect(second).toMatchObject({ name: "made-up", path: first.path, source: null });
    expect((await stat(first.path)).nlink).toBe(1);
    const touched = new Date(2020, 1, 1);
    await utimes(first.path, touched, touched);
    expect(await resolveModel("made-up", options)).toMatchObject({ path: first.path, digest });
  });
});
