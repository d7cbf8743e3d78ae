import { mkdtemp, open, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../../src/engine/index.ts";
import { openLlamaEngine } from "../../../src/engine/llama/index.ts";
import { openLibrary } from "../../../src/engine/llama/library.ts";
import { IncipitError } from "../../../src/text/index.ts";
import { modelTitle, noModelReason, testModelPath } from "../test-model.ts";
import { runChild } from "./child.ts";
import { hideKey, patchModel, setDecimal, setNumber, setTemplate } from "./patched-model.ts";
import { generate, toMessage, toRequest } from "./requests.ts";

async function failureOf(call: Promise<unknown>): Promise<IncipitError> {
  const error = await call.then(
    () => null,
    (caught: unknown) => caught,
  );
  if (!IncipitError.isInstance(error)) throw new Error(`no IncipitError but ${error}`);
  return error;
}

describe("a llama engine without its package", () => {
  it("names the package and the command that installs it", async () => {
    const name = "node-llama-cpp-of-nowhere";
    const failure = await failureOf(openLibrary(() => import(/* @vite-ignore */ name)));
    expect(failure.code).toBe("engine_package_missing");
    expect(failure.message).toContain('"node-llama-cpp"');
    expect(failure.hint).toContain("npm install node-llama-cpp@3.21.1");
  });
});

describe("a file that is not a model", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "incipit-files-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("is not found where there is none, or a folder", async () => {
    const path = join(folder, "nowhere.gguf");
    const failure = await failureOf(openLlamaEngine({ modelPath: path }));
    expect(failure.code).toBe("engine_model_not_found");
    expect(failure.message).toBe(`There is no model file "${path}".`);
    expect(failure.hint).toContain("incipit model pull");
    for (const other of [folder, "/dev/zero"]) {
      const unlike = await failureOf(openLlamaEngine({ modelPath: other }));
      expect(unlike.code).toBe("engine_model_not_found");
      if (process.platform !== "win32") {
        expect(unlike.message).toBe(`"${other}" is not a regular file.`);
      }
    }
  });

  it.each([
    ["empty", Buffer.alloc(0)],
    ["a text", Buffer.from("This is a note, not a model.")],
    ["of a version from the future", Buffer.from("GGUF\u0009\0\0\0\0\0\0\0\0\0\0\0", "latin1")],
    ["a magic number and nothing else", Buffer.from("GGUF")],
    [
      "a header that promises more than there is",
      Buffer.from(
        "GGUF\u0003\0\0\0\u00ff\u00ff\0\0\0\0\0\0\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\0\0",
        "latin1",
      ),
    ],
  ])("is unreadable when it is %s", async (_, bytes) => {
    const path = join(folder, "wrong.gguf");
    await writeFile(path, bytes);
    const failure = await failureOf(openLlamaEngine({ modelPath: path }));
    expect(failure.code).toBe("engine_model_unreadable");
    expect(failure.message).toContain(path);
    expect(failure.hint).toBeDefined();
  });

  it("is unreadable when it is a good head and then noise", async () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const path = join(folder, `noise-${seed}.gguf`);
      const noise = Buffer.from(
        Array.from({ length: 4_096 }, (_, at) => (at * at * seed * 7 + at * 31 + seed) % 251),
      );
      noise.write("GGUF\u0003\0\0\0", 0, "latin1");
      if (seed % 2 === 0) noise.write("\u0002\0\0\0\0\0\0\0\u0003\0\0\0\0\0\0\0", 8, "latin1");
      await writeFile(path, noise);
      const failure = await failureOf(openLlamaEngine({ modelPath: path }));
      expect(failure.code).toBe("engine_model_unreadable");
    }
  });
});

describe.skipIf(noModelReason !== null)(modelTitle("a damaged model"), () => {
  it.each([1_000, 100_000, 3_000_000, 60_000_000])(
    "is unreadable when cut at %d bytes",
    async (size) => {
      const cut = await patchModel(() => {});
      await truncate(cut.path, size);
      const failure = await failureOf(openLlamaEngine({ modelPath: cut.path }));
      await cut.remove();
      expect(failure.code).toBe("engine_model_unreadable");
    },
  );

  it("is unreadable when its last bytes are missing", async () => {
    const cut = await patchModel(() => {});
    const file = await open(cut.path);
    const { size } = await file.stat();
    await file.close();
    await truncate(cut.path, size - 1_000);
    const failure = await failureOf(openLlamaEngine({ modelPath: cut.path }));
    await cut.remove();
    expect(failure.code).toBe("engine_model_unreadable");
  });
});

