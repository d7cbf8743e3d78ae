import type { Token } from "node-llama-cpp";
import type { Vocabulary } from "./vocabulary.ts";

/** Text of tokens that arrive one by one; a token may hold a part of a character only. */
export interface TokenText {
  /** Takes the next token; gives the characters that are whole by now. */
  push(token: Token): string;
  /** Gives what is left; a character that never became whole is dropped. */
  end(): string;
}

const replacement = "\uFFFD";
/** Tokens after which bytes that form no character are let through as U+FFFD. */
const mostPending = 8;

/** Creates the text of tokens that come after `before`. */
export function createTokenText(vocabulary: Vocabulary, before: readonly Token[]): TokenText {
  const genuine = vocabulary.textToTokens(replacement, { follows: true }).at(-1);
  let shown = before.slice(-8);
  let pending: Token[] = [];
  return {
    push(token) {
      pending.push(token);
      const text = vocabulary.toText(pending, shown);
      const isPart = text.endsWith(replacement) && token !== genuine;
      if (isPart && pending.length < mostPending) return "";
      shown = [...shown, ...pending].slice(-8);
      pending = [];
      return text;
    },
    end() {
      const text = pending.length === 0 ? "" : vocabulary.toText(pending, shown);
      pending = [];
      return text.replace(/\uFFFD+$/, "");
    },
  };
}
