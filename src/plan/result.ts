import type { FinishReason, Sampling, Usage } from "../engine/index.ts";
import type { Digest, Finding, Json } from "../text/index.ts";
import type { Stamp } from "./stamp.ts";

/** One request and what came of it. */
export interface Attempt {
  /** Counted from 1. */
  readonly number: number;
  readonly promptDigest: Digest;
  readonly reinforcements: readonly { readonly ref: string; readonly version: string }[];
  readonly sampling: Sampling;
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  /** Empty when the output was accepted as it came. */
  readonly findings: readonly Finding[];
}

interface ResultCommon {
  readonly task: string;
  readonly stamp: Stamp;
  readonly attempts: readonly Attempt[];
  readonly warnings: readonly Finding[];
  /** Sums over all attempts. */
  readonly usage: Usage;
}

/** The value satisfies the contract, or is the task's `whenEmpty`. */
export interface SuccessResult extends ResultCommon {
  readonly kind: "success";
  readonly value: Json;
  /** The text that was read as the value. */
  readonly text: string;
}

/** No attempt gave an acceptable output. */
export interface FailureResult extends ResultCommon {
  readonly kind: "failure";
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly findings: readonly Finding[];
}

export type Result = SuccessResult | FailureResult;
