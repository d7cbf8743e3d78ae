import { quoteName } from "../quote-name.ts";
import { type Check, toNamePlace } from "./check.ts";

/** A rule is defined again later, which llama.cpp takes in silence for the only definition. */
export const duplicateRule: Check = ({ grammar, table }) =>
  grammar.rules
    .filter((rule) => table.get(rule.name) !== rule)
    .map((rule) => ({
      code: "grammar_duplicate_rule",
      severity: "warning",
      message: `Rule ${quoteName(rule.name)} is defined again later; only the last definition is in force.`,
      ...toNamePlace(rule),
      hint: "rename one of them, or join them with a bar",
    }));
