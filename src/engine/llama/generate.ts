import type { LlamaGrammarEvaluationState, SequenceEvaluateOptions } from "node-llama-cpp";
import { IncipitError } from "../../text/index.ts";
import { checkRoom } from "../check-room.ts";
import { throwIfAborted } from "../failure.ts";
import type { FinishReason, GenerateEvent, GenerateOutcome } from "../outcome.ts";
import type { GenerateRequest, Sampling } from "../request.ts";
import { createStopMatcher } from "../stop-matcher.ts";
import { mayEnd } from "./grammar.ts";
import type { LoadedModel } from "./loaded-model.ts";
import { messagesToTokens } from "./prompt-tokens.ts";
import { evaluateInSteps, stepTokens } from "./slot-pool.ts";
import { createTokenText } from "./token-text.ts";

/** Generates the text of a request and says it piece by piece; the caller has the engine alone. */
export async function generateText(
  model: LoadedModel,
  request: GenerateRequest,
  signal: AbortSignal,
  say: (event: GenerateEvent) => void,
): Promise<void> {
  const { template, vocabulary, slots, pace } = model;
  throwIfAborted(signal);
  const { messages, stableMessages, maxTokens } = request;
  const { tokens, stable } = messagesToTokens(messages, stableMessages, template, vocabulary);
  checkRoom(tokens.length, maxTokens, model.contextTokens);
  const grammar = await toGrammarState(model, request);
  const sampling = toSamplingOptions(request.sampling);
  const options = grammar === null ? sampling : { ...sampling, grammarEvaluationState: grammar };

  const slot = await slots.acquire(tokens.slice(0, stable), tokens.length + maxTokens, signal);
  const rest = tokens.slice(stable);
  const lastStep = Math.floor((rest.length - 1) / stepTokens) * stepTokens;
  await evaluateInSteps(slot.sequence, rest.slice(0, lastStep), slots.pace, signal);

  const written = createTokenText(vocabulary, tokens);
  const stop = createStopMatcher(request.stop);
  let text = "";
  const show = (piece: string): void => {
    if (piece === "") return;
    text += piece;
    say({ kind: "text-delta", text: piece });
  };

  let outputTokens = 0;
  let finishReason: FinishReason = "stop";
  const generated = slot.sequence.evaluate(rest.slice(lastStep), options);
  try {
    for (;;) {
      const next = await pace.step(() => generated.next());
      throwIfAborted(signal);
      if (next.done) {
        const end = vocabulary.control("EOS") ?? vocabulary.control("EOT");
        if (grammar !== null && !mayEnd(model.library, grammar, end)) throw toStuck(text, null);
        break;
      }
      // One token past the limit is asked for: if it would be the end, the text is whole.
      if (outputTokens === maxTokens) {
        finishReason = "length";
        break;
      }
      outputTokens += 1;
      show(stop.push(written.push(next.value)));
      if (stop.stopped) break;
    }
  } catch (error) {
    throw toGenerateFailure(error, request, text);
  } finally {
    await generated.return();
  }
  if (!stop.stopped) {
    show(stop.push(written.end()));
    show(stop.end());
  }
  const usage = {
    inputTokens: tokens.length,
    cachedInputTokens: slot.reused ? stable : 0,
    outputTokens,
  };
  const outcome: GenerateOutcome = { kind: "generated", text, finishReason, usage, warnings: [] };
  say({ kind: "generate-end", outcome });
}

async function toGrammarState(
  model: LoadedModel,
  request: GenerateRequest,
): Promise<LlamaGrammarEvaluationState | null> {
  if (request.constraint === null) return null;
  const { LlamaGrammarEvaluationState } = model.library.module;
  const grammar = await model.grammars.load(request.constraint.grammar);
  return new LlamaGrammarEvaluationState({ model: model.native, grammar });
}

/** What is not set is off; the library's own defaults are not neutral. */
function toSamplingOptions(sampling: Sampling): SequenceEvaluateOptions {
  const { temperature, topK = 0, topP = 1, minP = 0, seed } = sampling;
  return { temperature, topK, topP, minP, seed };
}

function toGenerateFailure(error: unknown, request: GenerateRequest, text: string): unknown {
  if (IncipitError.isInstance(error) || request.constraint === null) return error;
  return toStuck(text, error);
}

function toStuck(text: string, cause: unknown): IncipitError {
  return new IncipitError(
    "engine_grammar_stuck",
    `The grammar admits no token of the model after ${JSON.stringify(text.slice(-40))}.`,
    { cause, hint: "A NUL character, for one, can never be generated." },
  );
}
