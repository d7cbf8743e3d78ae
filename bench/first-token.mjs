// How much sooner the first token comes when the prompt prefix of a task is already evaluated, and
// what a grammar costs.
//
//   npm run build && node bench/first-token.mjs [--model PATH] [--rounds 3] [--threads N]
//
// Every round asks for every note with and without reuse, in turns, so that both see the same
// machine. Figures are medians; n is notes × rounds.
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openLlamaEngine } from "../dist/engine/llama/index.js";
import { resolveModel } from "../dist/model/index.js";
import { findTask } from "../dist/pack/index.js";
import { createPlan, nextStep } from "../dist/plan/index.js";
import { openPack, shippedPacksPath } from "../dist/runtime/index.js";

/** Notes of 20 to 40 words, as people speak them. */
const notes = [
  "okay so tomorrow morning I need to call the plumber about the sink in the kitchen, no wait, in the bathroom, and ask him what it would cost to replace it",
  "um the meeting with the design team went better than I thought, we agreed on the blue version, and Anna will send the files to the printer by Thursday at noon",
  "remember that the door code of the new office is four seven one one, and that the back entrance is locked after eight in the evening",
  "I am so tired of this build, it takes twenty minutes every single time, and then it fails on the last step because of some certificate that nobody knows anything about",
  "should we move the database to the new server before the holidays, or is it safer to wait until January when the whole team is back and can help",
  "I think we go with the smaller apartment, it is closer to the school, it has a balcony, and we save three hundred a month which we can put aside",
  "idea for the newsletter, a short column where one person from the company tells how they spend the first hour of their day, with a photo and no more than ten lines",
  "buy two kilos of flour, a dozen eggs, uh, butter, the salted one, and those little candles for the cake, and pick up the balloons before five on Saturday",
];

/** The request that a run of the task makes first, under the contract's own grammar. */
function toRequest(pack, task, transcript) {
  const inputs = new Map([["transcript", transcript]]);
  const plan = createPlan(pack, findTask(pack, task), inputs);
  const step = nextStep(plan, []);
  if (step.kind !== "request") throw new Error(`the task ${task} asks nothing`);
  return step.request;
}

const { values } = parseArgs({
  options: {
    model: { type: "string" },
    rounds: { type: "string", default: "3" },
    threads: { type: "string" },
  },
});
const home = process.env.INCIPIT_HOME ?? join(homedir(), ".incipit");
const modelPath = values.model ?? (await resolveModel(undefined, { home })).path;
const rounds = Number(values.rounds);
const packFolder = join(shippedPacksPath, "dictation");
const pack = await openPack(packFolder);
const seedGrammar = await readFile(join(packFolder, "grammars", "tags.gbnf"), "utf8");

const opening = performance.now();
const engine = await openLlamaEngine({
  modelPath,
  ...(values.threads === undefined ? {} : { threads: Number(values.threads) }),
  checkGrammar: () => null,
});
const opened = performance.now() - opening;
console.log(`${engine.identity.model.name}, opened in ${opened.toFixed(0)} ms, ${rounds} rounds`);

for (const [task, bar] of [
  ["content-tags", 2],
  ["cleanup", 5],
]) {
  await measureReuse(task, bar);
}
await measureGrammars();
await engine.close();

async function measureReuse(task, bar) {
  const requests = notes.map((note) => ({ ...toRequest(pack, task, note), maxTokens: 2 }));
  const reused = [];
  const fresh = [];
  let stable = 0;
  let prompt = 0;
  // The first run of a task evaluates its prefix; it is not counted.
  await run(requests[0]);
  for (let round = 0; round < rounds; round += 1) {
    for (const request of requests) {
      const kept = await run(request);
      const whole = await run({ ...request, stableMessages: 0 });
      if (kept.usage.cachedInputTokens === 0) throw new Error("the prefix was not kept");
      if (kept.text !== whole.text) console.log("  the bytes differ:", kept.text, whole.text);
      reused.push(kept.first);
      fresh.push(whole.first);
      stable = kept.usage.cachedInputTokens;
      prompt += kept.usage.inputTokens;
    }
  }
  const ratio = median(fresh) / median(reused);
  const pairs = median(fresh.map((one, index) => one / reused[index]));
  console.log(
    `${task}: first token ${median(reused).toFixed(0)} ms with the prefix, ` +
      `${median(fresh).toFixed(0)} ms without: ${ratio.toFixed(1)} times sooner ` +
      `(median of pairs ${pairs.toFixed(1)}; bar ${bar}; n = ${reused.length}; ` +
      `${stable} of ${(prompt / reused.length).toFixed(0)} prompt tokens kept)`,
  );
}

async function measureGrammars() {
  const kinds = [
    ["the contract's grammar", (request) => request],
    [
      "the seed grammar",
      (request) => ({ ...request, constraint: { kind: "gbnf", grammar: seedGrammar } }),
    ],
    ["no grammar", (request) => ({ ...request, constraint: null, maxTokens: 24 })],
  ];
  const seen = kinds.map(() => ({ rates: [], tokens: 0, blanks: 0, length: 0 }));
  for (let round = 0; round < rounds; round += 1) {
    for (const note of notes) {
      for (const [index, [, change]] of kinds.entries()) {
        const outcome = await run(change(toRequest(pack, "content-tags", note)));
        const entry = seen[index];
        entry.rates.push((outcome.usage.outputTokens - 1) / ((outcome.all - outcome.first) / 1000));
        entry.tokens += outcome.usage.outputTokens;
        entry.blanks += outcome.text.match(/\s/g)?.length ?? 0;
        if (outcome.finishReason === "length") entry.length += 1;
      }
    }
  }
  for (const [index, [name]] of kinds.entries()) {
    const { rates, tokens, blanks, length } = seen[index];
    const n = rates.length;
    console.log(
      `${name}: ${median(rates).toFixed(1)} tokens/s, ${(tokens / n).toFixed(1)} tokens an output, ` +
        `${blanks} white-space characters in ${n} outputs, ${length} cut`,
    );
  }
}

/** One generation: time to its first text, time in all, and the outcome. */
async function run(request) {
  const start = performance.now();
  let first = null;
  let outcome = null;
  for await (const event of engine.generate(request)) {
    first ??= performance.now() - start;
    if (event.kind === "generate-end") outcome = event.outcome;
  }
  return { first, all: performance.now() - start, ...outcome };
}

function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
