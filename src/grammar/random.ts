/** Numbers from 0, to 1 exclusive, that look random and follow from a seed. */
export type Random = () => number;

/** Makes the stream of numbers of a seed (SplitMix32: a counter, and a mixer over it). */
export function createRandom(seed: number): Random {
  let state = Math.trunc(seed) >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x100000000;
  };
}

/** A whole number from 0, to `count` exclusive. */
export function drawIndex(random: Random, count: number): number {
  return Math.floor(random() * count);
}
