/** A stretch of code points, both ends included. */
export type CodePointRange = readonly [first: number, last: number];

/** A set of code points: ranges in ascending order that neither overlap nor touch. */
export type CodePointSet = readonly CodePointRange[];

const lastCodePoint = 0x10ffff;

/** Every code point but the surrogates: what well-formed text is made of. */
export const scalarValues: CodePointSet = [
  [0, 0xd7ff],
  [0xe000, lastCodePoint],
];

/** The set of all code points in some ranges, which may overlap and come in any order. */
export function toCodePointSet(ranges: Iterable<CodePointRange>): CodePointSet {
  const sorted = [...ranges].filter(([a, b]) => a <= b).sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [first, last] of sorted) {
    const previous = merged.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) {
      previous[1] = Math.max(previous[1], last);
    } else merged.push([first, last]);
  }
  return merged;
}

/** The code points of a text as a set. */
export function setOfText(text: string): CodePointSet {
  return toCodePointSet([...text].map((character) => range(character.codePointAt(0) ?? 0)));
}

function range(point: number): CodePointRange {
  return [point, point];
}

/** Every code point that is not in the set, surrogates included. */
export function complement(set: CodePointSet): CodePointSet {
  const result: CodePointRange[] = [];
  let next = 0;
  for (const [first, last] of set) {
    if (first > next) result.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= lastCodePoint) result.push([next, lastCodePoint]);
  return result;
}

/** The code points that are in both sets. */
export function intersect(a: CodePointSet, b: CodePointSet): CodePointSet {
  const result: CodePointRange[] = [];
  let i = 0;
  let j = 0;
  for (let x = a[i], y = b[j]; x !== undefined && y !== undefined; x = a[i], y = b[j]) {
    const first = Math.max(x[0], y[0]);
    const last = Math.min(x[1], y[1]);
    if (first <= last) result.push([first, last]);
    if (x[1] < y[1]) i += 1;
    else j += 1;
  }
  return result;
}

/** The code points of the first set that are not in the second. */
export function subtract(a: CodePointSet, b: CodePointSet): CodePointSet {
  return intersect(a, complement(b));
}

export function hasCodePoint(set: CodePointSet, point: number): boolean {
  return set.some(([first, last]) => first <= point && point <= last);
}

/** A text that two sets share exactly when they are equal. */
export function toSetKey(set: CodePointSet): string {
  return set.map(([first, last]) => `${first}-${last}`).join(",");
}
