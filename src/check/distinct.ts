import type { Json } from "../text/index.ts";
import type { Fault } from "./check.ts";
import { toTexts } from "./texts.ts";

/** No two texts of a list say the same but for case, outer white space and a final full stop. */
export function checkDistinct(part: Json): readonly Fault[] | null {
  const texts = Array.isArray(part) ? toTexts(part) : null;
  if (texts === null) return null;
  const first = new Map<string, number>();
  return texts.flatMap(({ text }, item): Fault[] => {
    const key = toComparable(text);
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, item);
      return [];
    }
    const message = `Items ${earlier + 1} and ${item + 1} say the same.`;
    return [{ item, message, hint: "write each item once, and a different one instead" }];
  });
}

/** Upper case before lower case, because only upper case makes `ß` and `SS` alike. */
function toComparable(text: string): string {
  const folded = text.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
  return folded
    .trim()
    .replace(/[.。．]$/u, "")
    .trimEnd();
}
