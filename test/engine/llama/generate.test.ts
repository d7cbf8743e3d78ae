import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../../src/engine/index.ts";
import { openLlamaEngine } from "../../../src/engine/llama/index.ts";
import { modelTitle, noModelReason, testModelPath } from "../test-model.ts";
import { generate, toRequest } from "./requests.ts";

const tags = {
  kind: "gbnf",
  grammar: 'root ::= "{\\"topic\\": \\"" [a-z]{1,12} "\\"}"',
} as const;

describe.skipIf(noModelReason !== null)(modelTitle("generation with llama.cpp"), () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await openLlamaEngine({ modelPath: testModelPath() });
  });
  afterAll(() => engine.close());

  it("keeps to its grammar at every temperature and seed, and stops when it can only end", async () => {
    for (const temperature of [0, 1, 2]) {
      for (const seed of [1, 2, 3]) {
        const request = toRequest("Buy milk and eggs.", {
          constraint: tags,
          sampling: { temperature, seed },
          maxTokens: 40,
        });
        const { text, finishReason } = await generate(engine, request);
        expect(text).toMatch(/^\{"topic": "[a-z]{1,12}"\}$/);
        expect(finishReason).toBe("stop");
      }
    }
  });

  it("says stop when the text is whole exactly at maxTokens, and length one token before", async () => {
    const request = toRequest("Buy milk.", { constraint: tags, maxTokens: 40 });
    const whole = await generate(engine, request);
    const exact = await generate(engine, { ...request, maxTokens: whole.usage.outputTokens });
    expect(exact).toMatchObject({ text: whole.text, finishReason: "stop" });
    const short = await generate(engine, { ...request, maxTokens: whole.usage.outputTokens - 1 });
    expect(short.finishReason).toBe("length");
    expect(whole.text.startsWith(short.text)).toBe(true);
    expect(short.text.length).toBeLessThan(whole.text.length);
  });

  it("gives another text for another seed, and the same for the same", async () => {
    const ask = async (seed: number): Promise<string> =>
      (await generate(engine, toRequest("Tell a story.", { sampling: { temperature: 1.2, seed } })))
        .text;
    const texts = [await ask(1), await ask(2), await ask(3)];
    expect(new Set(texts).size).toBe(3);
    expect([await ask(1), await ask(2), await ask(3)]).toEqual(texts);
  });

  it("is greedy when topK leaves one token, whatever the temperature", async () => {
    const greedy = await generate(engine, toRequest("Tell a story."));
    for (const limits of [{ topK: 1 }, { topP: 1e-6 }, { minP: 1 }]) {
      const sampling = { temperature: 2, seed: 9, ...limits };
      const sampled = await generate(engine, toRequest("Tell a story.", { sampling }));
      expect(sampled.text).toBe(greedy.text);
    }
  });

  it("stops soon after an abort in the middle of a prompt of two thousand words", async () => {
    const request = toRequest("and then we talked about the garden again ".repeat(250));
    const controller = new AbortController();
    const running = generate(engine, request, controller);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const start = performance.now();
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: "engine_aborted" });
    // One step of 128 tokens takes 0.4–0.8 s on one slow core; the whole prompt 20 times that.
    expect(performance.now() - start).toBeLessThan(5_000);
    expect((await generate(engine, toRequest("Hi."))).text).not.toBe("");
  });

  it("opens no model when its signal is aborted", async () => {
    const opening = openLlamaEngine({ modelPath: testModelPath(), signal: AbortSignal.abort() });
    await expect(opening).rejects.toMatchObject({ code: "engine_aborted" });
  });
});
