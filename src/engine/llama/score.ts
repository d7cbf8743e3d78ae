import type { ControlledEvaluateInputItem, LlamaContextSequence, Token } from "node-llama-cpp";
import { IncipitError } from "../../text/index.ts";
import { checkRoom } from "../check-room.ts";
import { throwIfAborted } from "../failure.ts";
import type { Score, ScoreOutcome } from "../outcome.ts";
import type { ScoreItem, ScoreRequest } from "../request.ts";
import type { LoadedModel } from "./loaded-model.ts";
import { messagesToTokens, rawToTokens } from "./prompt-tokens.ts";
import { stepTokens } from "./slot-pool.ts";
import { candidatesFor, toLogLikelihood } from "./token-likelihood.ts";

/**
 * The error per token of a continuation, averaged over its tokens, against full probability maps,
 * in nats. Measured on SmolLM2 135M over 50 pairs it was 0.0068 at most, and 0.0498 for a single
 * token. It is no bound for single tokens: on Qwen2.5-Coder 0.5B, with its prompt evaluated in
 * other batches, one was off by 0.197. See `bench/score`.
 */
const scoreTolerance = 0.1;

/**
 * Scores every item of a request; the caller has the engine alone.
 *
 * A prefix is evaluated up to its last token and kept. That last token and the continuation are
 * the steps after it. So a score depends on its item and on nothing else in or before the request.
 */
export async function scoreItems(
  model: LoadedModel,
  request: ScoreRequest,
  signal: AbortSignal,
): Promise<ScoreOutcome> {
  const scores: Score[] = [];
  let inputTokens = 0;
  let cachedInputTokens = 0;
  for (const item of request.items) {
    throwIfAborted(signal);
    const prefix = toPrefix(model, item);
    const wanted = model.vocabulary.textToTokens(item.continuation, { follows: true });
    checkRoom(prefix.length, wanted.length, model.contextTokens);
    const kept = prefix.slice(0, -1);
    const slot = await model.slots.acquire(kept, prefix.length + wanted.length, signal);
    const given = [...prefix.slice(-1), ...wanted.slice(0, -1)];
    const logLikelihood = await scoreTokens(model, slot.sequence, given, wanted, signal);
    scores.push({ logLikelihood, tokens: wanted.length });
    inputTokens += prefix.length + wanted.length;
    if (slot.reused) cachedInputTokens += kept.length;
  }
  const usage = { inputTokens, cachedInputTokens, outputTokens: 0 };
  return { kind: "scored", scores, tolerance: scoreTolerance, usage };
}

function toPrefix(model: LoadedModel, item: ScoreItem): readonly Token[] {
  const { template, vocabulary } = model;
  const { prefix } = item;
  const tokens =
    prefix.kind === "raw"
      ? rawToTokens(prefix.text, vocabulary)
      : messagesToTokens(prefix.messages, prefix.messages.length, template, vocabulary).tokens;
  if (tokens.length > 0) return tokens;
  throw new IncipitError(
    "engine_invalid_request",
    "A score item has an empty prefix, and this model has no token that begins a text.",
    { hint: "Give the continuation a prefix, if only a word." },
  );
}

/** Sum of the log-likelihoods of `wanted`, each token after the one given in its place. */
async function scoreTokens(
  model: LoadedModel,
  sequence: LlamaContextSequence,
  given: readonly Token[],
  wanted: readonly Token[],
  signal: AbortSignal,
): Promise<number> {
  const { TokenBias } = model.library.module;
  const { vocabulary } = model;
  let sum = 0;
  for (let start = 0; start < given.length; start += stepTokens) {
    throwIfAborted(signal);
    const step = given.slice(start, start + stepTokens);
    const input = step.map((token, index): ControlledEvaluateInputItem => {
      const next = wanted[start + index] ?? token;
      const { topK, bias } = candidatesFor(next, vocabulary);
      const tokenBias = new TokenBias(model.native.tokenizer).set(next, { logit: bias });
      const options = { temperature: 1, topK, topP: 1, minP: 0, seed: 0, tokenBias };
      return [token, { generateNext: { probabilities: true, options } }];
    });
    const output = await model.pace.step(() => sequence.controlledEvaluate(input));
    for (const index of step.keys()) {
      const probabilities = output[index]?.next.probabilities;
      const token = wanted[start + index];
      if (token === undefined || probabilities === undefined) {
        throw new IncipitError("engine_failed", "The model gave no probabilities to score with.");
      }
      sum += toLogLikelihood(probabilities, token, vocabulary);
    }
  }
  return sum;
}