describe.skipIf(noModelReason !== null)(modelTitle("a model with wrong metadata"), () => {
  it.each([
    ["llama.block_count", 0xffff_ffff, "a whole number from 1 to 272 was expected"],
    ["llama.block_count", 0, "a whole number from 1 to 272 was expected"],
    ["llama.context_length", 0, "a whole number from 1 to 2147483647 was expected"],
    ["llama.context_length", 0xffff_ffff, "a whole number from 1 to 2147483647 was expected"],
    ["llama.embedding_length", 0, "a whole number from 1 to 2147483647 was expected"],
    ["llama.feed_forward_length", 0, "a whole number from 1 to 2147483647 was expected"],
    ["llama.attention.head_count", 0, "a whole number from 1 to 2147483647 was expected"],
    ["llama.attention.head_count", 7, "a divisor of the embedding length 576 was expected"],
    ["llama.attention.head_count_kv", 0, "a whole number from 1 to 2147483647 was expected"],
    ["llama.attention.head_count_kv", 2, "a divisor of the head count 9 was expected"],
  ])("is unreadable when its %s is %d, and says so", async (key, value, expected) => {
    const wrong = await patchModel((header) => setNumber(header, key, value));
    const failure = await failureOf(openLlamaEngine({ modelPath: wrong.path }));
    await wrong.remove();
    expect(failure.code).toBe("engine_model_unreadable");
    expect(failure.message).toContain(`its "${key}" is ${value}, and ${expected}.`);
  });

  it("is unreadable when numbers that may be small are below zero", async () => {
    const key = "llama.attention.layer_norm_rms_epsilon";
    const wrong = await patchModel((header) => setDecimal(header, key, -1));
    const failure = await failureOf(openLlamaEngine({ modelPath: wrong.path }));
    await wrong.remove();
    expect(failure.code).toBe("engine_model_unreadable");
    expect(failure.message).toContain(`its "${key}" is -1`);
  });
});

describe.skipIf(noModelReason !== null)(modelTitle("a chat template that loops"), () => {
  it("is given up after some seconds, and the process goes on", async () => {
    const loop = "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}";
    const looping = await patchModel((header) => setTemplate(header, loop));
    const engine = await openLlamaEngine({ modelPath: looping.path, modelName: "looping" });
    try {
      const startedAt = performance.now();
      const failure = await failureOf(generate(engine, toRequest("Hi.")));
      expect(performance.now() - startedAt).toBeLessThan(20_000);
      expect(failure.code).toBe("engine_chat_template_failed");
      expect(failure.message).toContain('"looping" was not rendered after 5000 ms.');
      expect(await engine.countTokens("Hello there.")).toBe(3);
    } finally {
      await engine.close();
      await looping.remove();
    }
  }, 60_000);
});

describe.skipIf(noModelReason !== null)(modelTitle("a model without a chat template"), () => {
  it("refuses messages clearly, and still scores raw prefixes and counts tokens", async () => {
    const base = await patchModel((header) => hideKey(header, "tokenizer.chat_template"));
    const engine = await openLlamaEngine({ modelPath: base.path, modelName: "base" });
    try {
      for (const call of [
        () => generate(engine, toRequest("Hi.")),
        () => engine.countTokens([toMessage("user", "Hi.")]),
        () =>
          engine.score({
            kind: "score",
            items: [
              {
                prefix: { kind: "messages", messages: [toMessage("user", "a")] },
                continuation: "b",
              },
            ],
          }),
      ]) {
        const failure = await failureOf(call());
        expect(failure.code).toBe("engine_no_chat_template");
        expect(failure.message).toContain('"base"');
      }
      expect(await engine.countTokens("Hello there.")).toBe(3);
      const items = [
        { prefix: { kind: "raw", text: "The sky is" }, continuation: " blue." },
      ] as const;
      const { scores } = await engine.score({ kind: "score", items });
      expect(scores[0]?.logLikelihood).toBeGreaterThan(-20);
    } finally {
      await engine.close();
      await base.remove();
    }
  });
});

