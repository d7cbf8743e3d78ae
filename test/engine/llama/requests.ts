import type {
  Engine,
  EngineCallOptions,
  GenerateOutcome,
  GenerateRequest,
} from "../../../src/engine/index.ts";
import type { Message, Role } from "../../../src/text/index.ts";

/** A message of one span. */
export function toMessage(role: Role, text: string): Message {
  const trust = role === "user" ? "untrusted" : "trusted";
  return { role, spans: [{ text, trust, origin: { kind: "module", ref: "test" } }] };
}

/** A request with a system prompt that stays the same from run to run. */
export function toRequest(user: string, settings: Partial<GenerateRequest> = {}): GenerateRequest {
  const system = "You tag short notes. Answer with the topic of the note in one or two words.";
  return {
    kind: "generate",
    messages: [toMessage("system", system), toMessage("user", user)],
    stableMessages: 1,
    constraint: null,
    sampling: { temperature: 0, seed: 1 },
    maxTokens: 12,
    stop: [],
    ...settings,
  };
}

/** The outcome of a generation. */
export async function generate(
  engine: Engine,
  request: GenerateRequest,
  options: EngineCallOptions = {},
): Promise<GenerateOutcome> {
  let outcome: GenerateOutcome | null = null;
  for await (const event of engine.generate(request, options)) {
    if (event.kind === "generate-end") outcome = event.outcome;
  }
  if (outcome === null) throw new Error("the generation had no end");
  return outcome;
}
