import { isBlank } from "../contract/index.ts";
import type { Json } from "../text/index.ts";
import type { Fault } from "./check.ts";
import { nameText, toTexts } from "./texts.ts";

/** A text, or each text of a list, has a visible character. */
export function checkNotBlank(part: Json): readonly Fault[] | null {
  const blank = toTexts(part)?.filter(({ text }) => isBlank(text));
  return (
    blank?.map((placed) => {
      const hint =
        placed.item === null ? "write the text" : "write every item out, or leave it out";
      return { item: placed.item, message: `${nameText(placed)} is blank.`, hint };
    }) ?? null
  );
}
