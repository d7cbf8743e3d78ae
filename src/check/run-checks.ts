import { getAt } from "../contract/index.ts";
import type { Finding, Json } from "../text/index.ts";
import type { Check, CheckName, Rule } from "./check.ts";
import { checkDistinct } from "./distinct.ts";
import { checkHasLetter } from "./has-letter.ts";
import { checkNotBlank } from "./not-blank.ts";
import { checkSingleLine } from "./single-line.ts";

/** What checks look at. */
export interface Judged {
  /** A value that its contract has accepted. */
  readonly value: Json;
  /** The inputs of the run by name. */
  readonly inputs: Readonly<Record<string, Json>>;
}

const rules: Readonly<Record<CheckName, { readonly code: string; readonly rule: Rule }>> = {
  hasLetter: { code: "check_has_letter", rule: checkHasLetter },
  notBlank: { code: "check_not_blank", rule: checkNotBlank },
  singleLine: { code: "check_single_line", rule: checkSingleLine },
  distinct: { code: "check_distinct", rule: checkDistinct },
};

/** Judges a value beyond its shape; without findings it passes. */
export function runChecks(checks: readonly Check[], { value }: Judged): readonly Finding[] {
  return checks.flatMap(({ kind, at }): readonly Finding[] => {
    const { code, rule } = rules[kind];
    const part = getAt(value, at);
    const faults = part === undefined ? null : rule(part);
    if (faults === null) {
      const found = part === undefined ? "nothing" : nameKind(part);
      const message = `"${kind}" cannot judge ${found} at "${at}".`;
      const hint = "point the check at a text or a list of texts";
      return [{ code: "check_not_applicable", severity: "error", message, path: at, hint }];
    }
    return faults.map(({ item, message, hint }) => {
      const path = item === null ? at : `${at}/${item}`;
      return { code, severity: "error", message, path, hint };
    });
  });
}

function nameKind(part: Json): string {
  if (part === null) return "null";
  if (Array.isArray(part)) return "a list of other values than texts";
  return typeof part === "object" ? "an object" : `a ${typeof part}`;
}
