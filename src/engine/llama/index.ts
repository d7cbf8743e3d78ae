export type { CheckGrammar } from "./grammar.ts";
export { type LlamaEngineOptions, openLlamaEngine } from "./open-llama-engine.ts";
