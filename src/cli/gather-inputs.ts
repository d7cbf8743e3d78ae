import type { InputDefinition, Task } from "../pack/index.ts";
import type { GivenInputs } from "../prompt/index.ts";
import { IncipitError } from "../text/index.ts";
import { readPipedText, readTextFile } from "./read-input.ts";
import type { Terminal } from "./terminal.ts";

/** What the flags say about a task's inputs. */
export interface InputFlags {
  /** Paths for the main input, each for a run of its own; `-` is the piped input. */
  readonly files: readonly string[];
  /** `name=value` or `name=@file`. */
  readonly inputs: readonly string[];
}

/** The inputs of one run. */
export interface GatheredInputs {
  /** The path that the main input was read from; null where it was not a `--file`. */
  readonly file: string | null;
  readonly given: GivenInputs;
}

/** The main input of a task: its only required text; undefined where it has none or several. */
function findMainInput(task: Task): InputDefinition | undefined {
  const texts = task.inputs.filter((input) => input.kind === "text" && !input.optional);
  return texts.length === 1 ? texts[0] : undefined;
}

async function readValue(value: string, terminal: Terminal): Promise<string> {
  if (value.startsWith("@@")) return value.slice(1);
  if (!value.startsWith("@")) return value;
  const path = value.slice(1);
  return path === "-" ? readPiped(terminal) : readTextFile(path, terminal);
}

/** How often the flags ask for the piped text, which can be read only once. */
function countPiped({ files, inputs }: InputFlags): number {
  const named = inputs.filter((flag) => flag.slice(flag.indexOf("=") + 1) === "@-");
  return files.filter((file) => file === "-").length + named.length;
}

async function readPiped(terminal: Terminal): Promise<string> {
  const text = await readPipedText(terminal);
  if (text !== null) return text;
  throw new IncipitError("cli_nothing_piped", "Nothing is piped in to be read.", {
    hint: "pipe a text, as in `incipit run pack/task < note.txt`, or give --file",
  });
}

function toItems(text: string): string[] {
  return text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "");
}

/** Reads the `--input` flags; a list takes several, and its file has one item a line. */
async function readInputFlags(
  task: Task,
  flags: readonly string[],
  terminal: Terminal,
): Promise<Map<string, string | readonly string[]>> {
  const given = new Map<string, string | readonly string[]>();
  for (const flag of flags) {
    const equals = flag.indexOf("=");
    if (equals < 1) {
      throw new IncipitError("cli_bad_input", `"--input ${flag}" is not name=value.`, {
        hint: `write it as in \`--input ${task.inputs[0]?.name ?? "text"}=…\``,
      });
    }
    const name = flag.slice(0, equals);
    const value = flag.slice(equals + 1);
    const definition = task.inputs.find((input) => input.name === name);
    if (definition?.kind === "list") {
      const isFile = value.startsWith("@") && !value.startsWith("@@");
      const text = await readValue(value, terminal);
      const items = isFile ? toItems(text) : [text];
      given.set(name, [...(given.get(name) ?? []), ...items]);
      continue;
    }
    if (given.has(name)) throw givenTwice(name);
    given.set(name, definition?.kind === "text" ? await readValue(value, terminal) : value);
  }
  return given;
}

function givenTwice(name: string): IncipitError {
  return new IncipitError("cli_repeated_input", `The input "${name}" is given twice.`, {
    hint: "give it once: with --file, with --input, or piped",
  });
}

function pipedTwice(): IncipitError {
  const message = "The piped text is asked for more than once, and can be read once.";
  return new IncipitError("cli_repeated_input", message, {
    hint: "give the others as files, as in `--input name=@file`",
  });
}

/**
 * Gathers the inputs of a task from its flags and the piped text, for one run per `--file`. What is
 * piped is read only when it is asked for with `-`, or when nothing else gives the main input.
 */
export async function gatherInputs(
  task: Task,
  flags: InputFlags,
  terminal: Terminal,
): Promise<readonly GatheredInputs[]> {
  const piped = countPiped(flags);
  if (piped > 1) throw pipedTwice();
  const given = await readInputFlags(task, flags.inputs, terminal);
  const main = findMainInput(task);
  if (flags.files.length > 0) {
    if (main === undefined) {
      const message = `"${task.ref}" has no single text that --file could be.`;
      const names = task.inputs.map(({ name }) => `--input ${name}=@…`).join(", ");
      throw new IncipitError("cli_no_main_input", message, { hint: `give ${names}` });
    }
    if (given.has(main.name)) throw givenTwice(main.name);
    const runs: GatheredInputs[] = [];
    for (const file of flags.files) {
      const text = file === "-" ? await readPiped(terminal) : await readTextFile(file, terminal);
      runs.push({ file, given: Object.fromEntries([...given, [main.name, text]]) });
    }
    return runs;
  }
  if (main !== undefined && !given.has(main.name)) {
    const text = piped > 0 ? null : await readPipedText(terminal);
    if (text === null) {
      const message = `The input "${main.name}" of "${task.ref}" is missing.`;
      const hint = `give it with --file note.txt, with --input ${main.name}=…, or pipe it`;
      throw new IncipitError("cli_missing_input", message, { hint });
    }
    given.set(main.name, text);
  }
  return [{ file: null, given: Object.fromEntries(given) }];
}
