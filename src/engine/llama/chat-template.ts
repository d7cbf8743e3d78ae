import { runInNewContext } from "node:vm";
import type * as NodeLlamaCpp from "node-llama-cpp";
import { IncipitError, type Role } from "../../text/index.ts";

/** A stretch of a rendered chat: the template's own text, a control token, or a message's text. */
export type TemplatePiece =
  | { readonly kind: "marker"; readonly text: string }
  | { readonly kind: "control"; readonly token: "BOS" | "EOS" | "EOT" }
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "message"; readonly index: number };

/** A model's chat template. */
export interface ChatTemplate {
  /**
   * The pieces of a chat with messages of these roles, up to where the model begins to write. A
   * last message of the assistant is a beginning that the model goes on writing.
   */
  render(roles: readonly Role[]): readonly TemplatePiece[];
}

/** How long a template may take to render, in milliseconds; those of real models take a few. */
const renderLimit = 5_000;

const placeholder = /⁅(\d+)⁆/;

/**
 * Reads a model's chat template, a Jinja text from its file.
 *
 * The template never sees a message: it renders numbered placeholders, so no text can change what
 * it does, and message text and template text stay apart. Throws `engine_no_chat_template`.
 */
export function createChatTemplate(
  module: typeof NodeLlamaCpp,
  source: string | undefined,
  modelName: string,
): ChatTemplate {
  const rendered = new Map<string, readonly TemplatePiece[]>();
  return {
    render(roles) {
      if (source === undefined || source.trim() === "") throw toMissing(modelName);
      const key = roles.join();
      const known = rendered.get(key);
      if (known !== undefined) return known;
      const render = (): readonly TemplatePiece[] => renderPieces(module, source, roles, modelName);
      const pieces = withTimeLimit(render, modelName);
      rendered.set(key, pieces);
      return pieces;
    },
  };
}

/**
 * Calls and gives up after the limit: a template from a file may loop for hours, and while it does
 * nothing else of this process runs. The time limit of a script holds for all that it calls.
 */
function withTimeLimit<Value>(call: () => Value, modelName: string): Value {
  try {
    return runInNewContext("call()", { call }, { timeout: renderLimit }) as Value;
  } catch (cause) {
    const isLate = (cause as { code?: unknown } | null)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    if (!isLate) throw cause;
    throw new IncipitError(
      "engine_chat_template_failed",
      `The chat template of the model "${modelName}" was not rendered after ${renderLimit} ms.`,
      { cause, hint: "Use another model; this template loops." },
    );
  }
}

function renderPieces(
  module: typeof NodeLlamaCpp,
  template: string,
  roles: readonly Role[],
  modelName: string,
): readonly TemplatePiece[] {
  const history = roles.map((role, index): NodeLlamaCpp.ChatHistoryItem => {
    const text = `⁅${index}⁆`;
    return role === "assistant" ? { type: "model", response: [text] } : { type: role, text };
  });
  if (roles.at(-1) !== "assistant") history.push({ type: "model", response: [] });
  const failures: unknown[] = [];
  // Templates that want user and assistant to take turns get neighbours of one role joined.
  for (const joinAdjacentMessagesOfTheSameType of [false, true]) {
    try {
      const wrapper = new module.JinjaTemplateChatWrapper({
        template,
        joinAdjacentMessagesOfTheSameType,
        functionCallMessageTemplate: "noJinja",
        reasoning: false,
      });
      const { contextText } = wrapper.generateContextState({ chatHistory: history });
      return contextText.values.flatMap((value) => toPieces(module, value));
    } catch (error) {
      failures.push(error);
    }
  }
  throw new IncipitError(
    "engine_chat_template_failed",
    `The chat template of the model "${modelName}" cannot render messages of the roles ` +
      `${roles.join(", ")}.`,
    { cause: failures[0], hint: "Use the roles in the order system, user, assistant, user, …" },
  );
}

function toPieces(
  module: typeof NodeLlamaCpp,
  value: NodeLlamaCpp.LlamaTextValue,
): readonly TemplatePiece[] {
  if (value instanceof module.SpecialToken) {
    const token = value.value;
    if (token === "NL" || token === "SEP") return [];
    return [{ kind: "control", token }];
  }
  if (value instanceof module.SpecialTokensText) return [{ kind: "marker", text: value.value }];
  // Every second part is what the brackets of the pattern caught: the number of a message.
  return value.split(placeholder).flatMap((part, at): readonly TemplatePiece[] => {
    if (at % 2 === 1) return [{ kind: "message", index: Number(part) }];
    return part === "" ? [] : [{ kind: "literal", text: part }];
  });
}

function toMissing(modelName: string): IncipitError {
  return new IncipitError(
    "engine_no_chat_template",
    `The model "${modelName}" has no chat template, so it cannot take messages.`,
    { hint: "Use an instruct model; a base model can still score raw prefixes." },
  );
}
