import type { Finding } from "../../text/index.ts";
import { type Grammar, toRuleTable } from "../ast.ts";
import { findNullableRules } from "../nullable.ts";
import { findReachable, toReferenceGraph } from "../rule-graph.ts";
import type { Check, CheckContext } from "./check.ts";
import { duplicateRule } from "./duplicate-rule.ts";
import { leftRecursion } from "./left-recursion.ts";
import { missingRoot } from "./missing-root.ts";
import { nonProductiveRule } from "./non-productive-rule.ts";
import { nullableRepetition } from "./nullable-repetition.ts";
import { repetitionLimit } from "./repetition-limit.ts";
import { tokenText } from "./token-text.ts";
import { unboundedWhiteSpace } from "./unbounded-white-space.ts";
import { undefinedRule } from "./undefined-rule.ts";
import { unreachableRule } from "./unreachable-rule.ts";

/** Every check, in the order in which findings are given. */
export const grammarChecks: readonly Check[] = [
  missingRoot,
  undefinedRule,
  duplicateRule,
  unreachableRule,
  leftRecursion,
  nullableRepetition,
  repetitionLimit,
  tokenText,
  nonProductiveRule,
  unboundedWhiteSpace,
];

export interface AnalyzeOptions {
  /** Name of the start rule; `root` when left out. */
  readonly root?: string;
  /** The checks to make; all when left out. */
  readonly checks?: readonly Check[];
}

/**
 * Looks at a grammar as a whole. Errors are what llama.cpp 0.4 refuses or does not survive, and a
 * grammar that matches no finished text; the rest are warnings.
 */
export function analyzeGrammar(grammar: Grammar, options: AnalyzeOptions = {}): readonly Finding[] {
  const { root = "root", checks = grammarChecks } = options;
  const references = toReferenceGraph(grammar);
  const context: CheckContext = {
    grammar,
    root,
    table: toRuleTable(grammar),
    references,
    reachable: findReachable(references, root),
    nullable: findNullableRules(grammar),
  };
  return checks.flatMap((check) => check(context));
}
