import type { Finding } from "../../text/index.ts";
import type { BodyNode } from "../ast.ts";
import { toAppliedBounds } from "../bounds.ts";
import { toCharacters } from "../characters.ts";
import { foldBody } from "../fold-body.ts";
import { quoteName } from "../quote-name.ts";
import { growRuleSet, toComponents } from "../rule-graph.ts";
import { type Check, toNamePlace, toPlace } from "./check.ts";

/**
 * White space may go on without end, which a model does until it is cut at the token limit: a
 * repetition without bound, or a recursive rule, of nothing but blanks and line breaks.
 */
export const unboundedWhiteSpace: Check = ({ grammar, table, references, reachable }) => {
  const other = growRuleSet(grammar, (node, values, isOther) => readsOther(node, values, isOther));
  const any = growRuleSet(grammar, (node, values, isAny) =>
    node.kind === "rule-reference" ? isAny(node.name) : isTerminal(node) || values.includes(true),
  );
  const findings: Finding[] = [];
  const warn = (name: string, place: Pick<Finding, "span">): void => {
    findings.push({
      code: "grammar_unbounded_white_space",
      severity: "warning",
      message: `White space in rule ${quoteName(name)} has no bound.`,
      ...place,
      hint: 'allow little: " "? or [ \\t\\n]{0,20}',
    });
  };
  for (const name of reachable) {
    const rule = table.get(name);
    if (rule === undefined) continue;
    foldBody<Reading>(rule.body, (node, children) => {
      const reads: Reading = {
        other: readsOther(
          node,
          children.map((child) => child.other),
          (of) => other.has(of),
        ),
        any:
          node.kind === "rule-reference"
            ? any.has(node.name)
            : isTerminal(node) || children.some((child) => child.any),
      };
      const isUnbounded = node.kind === "repetition" && toAppliedBounds(node).max === null;
      if (isUnbounded && reads.any && !reads.other) warn(name, toPlace(node));
      return reads;
    });
  }
  for (const component of toComponents(references)) {
    const [name = ""] = component;
    const isRecursive = component.length > 1 || references.get(name)?.has(name) === true;
    const isBlank = any.has(name) && component.every((member) => !other.has(member));
    if (isRecursive && isBlank && reachable.has(name)) warn(name, toNamePlace(table.get(name)));
  }
  return findings;
};

interface Reading {
  /** May read a character that is no white space. */
  readonly other: boolean;
  /** May read a character. */
  readonly any: boolean;
}

const whiteSpace = [0x20, 0x09, 0x0a, 0x0d];

function isTerminal(node: BodyNode): boolean {
  return (
    node.kind === "literal" ||
    node.kind === "token" ||
    node.kind === "character-class" ||
    node.kind === "any-character"
  );
}

/** Whether a node may read a character that is no white space, or a token. */
function readsOther(
  node: BodyNode,
  values: readonly boolean[],
  isOther: (name: string) => boolean,
): boolean {
  switch (node.kind) {
    case "literal":
      return !node.codePoints.every((codePoint) => whiteSpace.includes(codePoint));
    case "character-class":
    case "any-character":
      return !toCharacters(node)?.every(
        ([from, to]) => to - from < 2 && whiteSpace.includes(from) && whiteSpace.includes(to),
      );
    case "rule-reference":
      return isOther(node.name);
    case "token":
      return true;
    default:
      return values.includes(true);
  }
}
