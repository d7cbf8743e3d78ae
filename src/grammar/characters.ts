import type { CharacterRange, Item } from "./ast.ts";

const last = 0x10ffff;

/** The ranges of every character a text can hold; a surrogate alone is none. */
const everyCharacter: readonly CharacterRange[] = [
  [0, 0xd7ff],
  [0xe000, last],
];

/**
 * The characters an item matches first, or at all where it matches one: sorted ranges that do not
 * touch, without surrogates and numbers above U+10FFFF. Null where the item is no terminal.
 */
export function toCharacters(item: Item): readonly CharacterRange[] | null {
  switch (item.kind) {
    case "any-character":
      return everyCharacter;
    case "literal": {
      const first = item.codePoints[0] ?? 0;
      return toTextCharacters([[first, first]]);
    }
    case "character-class":
      return toTextCharacters(
        item.negated ? toComplement(toSortedRanges(item.ranges)) : item.ranges,
      );
    default:
      return null;
  }
}

/** Whether a text can hold a code point. */
export function isTextCharacter(codePoint: number): boolean {
  return codePoint < 0xd800 || (codePoint > 0xdfff && codePoint <= last);
}

/** Ranges without what no text holds, sorted, not touching. */
function toTextCharacters(ranges: readonly CharacterRange[]): readonly CharacterRange[] {
  const kept = ranges.flatMap(([from, to]) =>
    everyCharacter.flatMap(([first, final]): CharacterRange[] => {
      const range: CharacterRange = [Math.max(from, first), Math.min(to, final)];
      return range[0] <= range[1] ? [range] : [];
    }),
  );
  return toSortedRanges(kept);
}

/** The same code points in sorted ranges that do not touch. */
function toSortedRanges(ranges: readonly CharacterRange[]): readonly CharacterRange[] {
  const sorted = ranges.filter(([from, to]) => from <= to).sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [from, to] of sorted) {
    const previous = merged.at(-1);
    if (previous !== undefined && from <= previous[1] + 1) {
      previous[1] = Math.max(previous[1], to);
    } else {
      merged.push([from, to]);
    }
  }
  return merged;
}

function toComplement(sorted: readonly CharacterRange[]): readonly CharacterRange[] {
  const gaps: CharacterRange[] = [];
  let next = 0;
  for (const [from, to] of sorted) {
    if (from > next) gaps.push([next, from - 1]);
    next = to + 1;
  }
  return next <= last ? [...gaps, [next, last]] : gaps;
}
