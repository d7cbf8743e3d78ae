import type { Token } from "node-llama-cpp";
import { type Message, toMessageText } from "../../text/index.ts";
import type { ChatTemplate, TemplatePiece } from "./chat-template.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** A prompt as the model gets it. */
export interface PromptTokens {
  readonly tokens: readonly Token[];
  /** How many leading tokens depend on nothing after the stable messages. */
  readonly stable: number;
}

/**
 * Tokens of messages under a chat template. All text of spans, trusted or not, is tokenised as
 * ordinary text; only the template's own markers become control tokens.
 */
export function messagesToTokens(
  messages: readonly Message[],
  stableMessages: number,
  template: ChatTemplate,
  vocabulary: Vocabulary,
): PromptTokens {
  const pieces = template.render(messages.map((message) => message.role));
  const markers = toMarkerTokens(pieces, vocabulary);
  const tokens: Token[] = [];
  let stable: number | null = null;
  for (const piece of pieces) {
    if (piece.kind === "message" && piece.index >= stableMessages) stable ??= tokens.length;
    const follows = tokens.length > 0;
    for (const token of pieceToTokens(piece, messages, vocabulary, { follows, markers })) {
      tokens.push(token);
    }
  }
  const begin = vocabulary.control("BOS");
  if (vocabulary.beginsPrompts && begin !== null && tokens[0] !== begin) {
    tokens.unshift(begin);
    if (stable !== null) stable += 1;
  }
  // The last token is never stable: its logits are asked for, so it is evaluated every time.
  return { tokens, stable: Math.max(0, Math.min(stable ?? tokens.length, tokens.length - 1)) };
}

function pieceToTokens(
  piece: TemplatePiece,
  messages: readonly Message[],
  vocabulary: Vocabulary,
  options: { follows: boolean; markers: ReadonlySet<Token> },
): readonly Token[] {
  switch (piece.kind) {
    case "marker":
      return vocabulary.markersToTokens(piece.text, options);
    case "literal":
      return vocabulary.textToTokens(piece.text, options);
    case "message": {
      const message = messages[piece.index];
      return message === undefined ? [] : vocabulary.textToTokens(toMessageText(message), options);
    }
    case "control": {
      const token = vocabulary.control(piece.token);
      return token === null ? [] : [token];
    }
  }
}

/** The tokens by which a template marks roles and turns, though the file calls them text. */
function toMarkerTokens(
  pieces: readonly TemplatePiece[],
  vocabulary: Vocabulary,
): ReadonlySet<Token> {
  const texts = pieces.flatMap((piece) => (piece.kind === "marker" ? [piece.text] : []));
  const tokens = texts.flatMap((text) => vocabulary.markersToTokens(text, { follows: true }));
  return new Set(tokens.filter((token) => vocabulary.isUserDefined(token)));
}

/** Tokens of a raw text that a continuation is scored after. */
export function rawToTokens(text: string, vocabulary: Vocabulary): readonly Token[] {
  const begin = vocabulary.control("BOS") ?? vocabulary.control("EOS");
  const tokens = vocabulary.textToTokens(text, { follows: false });
  if (begin !== null && (vocabulary.beginsPrompts || tokens.length === 0))
    return [begin, ...tokens];
  return tokens;
}
