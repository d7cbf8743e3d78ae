import type { Command, CommanderError } from "commander";
import { IncipitError, toHint } from "../text/index.ts";

/** A command as a user types it: `incipit model pull`. */
function toPath(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${toPath(parent)} ${command.name()}`;
}

function toQuoted(message: string): string {
  return /'([^']*)'/.exec(message)?.[1] ?? "";
}

/** `--file` of `-f, --file <path>`. */
function toFlag(flags: string): string {
  return /--[a-z-]+/.exec(flags)?.[0] ?? flags;
}

function toFlags(command: Command): string[] {
  const flags = command.options.map(({ long, short }) => long ?? short ?? "");
  return [...flags, "--help"].filter((flag) => flag !== "");
}

/** The path of a command as an argument of `incipit help`. */
function toHelpHint(command: Command): string {
  return `see \`${toPath(command)} --help\``;
}

/**
 * An error of commander's parsing as ours, with a suggestion: `cli_unknown_option`,
 * `cli_unknown_command`, `cli_missing_argument`, `cli_missing_value`, `cli_too_many_arguments`.
 * What is no error, such as help that was printed, comes back as it is.
 */
export function toUsageError(
  error: CommanderError,
  command: Command,
): CommanderError | IncipitError {
  const name = toQuoted(error.message);
  const path = toPath(command);
  switch (error.code) {
    case "commander.unknownOption":
      return new IncipitError("cli_unknown_option", `"${name}" is not a flag of \`${path}\`.`, {
        hint: toHint(name, toFlags(command)),
      });
    case "commander.unknownCommand": {
      const known = command.commands.map((each) => each.name());
      return new IncipitError("cli_unknown_command", `"${name}" is not a command of \`${path}\`.`, {
        hint: toHint(name, known),
      });
    }
    case "commander.missingArgument":
      return new IncipitError("cli_missing_argument", `\`${path}\` needs <${name}>.`, {
        hint: toHelpHint(command),
      });
    case "commander.optionMissingArgument":
      return new IncipitError("cli_missing_value", `"${toFlag(name)}" needs a value.`, {
        hint: toHelpHint(command),
      });
    case "commander.excessArguments":
      return new IncipitError(
        "cli_too_many_arguments",
        `\`${path}\` was given too many arguments.`,
        {
          hint: `quote texts with spaces; ${toHelpHint(command)}`,
        },
      );
    default:
      return error;
  }
}
