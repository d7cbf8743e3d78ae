import type { CheckedOutput } from "../contract.ts";
import { readJson } from "./json-reader.ts";

/** The most shortened texts that are tried. */
const maxTries = 64;

/**
 * Mends an array that was cut: its whole items, closed, as many as pass the check. Null when the
 * text is no cut array or no whole item is left: an empty array would claim that there was nothing
 * to write.
 */
export function repairArray(text: string, check: (text: string) => CheckedOutput): string | null {
  if (check(text).kind === "accepted") return text;
  const read = readJson(text);
  if (read.kind !== "unreadable" || read.cutAfter === null) return null;
  for (const end of read.cutAfter.slice(-maxTries).reverse()) {
    const shortened = `${text.slice(0, end)}]`;
    if (check(shortened).kind === "accepted") return shortened;
  }
  return null;
}
