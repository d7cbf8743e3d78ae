import { type Digest, digestParts, type Span, toSkeleton } from "../text/index.ts";

/** A fence around a text from outside: its first and last line. */
export interface Fence {
  readonly open: string;
  readonly close: string;
  /** Eight letters that the fenced text does not hold, in any case, spacing or full width. */
  readonly nonce: string;
}

const alphabet = "abcdefghijklmnopqrstuvwxyz";

function toNonce(digest: Digest): string {
  let nonce = "";
  for (let at = 0; at < 8; at += 1) {
    nonce += alphabet[Number.parseInt(digest.slice(at * 4, at * 4 + 4), 16) % alphabet.length];
  }
  return nonce;
}

/**
 * Makes a fence for a text from outside.
 *
 * The nonce is derived from the text and from the digests of the prompt's sources, so a run stays
 * reproducible; it is drawn again until the text does not contain it, so no text can close its
 * own fence. That holds by construction. Whether a model heeds a fence is another matter.
 */
export function createFence(label: string, text: string, sources: readonly Digest[]): Fence {
  const nonce = drawNonce(text, (round) =>
    toNonce(digestParts("fence/1", [label, text, String(round), ...sources])),
  );
  return { open: `<${label}-${nonce}>`, close: `</${label}-${nonce}>`, nonce };
}

/**
 * The first of the draws that the text does not hold.
 *
 * @internal
 */
export function drawNonce(text: string, draw: (round: number) => string): string {
  const skeleton = toSkeleton(text);
  for (let round = 0; ; round += 1) {
    const nonce = draw(round);
    if (!skeleton.includes(nonce)) return nonce;
  }
}

/** The fenced text as three spans: the first line, the text untouched, the last line. */
export function toFencedSpans(label: string, text: string, sources: readonly Digest[]): Span[] {
  const fence = createFence(label, text, sources);
  const origin = { kind: "fence", ref: `${label}-${fence.nonce}` } as const;
  return [
    { text: `${fence.open}\n`, trust: "trusted", origin },
    { text, trust: "untrusted", origin: { kind: "input", ref: label } },
    { text: `\n${fence.close}`, trust: "trusted", origin },
  ];
}
