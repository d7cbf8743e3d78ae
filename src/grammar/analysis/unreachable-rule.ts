import { quoteName } from "../quote-name.ts";
import { type Check, toNamePlace } from "./check.ts";

/** No way leads from the start rule to a rule. */
export const unreachableRule: Check = ({ table, root, reachable }) => {
  if (!table.has(root)) return [];
  return [...table.values()]
    .filter((rule) => !reachable.has(rule.name))
    .map((rule) => ({
      code: "grammar_unreachable_rule",
      severity: "warning",
      message: `Rule ${quoteName(rule.name)} is not used, directly or indirectly, by ${quoteName(root)}.`,
      ...toNamePlace(rule),
      hint: "remove it, or refer to it",
    }));
};
