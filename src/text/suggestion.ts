/** Levenshtein distance in UTF-16 units, or `limit + 1` as soon as it is larger than `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= b.length; column += 1) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      const value = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + cost,
      );
      current.push(value);
      best = Math.min(best, value);
    }
    if (best > limit) return limit + 1;
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** The known names nearest to a wrong one, best first; empty when none is near. */
export function suggest(wrong: string, known: Iterable<string>, most = 3): string[] {
  const limit = Math.floor(wrong.length * 0.4) + 1;
  const lower = wrong.toLowerCase();
  return [...known]
    .map((name) => ({ name, distance: editDistance(lower, name.toLowerCase(), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

/** `did you mean "a" or "b"?`, or `known: …` when nothing is near, as a hint. */
export function toHint(wrong: string, known: Iterable<string>): string {
  const names = [...known];
  const near = suggest(wrong, names).map((name) => `"${name}"`);
  if (near.length > 0) return `did you mean ${near.join(" or ")}?`;
  if (names.length === 0) return "there are none";
  const shown = names.slice(0, 12).join(", ");
  return `known: ${shown}${names.length > 12 ? ", …" : ""}`;
}
