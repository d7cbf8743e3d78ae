/**
 * The letters of a text as a reader might run them together: compatibility forms, without case,
 * accents, digits, spacing, modifier letters and what is invisible. Letters of other alphabets that
 * only look alike stay what they are.
 */
export function toSkeleton(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/ı/g, "i")
    .replace(/[^\p{L}]|\p{Lm}|\p{Default_Ignorable_Code_Point}/gu, "");
}
