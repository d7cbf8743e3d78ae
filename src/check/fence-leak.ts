import { type Finding, toSkeleton } from "../text/index.ts";

/**
 * Whether an output holds a piece of the prompt's own fences, given as `label-nonce`: the nonce
 * is not in the fenced text, so it can only have come from the prompt.
 */
export function findFenceLeak(text: string, fences: readonly string[]): Finding[] {
  const skeleton = toSkeleton(text);
  return fences
    .filter((fence) => skeleton.includes(fence.slice(fence.lastIndexOf("-") + 1)))
    .map((fence) => ({
      code: "check_fence_leak",
      severity: "error",
      message: `The output repeats the marker "${fence}" of the prompt.`,
      path: "",
      hint: "leave the marker lines out",
    }));
}
