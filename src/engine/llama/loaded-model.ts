import type { LlamaModel } from "node-llama-cpp";
import type { ChatTemplate } from "./chat-template.ts";
import type { GrammarCache } from "./grammar.ts";
import type { LlamaLibrary } from "./library.ts";
import type { SlotPool } from "./slot-pool.ts";
import type { ThreadPace } from "./thread-pace.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** A model in memory with all that its calls need. */
export interface LoadedModel {
  readonly name: string;
  readonly library: LlamaLibrary;
  readonly native: LlamaModel;
  readonly vocabulary: Vocabulary;
  readonly template: ChatTemplate;
  readonly slots: SlotPool;
  /** For generating and scoring, where sampling is one thread's work; prompts have their own. */
  readonly pace: ThreadPace;
  readonly grammars: GrammarCache;
  readonly contextTokens: number;
}
