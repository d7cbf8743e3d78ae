import type { Finding } from "../../text/index.ts";
import { visitBody } from "../fold-body.ts";
import { type Check, toPlace } from "./check.ts";

/** A token is named by its text, which can be read only together with a vocabulary. */
export const tokenText: Check = ({ grammar }) => {
  const findings: Finding[] = [];
  for (const rule of grammar.rules) {
    visitBody(rule.body, (node) => {
      if (node.kind !== "token" || node.text.startsWith("<[")) return;
      findings.push({
        code: "grammar_token_text",
        severity: "error",
        message: `The token ${node.text} is named by its text, which needs a vocabulary.`,
        ...toPlace(node),
        hint: "name it by its number, as in <[1000]>",
      });
    });
  }
  return findings;
};
