import type { Json } from "../text/index.ts";
import type { Fault } from "./check.ts";
import { nameText, toTexts } from "./texts.ts";

/** LF, VT, FF, CR and NEL. U+2028 and U+2029 are no line breaks to JSON, nor here. */
const lineBreak = /[\n\v\f\r\u0085]/;

/** A text, or each text of a list, stands on one line. */
export function checkSingleLine(part: Json): readonly Fault[] | null {
  const broken = toTexts(part)?.filter(({ text }) => lineBreak.test(text));
  return (
    broken?.map((placed) => {
      const message = `${nameText(placed)} has a line break.`;
      const hint =
        placed.item === null ? "write the text on one line" : "write each item on one line";
      return { item: placed.item, message, hint };
    }) ?? null
  );
}
