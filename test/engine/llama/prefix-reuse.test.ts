import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine, GenerateRequest, ScoreRequest } from "../../../src/engine/index.ts";
import { openLlamaEngine } from "../../../src/engine/llama/index.ts";
import { modelTitle, noModelReason, testModelPath } from "../test-model.ts";
import { runChild } from "./child.ts";
import { generate, toMessage, toRequest } from "./requests.ts";

const note = "So tomorrow I have to call the plumber about the sink in the kitchen.";

const scoring: ScoreRequest = {
  kind: "score",
  items: ["someone plans what they will do next", "someone asks a question"].map((what) => ({
    prefix: { kind: "raw", text: `A voice note in which ${what}:` },
    continuation: ` ${note}`,
  })),
};

/** A task with a system prompt of its own, of `words` words. */
function toTask(name: string, words: number): GenerateRequest {
  const system = `${name} ${"You are a careful editor of notes. ".repeat(words / 7)}`;
  return toRequest(note, { messages: [toMessage("system", system), toMessage("user", note)] });
}

describe.skipIf(noModelReason !== null)(modelTitle("an evaluated prefix"), () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await openLlamaEngine({ modelPath: testModelPath() });
  });
  afterAll(() => engine.close());

  it("is reused by the next run of the task, which gives the same bytes", async () => {
    const first = await generate(engine, toRequest(note));
    const second = await generate(engine, toRequest(note));
    expect(first.usage.cachedInputTokens).toBe(0);
    expect(second.usage.cachedInputTokens).toBeGreaterThan(15);
    expect(second.usage.cachedInputTokens).toBeLessThan(second.usage.inputTokens);
    expect(second.text).toBe(first.text);
  });

  it("gives the bytes and scores of a cold engine after other tasks of other lengths", async () => {
    const tasks = [14, 210, 420].map((words) => toTask("Alpha", words));
    const cold: unknown[] = [];
    for (const task of tasks) {
      const fresh = await openLlamaEngine({ modelPath: testModelPath(), modelDigest: "unused" });
      cold.push((await generate(fresh, task)).text, (await fresh.score(scoring)).scores);
      await fresh.close();
    }
    for (let round = 0; round < 3; round += 1) {
      const warm: unknown[] = [];
      for (const task of tasks) {
        warm.push((await generate(engine, task)).text, (await engine.score(scoring)).scores);
      }
      expect(warm).toEqual(cold);
    }
  });

  it("that had to make room for those of ten other tasks is evaluated again, to the same bytes", async () => {
    const task = toTask("Beta", 14);
    const first = await generate(engine, task);
    for (let index = 0; index < 10; index += 1) await generate(engine, toTask(`T${index}`, 14));
    const again = await generate(engine, task);
    expect(again.usage.cachedInputTokens).toBe(0);
    expect(again.text).toBe(first.text);
    expect((await generate(engine, task)).usage.cachedInputTokens).toBeGreaterThan(0);
  });

  it("that moves to a larger slot for a longer input keeps its bytes", async () => {
    const task = toTask("Gamma", 14);
    const short = await generate(engine, task);
    const long = toRequest("", {
      messages: [...task.messages.slice(0, 1), toMessage("user", `${note} `.repeat(60))],
    });
    await generate(engine, long);
    const again = await generate(engine, task);
    expect(again.usage.cachedInputTokens).toBeGreaterThan(0);
    expect(again.text).toBe(short.text);
  });

  it("keeps its bytes when an answer fills its slot to the last cell", async () => {
    const task = toTask("Zeta", 350);
    const constraint = { kind: "gbnf", grammar: "root ::= [a-z ]{1900}" } as const;
    const prompt = await engine.countTokens(task.messages);
    await generate(engine, task);
    // The smallest slot has 512 cells, and the library begins to shift before they are all taken.
    const full = { ...task, constraint, maxTokens: 512 - prompt };
    const warm = await generate(engine, full);
    const fresh = await openLlamaEngine({ modelPath: testModelPath(), modelDigest: "unused" });
    const cold = await generate(fresh, full);
    await fresh.close();
    expect(warm.usage.outputTokens).toBe(512 - prompt);
    expect(warm.text).toBe(cold.text);
  });

  it("survives an abort in the middle of its evaluation", async () => {
    const task = toTask("Delta", 420);
    const controller = new AbortController();
    const aborted = generate(engine, task, controller);
    setTimeout(() => controller.abort(), 20);
    await expect(aborted).rejects.toMatchObject({ code: "engine_aborted" });
    const fresh = await openLlamaEngine({ modelPath: testModelPath(), modelDigest: "unused" });
    const cold = await generate(fresh, task);
    await fresh.close();
    expect((await generate(engine, task)).text).toBe(cold.text);
  });

  it("changes no byte and no score in a second process, with another number of threads", async () => {
    const request = toTask("Epsilon", 210);
    const sampled = { ...request, sampling: { temperature: 0.9, seed: 5 } };
    const asked = JSON.stringify([request, sampled]);
    const { reported, stderr } = await runChild(`
      const modelPath = ${JSON.stringify(testModelPath())};
      const engine = await openLlamaEngine({ modelPath, threads: 2 });
      const texts = [];
      for (const request of ${asked}) {
        for await (const event of engine.generate(request)) {
          if (event.kind === "generate-end") texts.push(event.outcome.text);
        }
      }
      report({ texts, scores: (await engine.score(${JSON.stringify(scoring)})).scores });
    `);
    expect(stderr).toBe("");
    const single = await openLlamaEngine({ modelPath: testModelPath(), threads: 1 });
    const texts = [(await generate(single, request)).text, (await generate(single, sampled)).text];
    const { scores } = await single.score(scoring);
    await single.close();
    expect(reported).toEqual({ texts, scores });
  });
});
