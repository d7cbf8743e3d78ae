import type { Json } from "../text/index.ts";

/** A text to judge and its place below the judged part. */
export interface PlacedText {
  /** Index of the item, or null when the part itself is the text. */
  readonly item: number | null;
  readonly text: string;
}

/** The texts of a part: itself, or its items when all are texts; null for anything else. */
export function toTexts(part: Json): readonly PlacedText[] | null {
  if (typeof part === "string") return [{ item: null, text: part }];
  if (!Array.isArray(part)) return null;
  const texts: PlacedText[] = [];
  for (const [item, text] of part.entries()) {
    if (typeof text !== "string") return null;
    texts.push({ item, text });
  }
  return texts;
}

/** What a model knows a text by, at the head of a sentence: "Item 3", or "The text". */
export function nameText({ item }: PlacedText): string {
  return item === null ? "The text" : `Item ${item + 1}`;
}
