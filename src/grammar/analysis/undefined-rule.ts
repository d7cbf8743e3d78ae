import { type Finding, toHint } from "../../text/index.ts";
import { visitBody } from "../fold-body.ts";
import { quoteName } from "../quote-name.ts";
import { type Check, toPlace } from "./check.ts";

/** A reference names no rule. Unused rules count: llama.cpp looks at them as well. */
export const undefinedRule: Check = ({ grammar, table }) => {
  const findings: Finding[] = [];
  // Likeness is only worth its time for names that a person wrote.
  const isShort = (name: string): boolean => name.length <= 100;
  const names = [...table.keys()].filter(isShort);
  for (const rule of grammar.rules) {
    visitBody(rule.body, (node) => {
      if (node.kind !== "rule-reference" || table.has(node.name)) return;
      findings.push({
        code: "grammar_undefined_rule",
        severity: "error",
        message: `${quoteName(node.name)} in rule ${quoteName(rule.name)} is not defined.`,
        ...toPlace(node),
        hint: isShort(node.name) && findings.length < 20 ? toHint(node.name, names) : "define it",
      });
    });
  }
  return findings;
};
