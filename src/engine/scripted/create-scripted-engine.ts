import { IncipitError, type Message } from "../../text/index.ts";
import { checkGenerateRequest, checkScoreRequest } from "../check-request.ts";
import { checkRoom } from "../check-room.ts";
import type { Engine } from "../engine.ts";
import { throwIfAborted, toClosed } from "../failure.ts";
import type { FinishReason, GenerateEvent } from "../outcome.ts";
import type { EngineRequest, GenerateRequest } from "../request.ts";
import { createStopMatcher } from "../stop-matcher.ts";
import { characterLikelihood, toChatText, toPrefixText } from "./character-likelihood.ts";
import type { ScriptedEngineOptions, ScriptedReply } from "./script.ts";

/** An engine that answers from a script and remembers what it was asked. */
export interface ScriptedEngine extends Engine {
  /** Every valid request so far, in order. */
  readonly requests: readonly EngineRequest[];
}

/**
 * Creates an engine that says what its script says, for tests without a model.
 *
 * A token of it is a word with the white space before it. Stop texts, `maxTokens`, abort signals
 * and `contextTokens` work as in any engine; a constraint and the sampling change nothing, and the
 * outcome says so in its warnings.
 */
export function createScriptedEngine(options: ScriptedEngineOptions): ScriptedEngine {
  const { replies, scores = characterLikelihood, contextTokens = null, chunk = 1 } = options;
  const { constraints = [], canScore = true, modelName = "script" } = options;
  const requests: EngineRequest[] = [];
  let asked = 0;
  let closed = false;

  const enter = (request: EngineRequest, signal: AbortSignal | undefined): void => {
    if (closed) throw toClosed();
    throwIfAborted(signal);
    requests.push(request);
  };

  const pick = (request: GenerateRequest): ScriptedReply => {
    const index = asked;
    asked += 1;
    const reply = typeof replies === "function" ? replies(request, index) : replies[index];
    if (reply !== undefined) return reply;
    throw new IncipitError(
      "engine_script_ended",
      `The script has ${replies.length} replies, and request ${index + 1} found none left.`,
      { hint: "Give the scripted engine more replies, or a function of the request." },
    );
  };

  async function* generate(
    request: GenerateRequest,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<GenerateEvent, void, void> {
    checkGenerateRequest(request);
    enter(request, signal);
    const inputTokens = countMessages(request.messages);
    checkRoom(inputTokens, request.maxTokens, contextTokens);
    const reply = pick(request);
    const tokens = toTokens(typeof reply === "string" ? reply : (reply.after ?? ""));
    const stop = createStopMatcher(request.stop);
    let text = "";
    let outputTokens = 0;
    while (outputTokens < Math.min(tokens.length, request.maxTokens) && !stop.stopped) {
      const next = Math.min(outputTokens + chunk, request.maxTokens);
      const piece = stop.push(tokens.slice(outputTokens, next).join(""));
      outputTokens = Math.min(next, tokens.length);
      if (piece !== "") {
        text += piece;
        yield { kind: "text-delta", text: piece };
      }
      if (closed) throw toClosed();
      throwIfAborted(signal);
    }
    if (typeof reply !== "string") throw reply.error;
    const rest = stop.end();
    if (rest !== "") {
      text += rest;
      yield { kind: "text-delta", text: rest };
    }
    const isCut = !stop.stopped && tokens.length > request.maxTokens;
    const finishReason: FinishReason = isCut ? "length" : "stop";
    const usage = { inputTokens, cachedInputTokens: 0, outputTokens };
    const warnings = toWarnings(request, constraints);
    yield {
      kind: "generate-end",
      outcome: { kind: "generated", text, finishReason, usage, warnings },
    };
  }

  return {
    requests,
    identity: { name: "scripted", version: "1", model: { name: modelName, digest: null } },
    capabilities: { constraints, score: canScore, deterministic: true, contextTokens },
    generate: (request, { signal } = {}) => generate(request, signal),
    async score(request, { signal } = {}) {
      checkScoreRequest(request);
      enter(request, signal);
      if (!canScore) {
        throw new IncipitError("engine_cannot_score", "This scripted engine cannot score.");
      }
      const lengths = request.items.map((item) => toTokens(toPrefixText(item.prefix)).length);
      const scored = request.items.map((item, index) => ({
        logLikelihood: scores(item, index),
        tokens: toTokens(item.continuation).length,
      }));
      const inputTokens = scored.reduce(
        (sum, { tokens }, at) => sum + tokens + (lengths[at] ?? 0),
        0,
      );
      const usage = { inputTokens, cachedInputTokens: 0, outputTokens: 0 };
      return { kind: "scored", scores: scored, tolerance: 0, usage };
    },
    async countTokens(input) {
      if (closed) throw toClosed();
      return typeof input === "string" ? toTokens(input).length : countMessages(input);
    },
    async close() {
      closed = true;
    },
  };
}

/** Words with the white space before them; white space at the end is a token of its own. */
function toTokens(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/gu) ?? [];
}

function countMessages(messages: readonly Message[]): number {
  return toTokens(toChatText(messages)).length;
}

function toWarnings(request: GenerateRequest, constraints: readonly "gbnf"[]): readonly string[] {
  const { constraint, sampling } = request;
  const warnings: string[] = [];
  if (constraint !== null && !constraints.includes(constraint.kind)) {
    warnings.push(`The ${constraint.kind} constraint was not enforced; the output may break it.`);
  }
  if (sampling.temperature > 0) {
    warnings.push(`The temperature ${sampling.temperature} was not used; the reply is fixed.`);
  }
  return warnings;
}
