import { describe, expect, it } from "vitest";
import { tailMass } from "../../../src/engine/llama/token-likelihood.ts";

/** Probabilities of `size` logits at the quantiles of a normal distribution, largest first. */
function toNormalProbabilities(size: number, width: number): readonly number[] {
  // Sums of twelve evenly spread numbers are close to normal; a fixed sequence stands in for luck.
  let state = 12_345;
  const next = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const logits = Array.from({ length: size }, () => {
    let sum = -6;
    for (let index = 0; index < 12; index += 1) sum += next();
    return sum * width;
  });
  const weights = logits.map((logit) => Math.exp(logit)).sort((one, other) => other - one);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

describe("the mass of the tokens left out", () => {
  it.each([1, 2, 3])("is close to the truth for normal logits of width %d", (width) => {
    const all = toNormalProbabilities(40_000, width);
    const listed = all.slice(0, 4_000);
    const truth = all.slice(4_000).reduce((sum, one) => sum + one, 0);
    expect(Math.abs(tailMass(listed, all.length) / truth - 1)).toBeLessThan(0.1);
  });

  it("is nothing when every token is listed", () => {
    const all = toNormalProbabilities(1_000, 2);
    expect(tailMass(all, all.length)).toBe(0);
  });

  it("is never more than if all of them were as likely as the last one listed", () => {
    const flat = Array.from({ length: 100 }, () => 0.001);
    expect(tailMass(flat, 1_000)).toBeLessThanOrEqual(0.9 + 1e-9);
    expect(Number.isFinite(tailMass(flat, 1_000))).toBe(true);
  });
});
