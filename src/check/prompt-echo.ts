import type { Finding } from "../text/index.ts";

/**
 * How many words in a row an answer may share with the prompt. Harmless texts share four at most
 * with a long prompt; single sentences of a prompt that leak have eight or more.
 */
const longestShared = 7;

function toWords(text: string): string[] {
  return text
    .replace(/\\[nrtbf]/g, " ")
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "");
}

function toRuns(text: string): Set<string> {
  const words = toWords(text);
  const runs = new Set<string>();
  for (let at = 0; at + longestShared < words.length; at += 1) {
    runs.add(words.slice(at, at + longestShared + 1).join(" "));
  }
  return runs;
}

/**
 * Whether an output recites the prompt: eight words in a row of its own texts that no input holds.
 * A paraphrase or a translation is not found.
 */
export function findPromptEcho(
  output: string,
  promptTexts: readonly string[],
  inputTexts: readonly string[],
): Finding[] {
  const said = new Set(inputTexts.flatMap((text) => [...toRuns(text)]));
  const own = new Set(promptTexts.flatMap((text) => [...toRuns(text)]));
  const shared = [...toRuns(output)].find((run) => own.has(run) && !said.has(run));
  if (shared === undefined) return [];
  return [
    {
      code: "check_prompt_echo",
      severity: "error",
      message: `The output recites the prompt: "${shared}".`,
      path: "",
      hint: "write about the text, not about the instructions",
    },
  ];
}
