import { Command, CommanderError, Option } from "commander";
import { IncipitError } from "../text/index.ts";
import { demoCommand } from "./command/demo.ts";
import { modelListCommand } from "./command/model-list.ts";
import { modelPullCommand } from "./command/model-pull.ts";
import { runCommand } from "./command/run.ts";
import { runsDeleteCommand } from "./command/runs-delete.ts";
import { runsListCommand } from "./command/runs-list.ts";
import { runsPruneCommand } from "./command/runs-prune.ts";
import { runsShowCommand } from "./command/runs-show.ts";
import { showCommand } from "./command/show.ts";
import type { CommandDefinition, OptionDefinition, OptionValues } from "./command.ts";
import { exitCodes } from "./exit-code.ts";
import { readPackageVersion } from "./package-version.ts";
import { printError } from "./print-error.ts";
import type { Terminal } from "./terminal.ts";
import { toUsageError } from "./usage-error.ts";

/** Every command, in the order of the help. */
export const commands: readonly CommandDefinition[] = [
  runCommand,
  showCommand,
  demoCommand,
  modelPullCommand,
  modelListCommand,
  runsListCommand,
  runsShowCommand,
  runsDeleteCommand,
  runsPruneCommand,
];

const groups: Readonly<Record<string, string>> = {
  model: "fetch and list model files",
  runs: "list, show and delete recorded runs",
};

function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

function toOption({ flags, description, repeatable }: OptionDefinition): Option {
  const option = new Option(flags, description);
  if (repeatable === true) return option.argParser(collect);
  return option.required ? option.argParser(takeOnce(flags)) : option;
}

/** Takes the value of a flag that may stand once. */
function takeOnce(flags: string): (value: string, previous: string | undefined) => string {
  const [flag, placeholder] = flags.split(" ");
  return (value, previous) => {
    if (previous !== undefined) {
      throw new IncipitError("cli_repeated_option", `"${flag}" is given more than once.`, {
        hint: `give it once, as in \`${flags}\``,
      });
    }
    if (value !== "") return value;
    throw new IncipitError("cli_bad_value", `"${flag}" is "", expected ${placeholder}.`, {
      hint: "leave it out, or give it a value",
    });
  };
}

function printExamples(examples: CommandDefinition["examples"]): string {
  const lines = examples.map(({ line, does }) => `  ${line}\n      ${does}\n`);
  return `\nExamples:\n${lines.join("")}`;
}

const environmentHelp = `
Environment:
  INCIPIT_HOME   folder of models and recorded runs; ~/.incipit when not set
  INCIPIT_MODEL  model that is used when --model is not given

Exit codes:
  0 ok · 1 findings or no acceptable output · 2 usage · 3 engine, model, store or network
  130 stopped with Ctrl-C
`;

/** What a program does with the exit code of the command that was run. */
type Finish = (exitCode: number) => void;

function addCommand(
  parent: Command,
  definition: CommandDefinition,
  terminal: Terminal,
  finish: Finish,
): void {
  const word = definition.name.split(" ").at(-1) ?? definition.name;
  const command = parent.command(word).description(definition.summary);
  for (const { name, description } of definition.arguments) command.argument(name, description);
  for (const option of definition.options) command.addOption(toOption(option));
  command.addHelpText("after", () => printExamples(definition.examples));
  command.exitOverride((error) => {
    throw toUsageError(error, command);
  });
  command.action(async () => {
    const given = command.processedArgs.flat().filter((value) => typeof value === "string");
    const options = command.opts<OptionValues>();
    finish(await definition.run({ arguments: given, options, terminal }));
  });
}

/** Assembles the program. Nothing happens until its arguments are parsed. */
function createProgram(terminal: Terminal, finish: Finish): Command {
  const program = new Command("incipit");
  const { stdout, stderr } = terminal;
  program
    .description("Run prompts under a contract: local models, typed answers, stamped and recorded.")
    .version(readPackageVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      // Errors are printed by print-error; what is left is help that nobody asked for.
      writeErr: (text) => {
        if (!text.startsWith("error:")) stderr.write(text);
      },
      outputError: () => undefined,
      getOutHelpWidth: () => Math.min(100, stdout.columns),
      getErrHelpWidth: () => Math.min(100, stderr.columns),
      getOutHasColors: () => stdout.colors.isColorSupported,
      getErrHasColors: () => stderr.colors.isColorSupported,
    })
    .configureHelp({ styleTitle: (title) => stdout.colors.bold(title) })
    .showSuggestionAfterError(false)
    .exitOverride((error) => {
      throw toUsageError(error, program);
    });
  program.addHelpText("after", () => {
    const examples = commands.slice(0, 3).flatMap((command) => command.examples.slice(0, 1));
    return `${printExamples(examples)}${environmentHelp}`;
  });
  for (const definition of commands) {
    const [head = "", word] = definition.name.split(" ");
    if (word === undefined) {
      addCommand(program, definition, terminal, finish);
      continue;
    }
    let group = program.commands.find((command) => command.name() === head);
    if (group === undefined) {
      const created = program.command(head).description(groups[head] ?? "");
      created.exitOverride((error) => {
        throw toUsageError(error, created);
      });
      group = created;
    }
    addCommand(group, definition, terminal, finish);
  }
  return program;
}

function toOutputError(cause: NodeJS.ErrnoException): IncipitError {
  const reason = cause.code ?? cause.message;
  return new IncipitError("cli_output_failed", `The output cannot be written (${reason}).`, {
    hint: "check the disk or the program that it goes to",
    cause,
  });
}

/** How long a command may take to end after Ctrl-C, in milliseconds. */
const graceMilliseconds = 2000;

/** Runs a command line and gives the exit code. Prints every error; never throws. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  const json = args.includes("--json");
  const { signal } = terminal;
  let exitCode: number = exitCodes.ok;
  let isTold = false;
  const tell = (error: unknown): number => {
    if (isTold) return exitCode;
    isTold = true;
    exitCode = printError(error, terminal, { json });
    return exitCode;
  };
  const onStop = (): void => {
    // What has not ended by then, such as native code, is not waited for.
    setTimeout(() => terminal.exit(tell(signal.reason)), graceMilliseconds).unref();
  };
  signal.addEventListener("abort", onStop, { once: true });
  terminal.stdout.stream.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that has gone away has had what it wanted.
    if (error.code === "EPIPE") return terminal.exit(exitCodes.ok);
    terminal.exit(printError(toOutputError(error), terminal, { json }));
  });
  try {
    const program = createProgram(terminal, (code) => {
      exitCode = code;
    });
    await program.parseAsync(args, { from: "user" });
    isTold = true;
    return exitCode;
  } catch (error) {
    // Help and version end the parsing by an error of commander's own.
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    return tell(error);
  }
}
