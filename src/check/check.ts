import type { Json } from "../text/index.ts";

/** The names of the checks, as task files write them. */
export const checkNames = ["hasLetter", "notBlank", "singleLine", "distinct"] as const;

export type CheckName = (typeof checkNames)[number];

/** A rule about a value that its contract does not state. */
export interface Check {
  readonly kind: CheckName;
  /** JSON Pointer to the part of the value that is judged; `""` is the whole. */
  readonly at: string;
}

/** A fault one rule found: where, below the judged part, and what to do. */
export interface Fault {
  /** Index of the item, or null for the part itself. */
  readonly item: number | null;
  readonly message: string;
  readonly hint: string;
}

/** Judges a part of a value; null when the rule cannot be applied to it. */
export type Rule = (part: Json) => readonly Fault[] | null;
