import type { Finding } from "../../text/index.ts";
import type { Repetition } from "../ast.ts";
import { largestBound, toAppliedBounds } from "../bounds.ts";
import { foldBody } from "../fold-body.ts";
import { type Check, toPlace } from "./check.ts";

/**
 * The bounds of a repetition are more than llama.cpp takes. Its product limit multiplies the counts
 * of chained quantifiers with the symbols that are made while the repeated group is read: one for
 * each parenthesis, for each optional copy, and for each rule name met for the first time.
 */
export const repetitionLimit: Check = ({ grammar }) => {
  const findings: Finding[] = [];
  const met = new Set<string>();
  const mention = (name: string): number => (met.has(name) ? 0 : met.add(name) && 1);
  for (const rule of grammar.rules) {
    mention(rule.name);
    foldBody<Size>(rule.body, (node, sizes) => {
      const made = sizes.reduce((sum, size) => sum + size.made, 0);
      if (node.kind === "rule-reference") return { made: mention(node.name), width: 1 };
      if (node.kind === "group") return { made: made + 1, width: made + 1 };
      if (node.kind !== "repetition") return { made, width: 1 };
      const { min, max } = toAppliedBounds(node);
      const width = (sizes[0]?.width ?? 1) * (max || min || 1);
      findings.push(...checkBounds(node, width));
      return { made: made + (max === null ? 1 : Math.max(0, max - min)), width };
    });
  }
  return findings;
};

/** Symbols made while a node was read, and what the product limit counts it for. */
interface Size {
  readonly made: number;
  readonly width: number;
}

function checkBounds(node: Repetition, width: number): readonly Finding[] {
  const { min, max } = node;
  const place = toPlace(node);
  if (min > largestBound) {
    return [
      {
        code: "grammar_repetition_limit",
        severity: "error",
        message: `A minimum of ${min} repetitions is more than the ${largestBound} allowed.`,
        ...place,
      },
    ];
  }
  if (max !== null && max < min) {
    return [
      {
        code: "grammar_reversed_bounds",
        severity: "error",
        message: `The bounds {${min},${max}} are reversed; llama.cpp does not survive them.`,
        ...place,
        hint: `write {${max},${min}}`,
      },
    ];
  }
  const findings: Finding[] = [];
  if (max !== null && max > largestBound) {
    findings.push({
      code: "grammar_bound_ignored",
      severity: "warning",
      message: `A maximum of ${max} repetitions is dropped in silence; any number matches.`,
      ...place,
      hint: `stay below ${largestBound}, or nest two repetitions through a rule`,
    });
  }
  if (width >= largestBound) {
    findings.push({
      code: "grammar_repetition_limit",
      severity: "error",
      message: `This repetition comes to ${width} copies; it must stay below ${largestBound}.`,
      ...place,
      hint: "name the repeated part as a rule, and define that before this one",
    });
  }
  return findings;
}
