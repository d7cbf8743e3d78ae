import { IncipitError } from "../text/index.ts";

/** Throws `engine_context_too_small` if a prompt and its answer do not fit together. */
export function checkRoom(prompt: number, answer: number, contextTokens: number | null): void {
  if (contextTokens === null || prompt + answer <= contextTokens) return;
  throw new IncipitError(
    "engine_context_too_small",
    `The prompt has ${prompt} tokens and the answer may have ${answer}, together ` +
      `${prompt + answer}; the context holds ${contextTokens}.`,
    { hint: "Shorten the input, lower maxTokens, or open the engine with more contextTokens." },
  );
}
