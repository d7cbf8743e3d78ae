import type { LlamaContextSequence } from "node-llama-cpp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../../src/engine/index.ts";
import { openLlamaEngine } from "../../../src/engine/llama/index.ts";
import { loadLibrary } from "../../../src/engine/llama/library.ts";
import { modelTitle, noModelReason, testModelPath } from "../test-model.ts";

const prefixes = [
  "A voice note in which someone plans what they will do next:",
  "A voice note in which someone asks a question:",
  "The capital of France is",
  "Dear Anna,\n\nthank you",
  '{"topic": "',
  "Eine Sprachnotiz über den Einkauf:",
  "function add(a, b) {",
  "Once upon a time",
  "A note about money:",
  "um so like I was",
];

const continuations = [
  " Call the plumber about the leaking sink tomorrow morning.",
  " Paris, and the river is the Seine.",
  " Milch, Brot und drei Äpfel kaufen.",
  " return a + b; }",
  " zxqv 88 ## ꙮ 🐖 nobody says this",
];

describe.skipIf(noModelReason !== null)(modelTitle("scores of llama.cpp"), () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await openLlamaEngine({ modelPath: testModelPath() });
  });
  afterAll(() => engine.close());

  it("agree with full probability maps on 50 pairs, within the tolerance they state", async () => {
    const { llama } = await loadLibrary();
    const model = await llama.loadModel({ modelPath: testModelPath(), gpuLayers: 0 });
    const context = await model.createContext({
      contextSize: 512,
      batchSize: 128,
      flashAttention: false,
    });
    const sequence = context.getSequence();
    try {
      let largest = 0;
      for (const prefix of prefixes) {
        const items = continuations.map((continuation) => ({
          prefix: { kind: "raw", text: prefix } as const,
          continuation,
        }));
        const { scores, tolerance } = await engine.score({ kind: "score", items });
        for (const [index, continuation] of continuations.entries()) {
          const given = model.tokenize(prefix);
          const wanted = model.tokenize(continuation);
          const truth = await scoreByMaps(sequence, given, wanted);
          const score = scores[index];
          expect(score?.tokens).toBe(wanted.length);
          const error = Math.abs((score?.logLikelihood ?? 0) - truth) / wanted.length;
          expect(error).toBeLessThan(tolerance);
          largest = Math.max(largest, error);
        }
      }
      // What is vouched for leaves room for other models.
      expect(largest).toBeLessThan(0.02);
    } finally {
      await model.dispose();
    }
  }, 240_000);

  it("of texts that the model never says are finite, and lower than of those it says", async () => {
    const strange = "\u{10FFFF}\u0000".repeat(10);
    const { scores } = await engine.score({
      kind: "score",
      items: [strange, " blue, and the sea is blue too."].map((continuation) => ({
        prefix: { kind: "raw", text: "The sky is" },
        continuation,
      })),
    });
    const [never, often] = scores.map(({ logLikelihood, tokens }) => logLikelihood / tokens);
    expect(never).toBeGreaterThan(-100);
    expect(never).toBeLessThan((often ?? 0) - 1);
  });

  it("after an empty prefix are scores of a beginning", async () => {
    const { scores } = await engine.score({
      kind: "score",
      items: ["The", "qzx"].map((continuation) => ({
        prefix: { kind: "raw", text: "" },
        continuation,
      })),
    });
    expect(scores[0]?.logLikelihood).toBeGreaterThan(scores[1]?.logLikelihood ?? 0);
  });

  it("of items that share a prefix do not evaluate it again", async () => {
    const items = ["one", "two", "three"].map((continuation) => ({
      prefix: { kind: "raw", text: "I counted the birds on the roof of the old barn:" } as const,
      continuation,
    }));
    const { usage } = await engine.score({ kind: "score", items });
    const prefix = await engine.countTokens(items[0]?.prefix.text ?? "");
    expect(usage.cachedInputTokens).toBe(2 * (prefix - 1));
  });

  it("of a continuation longer than a step add up over its steps", async () => {
    const long = " the cat sat on the mat and".repeat(40);
    const { scores } = await engine.score({
      kind: "score",
      items: [{ prefix: { kind: "raw", text: "A story:" }, continuation: long }],
    });
    expect(scores[0]?.tokens).toBeGreaterThan(256);
    expect(scores[0]?.logLikelihood).toBeLessThan(-10);
    expect(scores[0]?.logLikelihood).toBeGreaterThan(-1_500);
  });
});

/** The slow and exact way: the probability of every token of the vocabulary at every place. */
async function scoreByMaps(
  sequence: LlamaContextSequence,
  given: readonly number[],
  wanted: readonly number[],
): Promise<number> {
  await sequence.clearHistory();
  const tokens = [...given, ...wanted.slice(0, -1)] as Parameters<typeof sequence.evaluate>[0];
  const options = { temperature: 1, topK: 0, topP: 1, minP: 0, seed: 1 };
  const output = await sequence.controlledEvaluate(
    tokens.map((token, index) =>
      index < given.length - 1
        ? token
        : [token, { generateNext: { probabilities: true, options } }],
    ),
  );
  let sum = 0;
  for (const [index, token] of wanted.entries()) {
    const map = output[given.length - 1 + index]?.next.probabilities;
    sum += Math.log(map?.get(token as (typeof tokens)[number]) ?? 0);
  }
  return sum;
}
