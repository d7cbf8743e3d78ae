// How exact and how fast scores are, against full probability maps.
//
//   npm run build && node bench/score.mjs [--model PATH] [--rounds 15] [--threads N]
//
// Both ways see the same machine in turns: the engine's own, and the exact one, which asks
// node-llama-cpp for the probability of every token of the vocabulary at every place.
import { availableParallelism, homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { getLlama } from "node-llama-cpp";
import { openLlamaEngine } from "../dist/engine/llama/index.js";
import { resolveModel } from "../dist/model/index.js";

const prefixes = [
  "A voice note in which someone plans what they will do next:",
  "A voice note in which someone asks a question:",
  "A voice note in which someone lets off steam:",
  "A note about the plumber:",
  "The capital of France is",
  "Dear Anna,\n\nthank you",
  '{"topic": "',
  "Eine Sprachnotiz über den Einkauf:",
  "function add(a, b) {",
  "Once upon a time",
];
const continuations = [
  " Call the plumber about the leaking sink tomorrow morning.",
  " Should we move the meeting to Thursday at noon instead?",
  " Milch, Brot und drei Äpfel kaufen, dann zur Post.",
  " um so like I was, I mean, we were late again",
  " zxqv 88 ## ꙮ 🐖 nobody says this",
];

const { values } = parseArgs({
  options: {
    model: { type: "string" },
    rounds: { type: "string", default: "15" },
    threads: { type: "string" },
  },
});
const home = process.env.INCIPIT_HOME ?? join(homedir(), ".incipit");
const modelPath = values.model ?? (await resolveModel(undefined, { home })).path;
const rounds = Number(values.rounds);

const threads = Number(values.threads ?? availableParallelism());
const engine = await openLlamaEngine({ modelPath, threads });
const llama = await getLlama({
  gpu: false,
  build: "never",
  logLevel: "error",
  maxThreads: threads,
});
const model = await llama.loadModel({ modelPath, gpuLayers: 0 });
const context = await model.createContext({
  contextSize: 512,
  batchSize: 128,
  threads,
  flashAttention: false,
});
const sequence = context.getSequence();

await measureSpeed();
const { tolerance } = await measureErrors();
console.log(`the engine vouches for ${tolerance} nats per token`);
await engine.close();
await model.dispose();

async function measureErrors() {
  const errors = [];
  let worstToken = 0;
  let stated = 0;
  for (const prefix of prefixes) {
    for (const continuation of continuations) {
      const outcome = await scoreByEngine(prefix, [continuation]);
      const truth = await scoreByMaps(prefix, continuation);
      const [{ logLikelihood, tokens }] = outcome.scores;
      errors.push(Math.abs(logLikelihood - sum(truth)) / tokens);
      stated = outcome.tolerance;
    }
    // Every beginning of a continuation, so that each token's own error shows.
    const [first] = continuations;
    const truth = await scoreByMaps(prefix, first);
    const tokens = model.tokenize(first);
    const beginnings = truth.map((_, index) => model.detokenize(tokens.slice(0, index + 1)));
    const { scores } = await scoreByEngine(prefix, beginnings);
    scores.forEach(({ logLikelihood, tokens: count }, index) => {
      if (count !== index + 1) return;
      const before = index === 0 ? 0 : scores[index - 1].logLikelihood;
      worstToken = Math.max(worstToken, Math.abs(logLikelihood - before - truth[index]));
    });
  }
  errors.sort((one, other) => one - other);
  console.log(
    `error per token on ${errors.length} pairs: median ${errors[errors.length >> 1].toFixed(4)}, ` +
      `largest ${errors.at(-1).toFixed(4)}; largest of a single token ${worstToken.toFixed(4)} nats`,
  );
  return { tolerance: stated };
}

async function measureSpeed() {
  const prefix = prefixes[0];
  const ten = model.detokenize(model.tokenize(continuations[1]).slice(0, 10));
  const fast = [];
  const slow = [];
  await scoreByEngine(prefix, [ten]);
  // Blocks of five, in turns, each after two uncounted calls: full maps leave half a million
  // entries behind, and collecting that garbage must not fall into the other's time.
  for (let round = 0; round < rounds; round += 5) {
    fast.push(...(await timeBlock(() => scoreByEngine(prefix, [ten]))));
    slow.push(...(await timeBlock(() => scoreByMaps(prefix, ten, true))));
  }
  console.log(
    `a sentence of ten tokens after an evaluated prefix: ${median(fast).toFixed(0)} ms, ` +
      `by full maps ${median(slow).toFixed(0)} ms: ${(median(slow) / median(fast)).toFixed(1)} ` +
      `times faster (bar 3; n = ${fast.length}, ${threads} threads)`,
  );
}

async function timeBlock(work) {
  const times = [];
  for (let call = 0; call < 7; call += 1) {
    const start = performance.now();
    await work();
    if (call >= 2) times.push(performance.now() - start);
  }
  return times;
}

async function scoreByEngine(text, texts) {
  const items = texts.map((continuation) => ({ prefix: { kind: "raw", text }, continuation }));
  return engine.score({ kind: "score", items });
}

/** Log-likelihood of every token; `keepPrefix`: the prefix is there from the call before. */
async function scoreByMaps(prefix, continuation, keepPrefix = false) {
  const given = model.tokenize(prefix);
  const wanted = model.tokenize(continuation);
  const kept = given.length - 1;
  if (keepPrefix && sequence.nextTokenIndex > kept) {
    await sequence.eraseContextTokenRanges([{ start: kept, end: sequence.nextTokenIndex }]);
  } else {
    await sequence.clearHistory();
    await sequence.evaluateWithoutGeneratingNewTokens(given.slice(0, kept));
  }
  const options = { temperature: 1, topK: 0, topP: 1, minP: 0, seed: 1 };
  const generateNext = { probabilities: true, options };
  const tokens = [...given.slice(kept), ...wanted.slice(0, -1)];
  const output = await sequence.controlledEvaluate(
    tokens.map((token) => [token, { generateNext }]),
  );
  return wanted.map((token, index) => Math.log(output[index].next.probabilities.get(token)));
}

function sum(numbers) {
  return numbers.reduce((total, one) => total + one, 0);
}

function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[sorted.length >> 1];
}
