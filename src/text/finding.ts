import type { SourceSpan } from "./source.ts";

export type Severity = "error" | "warning" | "info";

/** A problem as data. Every code has a row in `docs/findings.md`. */
export interface Finding {
  /** snake_case, room first: `grammar_undefined_rule`. */
  readonly code: string;
  readonly severity: Severity;
  /** One sentence: the offender quoted, what was expected. */
  readonly message: string;
  /** Where in a source file. */
  readonly span?: SourceSpan;
  /** Where in an output or an input: a JSON Pointer (RFC 6901), `""` for the whole. */
  readonly path?: string;
  /** How to mend it. */
  readonly hint?: string;
  readonly related?: readonly Finding[];
}

/** Whether any finding is an error. */
export function hasError(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === "error");
}
