import type { GenerateRequest, Sampling } from "../engine/index.ts";
import type { Explanation } from "../prompt/index.ts";
import {
  type Digest,
  type Json,
  type Role,
  sha256,
  toMessageText,
  toShortId,
} from "../text/index.ts";
import type { PreparedRun } from "./prepare-runs.ts";

/** A digest in both its forms. */
interface ShownDigest {
  readonly short: string;
  readonly full: Digest;
}

/** A stretch of a message and where it came from. */
export type ShownSpan = Omit<Explanation, "message">;

export interface ShownMessage {
  readonly role: Role;
  readonly text: string;
  readonly spans: readonly ShownSpan[];
}

/** What `show --json` prints: the first request of a run, and the digests of all it is made of. */
export interface Shown {
  readonly file?: string;
  readonly task: string;
  readonly version: string;
  readonly description: string;
  /** Whether the input says nothing, so that no model is asked. */
  readonly empty: boolean;
  /** The value of an empty input; null otherwise. */
  readonly value: Json;
  /** Null when no model is asked. */
  readonly request: {
    readonly messages: readonly ShownMessage[];
    readonly stableMessages: number;
    readonly constraint: GenerateRequest["constraint"];
    readonly sampling: Sampling;
    readonly maxTokens: number;
    readonly stop: readonly string[];
  } | null;
  readonly digests: {
    readonly pack: ShownDigest;
    readonly task: ShownDigest;
    readonly prompt: ShownDigest;
    readonly protected: ShownDigest;
    readonly contract: ShownDigest;
    /** Null where no grammar constrains the output. */
    readonly grammar: ShownDigest | null;
  };
}

function toShownDigest(digest: Digest): ShownDigest {
  return { short: toShortId(digest), full: digest };
}

/** A prepared run as `show` gives it. */
export function toShown({ file, plan, step }: PreparedRun): Shown {
  const { pack, task, contract } = plan;
  const prompt =
    step.kind === "request"
      ? { digest: step.prompt.digest, protectedDigest: step.prompt.protectedDigest }
      : step.result.stamp.prompt;
  const result = step.kind === "finished" ? step.result : null;
  const request = step.kind === "request" && step.request.kind === "generate" ? step.request : null;
  const explanations = step.kind === "request" ? step.prompt.explain() : [];
  const constraint = request?.constraint ?? null;
  return {
    ...(file === null ? {} : { file }),
    task: task.ref,
    version: task.version,
    description: task.description,
    empty: plan.empty,
    value: result?.kind === "success" ? result.value : null,
    request:
      request === null
        ? null
        : {
            messages: request.messages.map((message, index) => ({
              role: message.role,
              text: toMessageText(message),
              spans: explanations
                .filter((one) => one.message === index)
                .map(({ message: _, ...span }) => span),
            })),
            stableMessages: request.stableMessages,
            constraint,
            sampling: request.sampling,
            maxTokens: request.maxTokens,
            stop: request.stop,
          },
    digests: {
      pack: toShownDigest(pack.digest),
      task: toShownDigest(task.digest),
      prompt: toShownDigest(prompt.digest),
      protected: toShownDigest(prompt.protectedDigest),
      contract: toShownDigest(contract.digest),
      grammar: constraint === null ? null : toShownDigest(sha256(constraint.grammar)),
    },
  };
}
