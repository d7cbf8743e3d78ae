import type { Finding } from "../../text/index.ts";
import { toAppliedBounds } from "../bounds.ts";
import { foldBody } from "../fold-body.ts";
import { quoteName } from "../quote-name.ts";
import { type Check, toPlace } from "./check.ts";
import { findDirectlyEmpty, toLeftmost } from "./leftmost.ts";

/**
 * A repetition without bound repeats what is directly empty, such as `"a"**`. Harmless in meaning,
 * but llama.cpp writes it out as a left-recursive rule and refuses it.
 */
export const nullableRepetition: Check = ({ grammar }) => {
  const findings: Finding[] = [];
  const combine = toLeftmost("engine", findDirectlyEmpty(grammar));
  for (const rule of grammar.rules) {
    foldBody<ReturnType<typeof combine>>(rule.body, (node, values) => {
      if (
        node.kind === "repetition" &&
        toAppliedBounds(node).max === null &&
        values[0]?.passes === true
      ) {
        findings.push({
          code: "grammar_nullable_repetition",
          severity: "error",
          message: `This repetition in rule ${quoteName(rule.name)} repeats what may be empty.`,
          ...toPlace(node),
          hint: "let the repeated part match one character at least",
        });
      }
      return combine(node, values);
    });
  }
  return findings;
};
