import { type Message, toMessageText } from "../../text/index.ts";
import type { ScoreItem } from "../request.ts";

/** Code points that Unicode has room for; every one of them keeps a little likelihood. */
const alphabet = 0x110000;
/** Likelihood is shared out as if every code point had been seen this often. */
const prior = 1 / alphabet;

/**
 * Log-likelihood of a continuation under a model that counts characters: each code point is as
 * likely as its share of all code points before it, the prefix included. Deterministic and finite.
 */
export function characterLikelihood(item: ScoreItem): number {
  const counts = new Map<string, number>();
  let seen = 0;
  const see = (character: string): void => {
    counts.set(character, (counts.get(character) ?? 0) + 1);
    seen += 1;
  };
  for (const character of toPrefixText(item.prefix)) see(character);
  let sum = 0;
  for (const character of item.continuation) {
    sum += Math.log(((counts.get(character) ?? 0) + prior) / (seen + prior * alphabet));
    see(character);
  }
  return sum;
}

/** The text that a scripted engine takes a prefix to be. */
export function toPrefixText(prefix: ScoreItem["prefix"]): string {
  return prefix.kind === "raw" ? prefix.text : toChatText(prefix.messages);
}

/** Messages as a scripted engine's one text: role, line end, text, line end. */
export function toChatText(messages: readonly Message[]): string {
  return messages.map((message) => `${message.role}\n${toMessageText(message)}\n`).join("");
}
