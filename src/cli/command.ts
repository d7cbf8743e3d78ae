import type { Terminal } from "./terminal.ts";

/** A flag of a command. */
export interface OptionDefinition {
  /** As commander reads it: `--seed <n>`, `--json`. */
  readonly flags: string;
  readonly description: string;
  /** May stand several times; its value is the list of what was given. */
  readonly repeatable?: boolean;
}

/** An argument of a command. */
interface ArgumentDefinition {
  /** As commander reads it: `<task>`, `[model]`, `<id...>`. */
  readonly name: string;
  readonly description: string;
}

/** The values of a command's flags by their names in camel case. */
export interface OptionValues {
  readonly [name: string]: string | boolean | readonly string[] | undefined;
}

/** One call of a command. */
export interface CommandCall {
  /** In order; those that were left out are not there. */
  readonly arguments: readonly string[];
  readonly options: OptionValues;
  readonly terminal: Terminal;
}

/** A command as data, and the function that performs it and gives the exit code. */
export interface CommandDefinition {
  /** One word, or a group and a word: `model pull`. */
  readonly name: string;
  /** One sentence without a full stop. */
  readonly summary: string;
  readonly arguments: readonly ArgumentDefinition[];
  readonly options: readonly OptionDefinition[];
  /** Whole command lines with what they do. */
  readonly examples: readonly { readonly line: string; readonly does: string }[];
  readonly run: (call: CommandCall) => Promise<number>;
}

/** The flag that every command has. */
export const jsonOption: OptionDefinition = {
  flags: "--json",
  description: "print JSON on stdout; errors are JSON on stderr",
};
