import type { Pack, Task } from "../pack/index.ts";
import type { Inputs } from "./inputs.ts";

/** A letter, digit, symbol or emoji; keycaps such as #️⃣ are told by their mark. */
const meaningful = /[\p{L}\p{N}\p{S}\p{Extended_Pictographic}]|\u20e3/u;

/** What is no word and still says something. */
const wordless = /[\p{N}\p{S}\p{Extended_Pictographic}]|\u20e3/u;

/** The longest text that is read word by word; a longer one says something. */
const longest = 10_000;

/** A drawn-out sound is the sound: "ummm" is "um". */
function toSound(word: string): string {
  return word.replace(/(\p{L})\1+/gu, "$1");
}

function toWords(text: string): string[] {
  return text
    .normalize("NFC")
    .toLowerCase()
    .split(/[^\p{L}\p{M}'’]+/u)
    .filter((word) => word !== "")
    .map(toSound);
}

/**
 * Whether a text says nothing: no letter, digit, symbol or emoji in it, or nothing but fillers,
 * each a word or several, in any of the languages.
 */
export function isEmptyText(text: string, fillers: readonly string[]): boolean {
  if (!meaningful.test(text)) return true;
  if (text.length > longest || wordless.test(text)) return false;
  const words = toWords(text);
  const known = fillers.map(toWords);
  let at = 0;
  while (at < words.length) {
    const found = known
      .filter((filler) => filler.every((word, offset) => words[at + offset] === word))
      .reduce((most, filler) => Math.max(most, filler.length), 0);
    if (found === 0) return false;
    at += found;
  }
  return true;
}

/** Whether every required text input of a task says nothing. */
export function areInputsEmpty(pack: Pack, task: Task, inputs: Inputs): boolean {
  const texts = task.inputs.filter((input) => input.kind === "text" && !input.optional);
  const fillers = [...pack.languages.values()].flatMap((language) => language.fillers);
  return (
    texts.length > 0 &&
    texts.every(({ name }) => isEmptyText(String(inputs.get(name) ?? ""), fillers))
  );
}