describe.skipIf(noModelReason !== null)(modelTitle("an open llama engine"), () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await openLlamaEngine({ modelPath: testModelPath(), contextTokens: 300 });
  });
  afterAll(() => engine.close());

  it("says which model it runs, by name and digest", () => {
    expect(engine.identity.name).toBe("llama");
    expect(engine.identity.version).toBe("3.21.1");
    expect(engine.identity.model.name).toBe("SmolLM2-135M-Instruct.Q4_1");
    expect(engine.identity.model.digest).toBe(
      "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    );
    expect(engine.capabilities).toEqual({
      constraints: ["gbnf"],
      score: true,
      deterministic: true,
      contextTokens: 300,
    });
  });

  it("refuses a prompt that does not fit, with the numbers, before it evaluates it", async () => {
    const request = toRequest("word ".repeat(400));
    const prompt = await engine.countTokens(request.messages);
    const failure = await failureOf(generate(engine, request));
    expect(failure.code).toBe("engine_context_too_small");
    expect(failure.message).toBe(
      `The prompt has ${prompt} tokens and the answer may have 12, together ${prompt + 12}; ` +
        "the context holds 300.",
    );
  });

  it("fills its context to the last token", async () => {
    const prompt = await engine.countTokens(toRequest("Hi.").messages);
    const request = toRequest("Hi.", { maxTokens: 300 - prompt });
    expect((await generate(engine, request)).usage.inputTokens).toBe(prompt);
    const failure = await failureOf(generate(engine, { ...request, maxTokens: 301 - prompt }));
    expect(failure.code).toBe("engine_context_too_small");
  });

  it("refuses more context than its model was trained for", async () => {
    const failure = await failureOf(
      openLlamaEngine({ modelPath: testModelPath(), contextTokens: 100_000 }),
    );
    expect(failure.code).toBe("engine_invalid_option");
    expect(failure.message).toContain("8192");
  });

  it.each([
    ["a quote that does not end", 'root ::= "a', "unexpected end of input"],
    ["a rule that is not there", "root ::= foo", "Undefined rule identifier 'foo'"],
    ["left recursion", 'root ::= root "a" | "b"', "left recursion"],
    ["no root", 'rot ::= "a"', "does not contain a 'root' symbol"],
    ["nesting that crashes llama.cpp", `root ::= ${"(".repeat(200_000)}`, "crashes"],
  ])("refuses a grammar with %s, and says why", async (_, grammar, reason) => {
    const request = toRequest("Hi.", { constraint: { kind: "gbnf", grammar } });
    const failure = await failureOf(generate(engine, request));
    expect(failure.code).toBe("engine_bad_grammar");
    expect(failure.message).toContain(reason);
  });

  it("asks the checker that it is given about grammars, and believes it", async () => {
    const asked: string[] = [];
    const checkGrammar = (grammar: string): string | null => {
      asked.push(grammar);
      return grammar.includes("b") ? 'the letter "b" is not liked' : null;
    };
    const other = await openLlamaEngine({
      modelPath: testModelPath(),
      modelDigest: "x",
      checkGrammar,
    });
    const ask = (grammar: string): Promise<unknown> =>
      generate(other, toRequest("Hi.", { constraint: { kind: "gbnf", grammar } }));
    await ask('root ::= "aa"');
    await ask('root ::= "aa"');
    const failure = await failureOf(ask('root ::= "b"'));
    await other.close();
    expect(failure.message).toContain('the letter "b" is not liked');
    expect(asked).toEqual(['root ::= "aa"', 'root ::= "b"']);
  });

  it("says so when a grammar admits no token, instead of giving a text outside it", async () => {
    for (const grammar of ['root ::= "\\x00"', 'root ::= "ab" "\\x00"']) {
      const request = toRequest("Hi.", { constraint: { kind: "gbnf", grammar } });
      expect((await failureOf(generate(engine, request))).code).toBe("engine_grammar_stuck");
    }
    expect((await generate(engine, toRequest("Hi."))).text).not.toBe("");
  });
});

describe.skipIf(noModelReason !== null)(modelTitle("a process with a llama engine"), () => {
  it("hears nothing of native code on its standard output and error", async () => {
    const { stdout, stderr, reported, code } = await runChild(`
      const engine = await openLlamaEngine({ modelPath: ${JSON.stringify(testModelPath())} });
      const request = ${JSON.stringify(toRequest("Hi."))};
      for await (const _ of engine.generate(request));
      const constraint = { kind: "gbnf", grammar: 'root ::= "a' };
      let failed = null;
      try {
        for await (const _ of engine.generate({ ...request, constraint }));
      } catch (error) {
        failed = error.code;
      }
      await engine.close();
      report(failed);
    `);
    expect({ stdout, stderr, reported, code }).toEqual({
      stdout: "",
      stderr: "",
      reported: "engine_bad_grammar",
      code: 0,
    });
  });

  it.skipIf(process.platform !== "linux")("is told when memory runs out", async () => {
    const { reported, stdout, stderr } = await runChild(`
      import { execFileSync } from "node:child_process";
      import { readFileSync } from "node:fs";
      const engine = await openLlamaEngine({ modelPath: ${JSON.stringify(testModelPath())} });
      const ask = async (request) => {
        try {
          for await (const _ of engine.generate(request));
          return "fine";
        } catch (error) {
          return error.code;
        }
      };
      const [short, long] = ${JSON.stringify([toRequest("Hi."), toRequest("word ".repeat(6_000))])};
      const seen = [await ask(short)];
      // The memory of a long context is more than this leaves.
      const [, used] = /VmSize:\\s+(\\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"));
      const limit = (Number(used) + 60_000) * 1024;
      execFileSync("prlimit", ["--pid", String(process.pid), "--as=" + limit]);
      seen.push(await ask(long), await ask(short));
      report(seen);
    `);
    expect(reported).toEqual(["fine", "engine_out_of_memory", "fine"]);
    expect({ stdout, stderr }).toEqual({ stdout: "", stderr: "" });
  });
});
