import type { BodyNode } from "../ast.ts";
import { isTextCharacter, toCharacters } from "../characters.ts";
import { quoteName } from "../quote-name.ts";
import { growRuleSet } from "../rule-graph.ts";
import { type Check, toNamePlace } from "./check.ts";

/** A rule has no finished text: every way through it leads back, or to a character no text has. */
export const nonProductiveRule: Check = ({ grammar, table, root }) => {
  const known = (name: string): boolean => table.has(name);
  const productive = growRuleSet(grammar, (node, values, isProductive) =>
    // What is undefined has a finding of its own.
    isFinishable(node, values, (name) => isProductive(name) || !known(name)),
  );
  return [...table.values()]
    .filter((rule) => !productive.has(rule.name))
    .map((rule) => ({
      code: rule.name === root ? "grammar_no_finished_text" : "grammar_non_productive_rule",
      severity: rule.name === root ? "error" : "warning",
      message: `Rule ${quoteName(rule.name)} matches no finished text.`,
      ...toNamePlace(rule),
      hint: "give it an alternative that ends",
    }));
};

/** Whether some finite text matches a node, given whether one matches its children. */
function isFinishable(
  node: BodyNode,
  values: readonly boolean[],
  isProductive: (name: string) => boolean,
): boolean {
  switch (node.kind) {
    case "alternatives":
      return values.includes(true);
    case "sequence":
      return !values.includes(false);
    case "group":
      return values[0] ?? false;
    case "repetition":
      return node.min === 0 || (values[0] ?? false);
    case "rule-reference":
      return isProductive(node.name);
    case "literal":
      return node.codePoints.every(isTextCharacter);
    case "character-class":
    case "any-character":
      return toCharacters(node)?.length !== 0;
    case "token":
      return true;
  }
}
