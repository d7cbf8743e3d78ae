import type { IncipitError } from "../../text/index.ts";
import type { GenerateRequest, ScoreItem } from "../request.ts";

/** What a scripted engine does with one generate request: say a text, or fail. */
export type ScriptedReply =
  | string
  | { readonly kind: "fail"; readonly error: IncipitError; readonly after?: string };

/** The answers of a scripted engine: a list used up in order, or a function of the request. */
export type ScriptedReplies =
  | readonly ScriptedReply[]
  | ((request: GenerateRequest, index: number) => ScriptedReply);

/** Log-likelihood of an item, in nats. */
export type ScriptedScore = (item: ScoreItem, index: number) => number;

/** How to create a scripted engine. */
export interface ScriptedEngineOptions {
  readonly replies: ScriptedReplies;
  /** By default a small character model, see `characterLikelihood`. */
  readonly scores?: ScriptedScore | undefined;
  /** Null, the default: no limit. */
  readonly contextTokens?: number | null | undefined;
  /** Tokens in one text delta; 1 by default. */
  readonly chunk?: number | undefined;
  /** Constraints that it claims to enforce; none by default, and it never enforces any. */
  readonly constraints?: readonly "gbnf"[] | undefined;
  /** False: `score` throws `engine_cannot_score`. */
  readonly canScore?: boolean | undefined;
  readonly modelName?: string | undefined;
}
