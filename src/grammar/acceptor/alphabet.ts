import type { CharacterRange } from "../ast.ts";

/** The class that stands for the end of the text. */
export const endOfText = 0;

/**
 * A partition of the characters: two characters that no terminal of a grammar tells apart are in
 * one class, a number from 1.
 */
export interface Alphabet {
  readonly size: number;
  toClass(codePoint: number): number;
}

/** A set of classes. Sets with the same members are the same object. */
export interface ClassSet {
  readonly id: number;
  readonly words: Uint32Array;
}

/** Makes the alphabet that the ranges of a grammar's terminals call for. */
export function createAlphabet(ranges: Iterable<CharacterRange>): Alphabet {
  const cuts = new Set<number>([0]);
  for (const [from, to] of ranges) cuts.add(from).add(to + 1);
  const starts = Uint32Array.from(cuts).sort();
  const search = (codePoint: number): number => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= codePoint) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const common = Uint32Array.from({ length: 0x300 }, (_, codePoint) => search(codePoint));
  return {
    size: starts.length + 1,
    toClass: (codePoint) => common[codePoint] ?? search(codePoint),
  };
}

/** Whether a class is in a set. */
export function hasClass(set: ClassSet, index: number): boolean {
  return ((set.words[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0;
}

/** Makes sets of classes and keeps them apart. */
export interface ClassSets {
  readonly empty: ClassSet;
  /** The classes of ranges, which are not cut by a class. */
  ofRanges(ranges: readonly CharacterRange[]): ClassSet;
  ofClass(index: number): ClassSet;
  union(a: ClassSet, b: ClassSet): ClassSet;
}

/** Makes the sets over an alphabet. */
export function createClassSets(alphabet: Alphabet): ClassSets {
  const known = new Map<string, ClassSet>();
  const unions = new Map<number, ClassSet>();
  const length = (alphabet.size + 31) >>> 5;
  const intern = (words: Uint32Array): ClassSet => {
    const key = words.join();
    const found = known.get(key);
    if (found !== undefined) return found;
    const set: ClassSet = { id: known.size, words };
    known.set(key, set);
    return set;
  };
  const of = (from: number, to: number, words: Uint32Array): Uint32Array => {
    for (let index = from; index <= to; index += 1) {
      words[index >>> 5] = (words[index >>> 5] ?? 0) | (1 << (index & 31));
    }
    return words;
  };
  const empty = intern(new Uint32Array(length));
  return {
    empty,
    ofRanges(ranges) {
      const words = new Uint32Array(length);
      for (const [from, to] of ranges) of(alphabet.toClass(from), alphabet.toClass(to), words);
      return intern(words);
    },
    ofClass: (index) => intern(of(index, index, new Uint32Array(length))),
    union(a, b) {
      if (a === b || b === empty) return a;
      if (a === empty) return b;
      const key = Math.min(a.id, b.id) * 0x4000000 + Math.max(a.id, b.id);
      let union = unions.get(key);
      if (union === undefined) {
        union = intern(a.words.map((word, index) => word | (b.words[index] ?? 0)));
        unions.set(key, union);
      }
      return union;
    },
  };
}
