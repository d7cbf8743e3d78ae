import type { Check } from "../check/index.ts";
import type { ContractDefinition } from "../contract/index.ts";
import type { Template } from "../template/index.ts";
import type { Digest, Json, SourceSpan, Tier, Trust } from "../text/index.ts";

/** A text of a pack that can be rendered: where it stands, its version and its digest. */
export interface PackText {
  /** `templates/transcript.json#tags`: unique in the pack. */
  readonly ref: string;
  readonly version: string;
  /** Digest of reference, version and text. */
  readonly digest: Digest;
  readonly template: Template;
  readonly source: SourceSpan;
}

/** A named block of a system prompt. */
export interface Module extends PackText {
  readonly name: string;
  readonly tier: Tier;
  readonly description: string;
  /** The input without which the module is left out; null when it always stands. */
  readonly when: string | null;
}

/** A system prompt: its modules in the order in which they stand. */
export interface SystemPrompt {
  readonly ref: string;
  readonly version: string;
  readonly modules: readonly Module[];
}

interface InputCommon {
  readonly name: string;
  readonly description: string;
  readonly optional: boolean;
}

/** What a caller may give a task. Lengths count code points. */
export type InputDefinition = InputCommon &
  (
    | { readonly kind: "text"; readonly trust: Trust; readonly maxLength: number }
    /** Texts from outside, one a line, quoted. */
    | {
        readonly kind: "list";
        readonly maxItems: number;
        readonly maxLength: number;
      }
    /** The name of one of the pack's fragments; its text is what is rendered. */
    | { readonly kind: "fragment"; readonly choices: ReadonlyMap<string, PackText> }
  );

export interface TaskSampling {
  readonly temperature: number;
  readonly topK?: number;
  readonly topP?: number;
  readonly minP?: number;
}

export interface TaskLimits {
  readonly maxTokens: number;
  /** Where set, the limit is `32 + tokensPerInputCharacter × characters`, at most `maxTokens`. */
  readonly tokensPerInputCharacter: number | null;
}

/** Which reinforcement answers which finding. */
export interface Reinforcement {
  /** A finding code, or the room it begins with: `contract` answers `contract_schema`. */
  readonly on: string;
  readonly text: PackText;
}

export interface Retry {
  /** Requests in all, the first included; at least 1. */
  readonly attempts: number;
  /** Added to the temperature with each retry; the temperature never goes above 0.8 by it. */
  readonly temperatureStep: number;
  readonly reinforce: readonly Reinforcement[];
}

/** What can be run. */
export interface Task {
  readonly name: string;
  readonly ref: string;
  readonly version: string;
  readonly description: string;
  /** Digest over everything the task is made of. */
  readonly digest: Digest;
  readonly system: SystemPrompt;
  readonly user: PackText;
  readonly inputs: readonly InputDefinition[];
  /** The value for a blank or filler-only input; null when such an input is run like any other. */
  readonly whenEmpty: { readonly value: Json } | null;
  readonly output: ContractDefinition;
  readonly checks: readonly Check[];
  readonly sampling: TaskSampling;
  readonly limits: TaskLimits;
  readonly retry: Retry;
}

/** What a pack knows about a language. */
export interface Language {
  readonly language: string;
  readonly name: string;
  readonly version: string;
  readonly digest: Digest;
  /** Sounds and words that mean nothing when nothing else was said; lower case. */
  readonly fillers: readonly string[];
}

/** A hand-written grammar, kept as its author wrote it. */
export interface PackGrammar {
  readonly ref: string;
  readonly version: string;
  readonly text: string;
  /** Digest of the text. */
  readonly digest: Digest;
}

/** Prompt sources, linked and frozen. A function of its files. */
export interface Pack {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Digest over path and canonical text of every file. */
  readonly digest: Digest;
  readonly tasks: ReadonlyMap<string, Task>;
  readonly languages: ReadonlyMap<string, Language>;
  readonly grammars: ReadonlyMap<string, PackGrammar>;
}
