import { IncipitError, toHint } from "../text/index.ts";
import { type Grammar, toRuleTable } from "./ast.ts";
import { visitBody } from "./fold-body.ts";
import { quoteName } from "./quote-name.ts";

/**
 * Refuses a grammar that cannot be run over text: one without its start rule, with a reference to
 * no rule, or with a token.
 */
export function requireTextGrammar(grammar: Grammar, root: string): void {
  const table = toRuleTable(grammar);
  if (!table.has(root)) {
    throw new IncipitError("grammar_missing_root", `The grammar has no rule ${quoteName(root)}.`, {
      hint: toHint(root, table.keys()),
    });
  }
  for (const rule of table.values()) {
    const place = `in rule ${quoteName(rule.name)}`;
    visitBody(rule.body, (node) => {
      if (node.kind === "rule-reference" && !table.has(node.name)) {
        const message = `${quoteName(node.name)} ${place} is not defined.`;
        throw new IncipitError("grammar_undefined_rule", message, {
          hint: "analyze the grammar before it is used",
        });
      }
      if (node.kind === "token") {
        const message = `The token ${node.text} ${place} cannot be matched with text.`;
        throw new IncipitError("grammar_token_unsupported", message, {
          hint: "only an engine with a vocabulary can",
        });
      }
    });
  }
}
