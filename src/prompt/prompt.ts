import {
  type Digest,
  digestParts,
  type Message,
  type Origin,
  type SourceSpan,
  type Tier,
  type Trust,
  toMessageText,
} from "../text/index.ts";

/** A part of the sources that a prompt was made of. */
export interface PromptPart {
  readonly ref: string;
  readonly version: string;
  readonly digest: Digest;
  readonly tier: Tier;
}

/** A stretch of a message with where it came from; offsets in UTF-16 units. */
export interface Explanation {
  readonly message: number;
  readonly start: number;
  readonly end: number;
  readonly kind: Origin["kind"];
  readonly ref: string;
  readonly version: string | null;
  readonly tier: Tier | null;
  readonly trust: Trust;
  /** Where its text stands in the pack; null for what is not the pack's. */
  readonly source: SourceSpan | null;
}

/** The composed result: messages made of spans, and the digests of what they are made of. */
export interface Prompt {
  readonly messages: readonly Message[];
  /** How many leading messages do not depend on the text that is worked on. */
  readonly stableMessages: number;
  /** The fences around texts from outside, as `label-nonce`: an output never holds one. */
  readonly fences: readonly string[];
  /** Every source text in it, in order. */
  readonly parts: readonly PromptPart[];
  /** Digest of roles and texts. */
  readonly digest: Digest;
  /** Digest of the protected sources: the same whatever a caller gives. */
  readonly protectedDigest: Digest;
  /** Where every character came from. */
  explain(): readonly Explanation[];
}

/** Digest of messages: roles and texts, nothing else. */
export function digestMessages(messages: readonly Message[]): Digest {
  return digestParts(
    "prompt/1",
    messages.flatMap((message) => [message.role, toMessageText(message)]),
  );
}

function explainMessages(messages: readonly Message[]): Explanation[] {
  return messages.flatMap(({ spans }, message) => {
    let start = 0;
    return spans.map(({ text, trust, origin }): Explanation => {
      const end = start + text.length;
      const { kind, ref, version = null, tier = null, source = null } = origin;
      const explanation = { message, start, end, kind, ref, version, tier, trust, source };
      start = end;
      return explanation;
    });
  });
}

function findFences(messages: readonly Message[]): string[] {
  const origins = messages.flatMap(({ spans }) => spans.map(({ origin }) => origin));
  return [...new Set(origins.filter(({ kind }) => kind === "fence").map(({ ref }) => ref))];
}

/** Makes a prompt of its messages and parts; digests are computed when first asked for. */
export function createPrompt(
  messages: readonly Message[],
  stableMessages: number,
  parts: readonly PromptPart[],
  protectedParts: readonly PromptPart[],
): Prompt {
  let digest: Digest | null = null;
  let protectedDigest: Digest | null = null;
  return {
    messages,
    stableMessages,
    fences: findFences(messages),
    parts,
    get digest() {
      digest ??= digestMessages(messages);
      return digest;
    },
    get protectedDigest() {
      protectedDigest ??= digestParts(
        "protected/1",
        protectedParts.flatMap((part) => [part.ref, part.version, part.digest]),
      );
      return protectedDigest;
    },
    explain: () => explainMessages(messages),
  };
}
