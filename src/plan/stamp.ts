import type { EngineIdentity, Sampling } from "../engine/index.ts";
import { type Digest, type Json, printSortedJson, sha256 } from "../text/index.ts";

/** Name, version and digest of a thing that went into an output. */
export interface StampedSource {
  readonly name: string;
  readonly version: string;
  readonly digest: Digest;
}

/** The digests and settings that make an output reproducible; no time, no run id. */
export interface Stamp {
  readonly incipit: string;
  readonly pack: StampedSource;
  readonly task: StampedSource;
  readonly prompt: {
    /** Digest of the messages that were sent. */
    readonly digest: Digest;
    /** Digest of the protected sources. */
    readonly protectedDigest: Digest;
    readonly parts: readonly { ref: string; version: string; digest: Digest; tier: string }[];
  };
  readonly contract: Digest;
  /** Digest of the grammar in force; null when none was. */
  readonly constraint: Digest | null;
  /** Null when no model was asked. */
  readonly engine: EngineIdentity | null;
  readonly sampling: Sampling;
  readonly maxTokens: number;
  /** Which request gave the output, counted from 1; 0 when none did. */
  readonly attempt: number;
  readonly decidedBy: "generation" | "when-empty";
}

/** Digest of a stamp: RFC 8785, since the order of its members means nothing. */
export function digestStamp(stamp: Stamp): Digest {
  return sha256(printSortedJson(stamp as unknown as Json));
}
