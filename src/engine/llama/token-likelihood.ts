import type { Token } from "node-llama-cpp";
import type { Vocabulary } from "./vocabulary.ts";

/**
 * The logits added to a wanted token, so that it is among the candidates that come back, however
 * unlikely it is. Large enough for that, small enough that the others stay above the smallest
 * number of single precision, e^−87.
 */
const wantedBias = 32;

/** A log-likelihood below which single precision has nothing left. */
const leastLogLikelihood = -100;

/** The part of a vocabulary that comes back, and at least this many; the rest is estimated. */
const candidatePart = 24;
const fewestCandidates = 1024;

/** What to ask for so as to learn how likely a token is. */
export function candidatesFor(
  wanted: Token,
  vocabulary: Vocabulary,
): { readonly topK: number; readonly bias: number } {
  // The library takes no bias for a token that ends a text: then all probabilities come back.
  if (vocabulary.isEnd(wanted)) return { topK: vocabulary.size, bias: 0 };
  const topK = Math.max(fewestCandidates, Math.ceil(vocabulary.size / candidatePart));
  return { topK: Math.min(topK, vocabulary.size), bias: wantedBias };
}

/**
 * Log-likelihood of the wanted token, from the probabilities of the likeliest candidates among
 * which it was lifted by its bias: with p the share it got and r the share of all others, its odds
 * are p / (r · e^bias). The others that did not come back are estimated by `tailMass`.
 */
export function toLogLikelihood(
  probabilities: ReadonlyMap<Token, number>,
  wanted: Token,
  vocabulary: Vocabulary,
): number {
  const share = probabilities.get(wanted) ?? 0;
  const { bias } = candidatesFor(wanted, vocabulary);
  const others: number[] = [];
  for (const [token, probability] of probabilities) {
    if (token !== wanted) others.push(probability);
  }
  const listed = others.reduceRight((sum, one) => sum + one, 0);
  const rest = listed + tailMass(others, vocabulary.size - 1);
  if (share <= 0) return leastLogLikelihood;
  if (rest <= 0) return 0;
  // ln(odds / (1 + odds)), written so that neither a sure nor a hopeless token is rounded away.
  const logOdds = Math.log(share) - Math.log(rest) - bias;
  const exact = logOdds - Math.max(0, logOdds) - Math.log1p(Math.exp(-Math.abs(logOdds)));
  return Math.max(leastLogLikelihood, exact);
}

/**
 * Probability of all tokens that are not in a list of the likeliest ones, largest first.
 *
 * The logits of a vocabulary lie close to a normal distribution. Two ranks of the list, its last
 * and the one half way, fix its mean and its width; the mass below the last rank then has a closed
 * form, N · e^(m + s²/2) · Φ(z − s).
 */
export function tailMass(likeliest: readonly number[], size: number): number {
  const last = likeliest.length;
  const half = Math.ceil(last / 2);
  const lastProbability = likeliest[last - 1] ?? 0;
  const halfProbability = likeliest[half - 1] ?? 0;
  if (last >= size || last < 16 || lastProbability <= 0) return 0;
  const lastQuantile = normalQuantile(1 - (last - 0.5) / size);
  const halfQuantile = normalQuantile(1 - (half - 0.5) / size);
  const width = Math.log(halfProbability / lastProbability) / (halfQuantile - lastQuantile);
  const mean = Math.log(lastProbability) - width * lastQuantile;
  const cut = normalQuantile(1 - last / size);
  const mass = size * Math.exp(mean + (width * width) / 2) * normalDistribution(cut - width);
  // No token left out is likelier than the last one that came back.
  return Math.min(mass, (size - last) * lastProbability);
}

/** Share of a normal distribution below x, by Abramowitz and Stegun 7.1.26; error below 1.5e−7. */
function normalDistribution(x: number): number {
  const z = Math.abs(x) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * z);
  const polynomial =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const upper = (polynomial * Math.exp(-z * z)) / 2;
  return x >= 0 ? 1 - upper : upper;
}

/** The x below which a share p above one half lies, by Newton's method on `normalDistribution`. */
function normalQuantile(p: number): number {
  let x = Math.sqrt(-2 * Math.log(1 - p));
  for (let step = 0; step < 40; step += 1) {
    const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
    const change = (normalDistribution(x) - p) / density;
    x -= Math.max(-0.5, Math.min(0.5, change));
    if (Math.abs(change) < 1e-9) break;
  }
  return x;
}
