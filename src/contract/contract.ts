import type { Digest, Finding, Json } from "../text/index.ts";

/** How a text failed or passed a contract. */
export type CheckedOutput<Value extends Json = Json> =
  | { readonly kind: "accepted"; readonly value: Value; readonly warnings: readonly Finding[] }
  | { readonly kind: "refused"; readonly findings: readonly Finding[] };

/** Something a grammar cannot carry and the checker enforces. */
export interface NotCarried {
  /** JSON Pointer into the schema. */
  readonly pointer: string;
  /** One sentence: what, and why a grammar cannot say it. */
  readonly reason: string;
}

/**
 * The definition of an acceptable output: the instructions, the JSON Schema, the grammar, the
 * checker and the type all come from one definition. Faces are computed when first asked for.
 */
export interface Contract {
  readonly kind: "json" | "text";
  /** Digest of the definition. */
  readonly digest: Digest;
  /** GBNF whose start rule is `root`, or null where every text is allowed. */
  toGrammar(): string | null;
  /** JSON Schema 2020-12 of the value. */
  toJsonSchema(): Json;
  /** Reads a finished text: the value, or findings with a JSON Pointer in `path`. */
  check(text: string): CheckedOutput;
  /**
   * Makes the best of a text that was cut at the token limit, or that repeats items of a list whose
   * items are distinct: the longest acceptable text that its whole parts give, each once, or null.
   * Never half a value.
   */
  repair(text: string): string | null;
  /** Instructions for a prompt. */
  describe(): string;
  /** TypeScript type of the value. */
  toType(): string;
  readonly notCarried: readonly NotCarried[];
}
