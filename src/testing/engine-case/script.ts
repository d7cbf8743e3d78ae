import { deepEqual, equal, ok } from "node:assert/strict";
import type {
  Engine,
  EngineCallOptions,
  GenerateEvent,
  GenerateOutcome,
  GenerateRequest,
  ScoreRequest,
} from "../../engine/index.ts";
import { IncipitError, type Message, type Role } from "../../text/index.ts";

/** What a case of the engine suite may use. */
export interface EngineScene {
  /** The engine that most cases share, so that a model is loaded once. */
  shared(): Promise<Engine>;
  /** An engine of one's own, to be closed by the case. */
  open(): Promise<Engine>;
  /** How often the case of two calls at once repeats. */
  readonly rounds: number;
}

/** A promise that every engine keeps: `script` rejects if this one does not. */
export interface EngineScript {
  readonly name: string;
  script(scene: EngineScene): Promise<void>;
}

/** A request of the suite with some settings of one's own. */
export function toRequest(user: string, settings: Partial<GenerateRequest> = {}): GenerateRequest {
  return {
    kind: "generate",
    messages: [
      toMessage("system", "You tell short stories about animals."),
      toMessage("user", user),
    ],
    stableMessages: 1,
    constraint: null,
    sampling: { temperature: 0, seed: 1 },
    maxTokens: 24,
    stop: [],
    ...settings,
  };
}

/** A message of one trusted span. */
export function toMessage(role: Role, text: string): Message {
  return { role, spans: [{ text, trust: "trusted", origin: { kind: "module", ref: "suite" } }] };
}

/** A score request of raw prefixes. */
export function toScoreRequest(...items: readonly (readonly [string, string])[]): ScoreRequest {
  return {
    kind: "score",
    items: items.map(([text, continuation]) => ({ prefix: { kind: "raw", text }, continuation })),
  };
}

/** A question to which every engine under test has at least a dozen tokens to say. */
export const question = "Tell me about a cat and a dog that meet in a garden.";

/** Takes all events, holds their order, and gives the outcome. */
export async function generate(
  engine: Engine,
  request: GenerateRequest,
  options: EngineCallOptions = {},
): Promise<GenerateOutcome> {
  const events: GenerateEvent[] = [];
  for await (const event of engine.generate(request, options)) events.push(event);
  const last = events.pop();
  ok(last?.kind === "generate-end", "the last event is generate-end");
  const deltas = events.map((event) => {
    ok(event.kind === "text-delta", "every event before the last is a text-delta");
    ok(event.text !== "", "no text-delta is empty");
    return event.text;
  });
  equal(deltas.join(""), last.outcome.text, "the deltas join to the text");
  return last.outcome;
}

/** Holds that a call fails with this code. */
export async function expectFailure(code: string, call: () => Promise<unknown>): Promise<void> {
  const outcome = await call().then(
    (value) => ({ failed: false, value }),
    (error: unknown) => ({ failed: true, value: error }),
  );
  ok(outcome.failed, `the call fails with ${code}`);
  ok(IncipitError.isInstance(outcome.value), `the failure is an IncipitError: ${outcome.value}`);
  equal(outcome.value.code, code);
}

export { deepEqual, equal, ok };
