const longest = 60;

/** A name in quotes as a message shows it, cut when it is long. */
export function quoteName(name: string): string {
  return name.length > longest ? `"${name.slice(0, longest)}…"` : `"${name}"`;
}
