import type { Message } from "../text/index.ts";
import type { GenerateEvent, ScoreOutcome } from "./outcome.ts";
import type { GenerateRequest, ScoreRequest } from "./request.ts";

/** What an engine can do, as data. */
export interface Capabilities {
  /** Kinds of constraint it enforces while generating. */
  readonly constraints: readonly "gbnf"[];
  readonly score: boolean;
  /** The same request gives the same bytes. */
  readonly deterministic: boolean;
  /** Tokens that prompt and output may have together; null when unknown. */
  readonly contextTokens: number | null;
}

/** What goes into the stamp: which engine and which model made an output. */
export interface EngineIdentity {
  /** `llama`, `scripted`, … */
  readonly name: string;
  /** Version of the library behind it. */
  readonly version: string;
  readonly model: {
    readonly name: string;
    /** SHA-256 of the model file; null where there is no file. */
    readonly digest: string | null;
  };
}

export interface EngineCallOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Something that generates text and, where it can, scores it.
 *
 * Errors are `IncipitError` with a code that begins `engine_`. An aborted call rejects with
 * `engine_aborted`. Calls made at once give the bytes that they give one after the other.
 */
export interface Engine {
  readonly identity: EngineIdentity;
  readonly capabilities: Capabilities;
  /** Generates a text as a stream of events; the last is `generate-end`. */
  generate(request: GenerateRequest, options?: EngineCallOptions): AsyncIterable<GenerateEvent>;
  /** Log-likelihoods of continuations after prefixes. Throws `engine_cannot_score` if it cannot. */
  score(request: ScoreRequest, options?: EngineCallOptions): Promise<ScoreOutcome>;
  /** Tokens of a text, or of messages under the model's chat template. */
  countTokens(input: string | readonly Message[]): Promise<number>;
  /** Frees the model. Calls after it throw `engine_closed`. */
  close(): Promise<void>;
}
