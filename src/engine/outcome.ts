/** Tokens of one request. */
export interface Usage {
  /** Prompt tokens in all. */
  readonly inputTokens: number;
  /** Of those, how many were already evaluated and reused. */
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

/** `stop`: the model ended, or the grammar could only end. `length`: cut at `maxTokens`. */
export type FinishReason = "stop" | "length";

export interface GenerateOutcome {
  readonly kind: "generated";
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  /** Settings the engine could not honour, one sentence each. */
  readonly warnings: readonly string[];
}

export interface Score {
  /** Sum over the continuation's tokens, in nats. */
  readonly logLikelihood: number;
  /** Tokens of the continuation. */
  readonly tokens: number;
}

export interface ScoreOutcome {
  readonly kind: "scored";
  /** One per item, in order. */
  readonly scores: readonly Score[];
  /**
   * The largest error of a score, divided by its tokens, in nats, that the engine vouches for; 0 is
   * exact. A single token may be off by more.
   */
  readonly tolerance: number;
  readonly usage: Usage;
}

/** What came of a request. */
export type Outcome = GenerateOutcome | ScoreOutcome;

/** An event of a running generation. The last one is always `generate-end`. */
export type GenerateEvent =
  | { readonly kind: "text-delta"; readonly text: string }
  | { readonly kind: "generate-end"; readonly outcome: GenerateOutcome };
