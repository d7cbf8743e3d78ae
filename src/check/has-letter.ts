import type { Json } from "../text/index.ts";
import type { Fault } from "./check.ts";

/** A text has a letter, of any script. */
export function checkHasLetter(part: Json): readonly Fault[] | null {
  if (typeof part !== "string") return null;
  if (/\p{L}/u.test(part)) return [];
  const message = `${JSON.stringify(part.slice(0, 40))} has no letter.`;
  return [{ item: null, message, hint: "use words, not only digits or signs" }];
}
