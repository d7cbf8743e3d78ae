import type { Message } from "../text/index.ts";

/** What the generated text must match. */
export type Constraint = {
  readonly kind: "gbnf";
  /** GBNF text; its start rule is `root`. */
  readonly grammar: string;
};

export interface Sampling {
  /** 0 is greedy. */
  readonly temperature: number;
  readonly topK?: number;
  readonly topP?: number;
  readonly minP?: number;
  /** A whole number from 0 to 2³²−1. */
  readonly seed: number;
}

/** Ask for a text. */
export interface GenerateRequest {
  readonly kind: "generate";
  readonly messages: readonly Message[];
  /**
   * How many leading messages stay the same from run to run of a task. An engine that keeps
   * evaluated prefixes keeps this one, and splits its batches there whether it was kept or not.
   */
  readonly stableMessages: number;
  readonly constraint: Constraint | null;
  readonly sampling: Sampling;
  /** The most tokens to generate; reaching it is finish reason `length`. */
  readonly maxTokens: number;
  /** Texts that end the generation; they are not part of the output. */
  readonly stop: readonly string[];
}

/** One continuation to be scored after its prefix. */
export interface ScoreItem {
  /** Raw text or messages. Untrusted text in either is tokenised with special tokens off. */
  readonly prefix:
    | { readonly kind: "raw"; readonly text: string }
    | { readonly kind: "messages"; readonly messages: readonly Message[] };
  /** Not empty. */
  readonly continuation: string;
}

/** Ask how likely texts are: the log-likelihood of each continuation after its prefix. */
export interface ScoreRequest {
  readonly kind: "score";
  readonly items: readonly ScoreItem[];
}

export type EngineRequest = GenerateRequest | ScoreRequest;
