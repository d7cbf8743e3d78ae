import type { Finding } from "./finding.ts";

const brand = Symbol.for("incipit.error");

export interface FailureOptions {
  /** How to mend it, one sentence. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
  readonly findings?: readonly Finding[] | undefined;
}

/**
 * The one error class of Incipit: a stable code, one sentence, and a hint where there is a mend.
 * Branded, so `IncipitError.isInstance` works across copies of the package.
 */
export class IncipitError extends Error {
  override readonly name = "IncipitError";
  /** snake_case, room first. Every code has a row in `docs/findings.md`. */
  readonly code: string;
  readonly hint: string | undefined;
  readonly findings: readonly Finding[];

  constructor(code: string, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.findings = options.findings ?? [];
    Object.defineProperty(this, brand, { value: true });
  }

  static isInstance(value: unknown): value is IncipitError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
