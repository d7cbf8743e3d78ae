import { type CommandDefinition, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { type PreparedRun, prepareRuns, taskArgument, taskOptions } from "../prepare-runs.ts";
import { printShown } from "../print-shown.ts";
import { isSet } from "../read-option.ts";
import { toShown } from "../shown.ts";

/** `incipit show`: what a run would ask, without asking. */
export const showCommand: CommandDefinition = {
  name: "show",
  summary: "show the exact request of a run, its constraint and digests; needs no model",
  arguments: [taskArgument],
  options: [...taskOptions, jsonOption],
  examples: [
    {
      line: "incipit show dictation/content-tags --file examples/notes/standup.txt",
      does: "messages, where each part comes from, grammar, digests",
    },
    {
      line: 'incipit show dictation/cleanup --input "transcript=um hello" --json',
      does: "the same as data",
    },
  ],
  async run(call) {
    const { options, terminal } = call;
    const { runs } = await prepareRuns(call);
    const shown = runs.map((run: PreparedRun) => toShown(run));
    if (!isSet(options, "json")) {
      const texts = shown.map((each) => printShown(each, terminal.stdout));
      terminal.stdout.write(texts.join("\n"));
      return exitCodes.ok;
    }
    for (const each of shown) {
      const space = shown.length > 1 ? undefined : 2;
      terminal.stdout.write(`${JSON.stringify(each, undefined, space)}\n`);
    }
    return exitCodes.ok;
  },
};
