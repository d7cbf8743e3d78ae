import type { Finding } from "../../text/index.ts";
import type { Grammar, Rule } from "../ast.ts";
import type { RuleGraph } from "../rule-graph.ts";

/** What every check is given: the grammar and what is computed of it once. */
export interface CheckContext {
  readonly grammar: Grammar;
  /** The name of the start rule. */
  readonly root: string;
  /** The rules in force by name: of two with one name the later. */
  readonly table: ReadonlyMap<string, Rule>;
  readonly references: RuleGraph;
  /** Names of rules that can be reached from the start rule, itself included. */
  readonly reachable: ReadonlySet<string>;
  /** Names of rules that match the empty text. */
  readonly nullable: ReadonlySet<string>;
}

/**
 * One check of a grammar. An error is what llama.cpp refuses or does not survive, and a grammar
 * without any finished text; what loads but cannot be meant is a warning.
 */
export type Check = (context: CheckContext) => readonly Finding[];

/** The span of a node as a member of a finding; nodes made by code have none. */
export function toPlace(node: { readonly span?: Finding["span"] }): Pick<Finding, "span"> {
  return node.span === undefined ? {} : { span: node.span };
}

/** The span of a rule's name as a member of a finding. */
export function toNamePlace(rule: Rule | undefined): Pick<Finding, "span"> {
  return rule?.nameSpan === undefined ? {} : { span: rule.nameSpan };
}
