import type { InputDefinition, Task } from "../pack/index.ts";
import { type Finding, IncipitError, toHint } from "../text/index.ts";

/** The inputs of a run by name, as checked against the task. */
export type Inputs = ReadonlyMap<string, string | readonly string[]>;

/** The inputs of a run as a caller gives them. */
export interface GivenInputs {
  readonly [name: string]: string | readonly string[] | undefined;
}

function problem(code: string, path: string, message: string, hint: string): Finding {
  return { code, severity: "error", message, path, hint };
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function checkText(text: string, path: string, maxLength: number): Finding[] {
  const name = path.slice(1);
  // A text has at least half as many code points as UTF-16 units, so most need no count.
  const length = text.length > maxLength ? countCodePoints(text) : text.length;
  if (length > maxLength) {
    const message = `The input "${name}" has ${length} characters; at most ${maxLength} are allowed.`;
    return [problem("prompt_input_too_long", path, message, "shorten or split it")];
  }
  if (/\p{Surrogate}/u.test(text)) {
    const message = `The input "${name}" is not well-formed text: it has half a surrogate pair.`;
    return [problem("prompt_input_not_text", path, message, "give text that was decoded whole")];
  }
  if (text.includes("\0")) {
    const message = `The input "${name}" is not text: it has a NUL character.`;
    return [problem("prompt_input_not_text", path, message, "give a text, not a binary file")];
  }
  return [];
}

function checkInput(definition: InputDefinition, value: unknown): Finding[] {
  const path = `/${definition.name}`;
  if (definition.kind === "text") {
    if (typeof value === "string") return checkText(value, path, definition.maxLength);
    const message = `The input "${definition.name}" is a text, not ${typeof value}.`;
    return [problem("prompt_input_type", path, message, "give a string")];
  }
  if (definition.kind === "fragment") {
    if (typeof value === "string" && definition.choices.has(value)) return [];
    const known = [...definition.choices.keys()];
    const said = typeof value === "string" ? `"${value.slice(0, 40)}"` : typeof value;
    const message = `The input "${definition.name}" cannot be ${said}.`;
    const hint = typeof value === "string" ? toHint(value.slice(0, 40), known) : toHint("", known);
    return [problem("prompt_input_choice", path, message, hint)];
  }
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) {
    const message = `The input "${definition.name}" is a list of texts.`;
    return [problem("prompt_input_type", path, message, "give an array of strings")];
  }
  if (value.length > definition.maxItems) {
    const message = `The input "${definition.name}" has ${value.length} items; at most ${definition.maxItems} are allowed.`;
    return [problem("prompt_input_too_many", path, message, "leave some out")];
  }
  return value.flatMap((item, index) => checkText(item, `${path}/${index}`, definition.maxLength));
}

/** Checks what a caller gave against the task, collecting findings; `inputs` is null on errors. */
export function tryCheckInputs(
  task: Task,
  given: GivenInputs,
): { readonly inputs: Inputs | null; readonly findings: readonly Finding[] } {
  if (typeof given !== "object" || given === null) {
    const message = `The inputs of "${task.ref}" are an object, not ${given === null ? "null" : typeof given}.`;
    const finding = problem("prompt_input_type", "", message, "give { name: text }");
    return { inputs: null, findings: [finding] };
  }
  const findings: Finding[] = [];
  const inputs = new Map<string, string | readonly string[]>();
  const names = task.inputs.map((definition) => definition.name);
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    const message = `"${name}" is not an input of "${task.ref}".`;
    findings.push(problem("prompt_unknown_input", `/${name}`, message, toHint(name, names)));
  }
  for (const definition of task.inputs) {
    const value = Object.hasOwn(given, definition.name) ? given[definition.name] : undefined;
    if (value === undefined) {
      if (definition.optional) continue;
      const message = `The input "${definition.name}" of "${task.ref}" is missing.`;
      const hint = definition.description === "" ? "give it" : definition.description;
      findings.push(problem("prompt_missing_input", `/${definition.name}`, message, hint));
      continue;
    }
    const problems = checkInput(definition, value);
    findings.push(...problems);
    if (problems.length > 0) continue;
    // A copy: what the caller does with its array later does not reach the run.
    inputs.set(definition.name, typeof value === "string" ? value : Object.freeze([...value]));
  }
  return { inputs: findings.length > 0 ? null : inputs, findings };
}

/** Checks what a caller gave; throws the first problem under its code, with all findings. */
export function checkInputs(task: Task, given: GivenInputs): Inputs {
  const { inputs, findings } = tryCheckInputs(task, given);
  if (inputs !== null) return inputs;
  const [first] = findings;
  throw new IncipitError(
    first?.code ?? "prompt_input_type",
    first?.message ?? "The inputs do not fit the task.",
    { hint: first?.hint, findings },
  );
}
