import type { Repetition } from "./ast.ts";

/** The largest bound of a repetition that llama.cpp takes as written. */
export const largestBound = 2000;

/**
 * The bounds of a repetition as llama.cpp applies them: a maximum above 2,000 is dropped in
 * silence, so that `x{0,2001}` is `x*`.
 */
export function toAppliedBounds({ min, max }: Repetition): {
  readonly min: number;
  readonly max: number | null;
} {
  return { min, max: max !== null && max > largestBound ? null : max };
}
