import type { LlamaModel, Token } from "node-llama-cpp";

/** A model's vocabulary: text to tokens and back, with control tokens kept apart from text. */
export interface Vocabulary {
  /**
   * Tokens of ordinary text. Whatever the text says, no token in them is a control token, nor one
   * of `markers`. `follows`: something stands before the text in the prompt.
   */
  textToTokens(text: string, options: { follows: boolean; markers?: ReadonlySet<Token> }): Token[];
  /** Tokens of a template's own text, in which control tokens are written out. */
  markersToTokens(text: string, options: { follows: boolean }): Token[];
  /** Text of tokens; `before` are the tokens in front of them. */
  toText(tokens: readonly Token[], before: readonly Token[]): string;
  /** Whether a token steers the model instead of standing for text. */
  isControl(token: Token): boolean;
  /** Whether a token is written in text but means something to the model. */
  isUserDefined(token: Token): boolean;
  isEnd(token: Token): boolean;
  /** A token by its job: begin of a prompt, end of a text, end of a turn; null if there is none. */
  control(name: "BOS" | "EOS" | "EOT"): Token | null;
  /** Whether every prompt of this model starts with `BOS`. */
  readonly beginsPrompts: boolean;
  readonly size: number;
}

/** The vocabulary of a loaded model. */
export function createVocabulary(model: LlamaModel): Vocabulary {
  // Only SentencePiece vocabularies put a blank before the first word of a text.
  const isSentencePiece = model.vocabularyType === "spm";
  const tokenize = (text: string, special: boolean, follows: boolean): Token[] =>
    isSentencePiece && follows
      ? model.tokenize(text, special, "trimLeadingSpace")
      : model.tokenize(text, special);

  const isControl = (token: Token): boolean =>
    model.getTokenAttributes(token).control || model.isEogToken(token);

  const textToTokens: Vocabulary["textToTokens"] = (text, { follows, markers }) => {
    const isWrong = (token: Token): boolean => isControl(token) || markers?.has(token) === true;
    const tokens = tokenize(text, false, follows);
    const wrong = new Set(tokens.filter(isWrong));
    if (wrong.size === 0) return tokens;
    // Some files declare a marker as ordinary text. Tokenising its letters apart breaks it up.
    const names = [...wrong].map((token) => model.detokenize([token], true).trim());
    return cutInside(text, names)
      .flatMap((part, index) => tokenize(part, false, follows || index > 0))
      .filter((token) => !isWrong(token));
  };

  return {
    textToTokens,
    markersToTokens: (text, { follows }) => tokenize(text, true, follows),
    toText: (tokens, before) => model.detokenize(tokens, false, before),
    isControl,
    isUserDefined: (token) => model.getTokenAttributes(token).userDefined,
    isEnd: (token) => model.isEogToken(token),
    control: (name) =>
      ({ BOS: model.tokens.bos, EOS: model.tokens.eos, EOT: model.tokens.eot })[name],
    beginsPrompts: model.tokens.shouldPrependBosToken,
    size: model.fileInfo.metadata.tokenizer.ggml.tokens.length,
  };
}

/** Cuts a text after the first character of every one of these names in it. */
function cutInside(text: string, names: readonly string[]): readonly string[] {
  const cuts = new Set([text.length]);
  for (const name of names) {
    if (name.length < 2) continue;
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) cuts.add(at + 1);
  }
  const sorted = [...cuts].sort((one, other) => one - other);
  return sorted.map((cut, index) => text.slice(sorted[index - 1] ?? 0, cut));
}
