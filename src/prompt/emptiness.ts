import type { Language, Pack, Task } from "../pack/index.ts";
import type { Inputs } from "./inputs.ts";

function isFillerOnly(words: readonly string[], language: Language): boolean {
  const fillers = language.fillers.map((filler) => filler.split(/\s+/));
  let at = 0;
  while (at < words.length) {
    const found = fillers
      .filter((filler) => filler.every((word, offset) => words[at + offset] === word))
      .reduce((longest, filler) => Math.max(longest, filler.length), 0);
    if (found === 0) return false;
    at += found;
  }
  return true;
}

/**
 * Whether a text says nothing: no letter, digit or symbol in it, or in one of the pack's languages
 * nothing but fillers. Fillers of two languages are never mixed.
 */
export function isEmptyText(text: string, languages: Iterable<Language>): boolean {
  if (!/[\p{L}\p{N}\p{S}]/u.test(text)) return true;
  if (text.length > 400 || /[\p{N}\p{S}]/u.test(text)) return false;
  const words = text
    .normalize("NFC")
    .toLowerCase()
    .split(/[^\p{L}\p{M}'’]+/u)
    .filter((word) => word !== "");
  return [...languages].some((language) => isFillerOnly(words, language));
}

/** Whether every required text input of a task says nothing. */
export function areInputsEmpty(pack: Pack, task: Task, inputs: Inputs): boolean {
  const texts = task.inputs.filter((input) => input.kind === "text" && !input.optional);
  const languages = [...pack.languages.values()];
  return (
    texts.length > 0 &&
    texts.every(({ name }) => isEmptyText(String(inputs.get(name) ?? ""), languages))
  );
}
