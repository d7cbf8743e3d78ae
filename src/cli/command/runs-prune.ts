import { IncipitError } from "../../text/index.ts";
import { type CommandDefinition, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { withRuns } from "../open-runs.ts";
import { isSet, readTime, readWholeNumber } from "../read-option.ts";

/** `incipit runs prune`: deletes old runs for good. */
export const runsPruneCommand: CommandDefinition = {
  name: "runs prune",
  summary: "delete old runs for good and say how many",
  arguments: [],
  options: [
    { flags: "--before <date>", description: "those that started earlier, as in 2026-01-31" },
    {
      flags: "--keep <n>",
      description: "all but the newest n; with --before, only if both say so",
    },
    jsonOption,
  ],
  examples: [
    { line: "incipit runs prune --keep 1000", does: "all but the newest thousand" },
    { line: "incipit runs prune --before 2026-01-31", does: "all that started before that day" },
  ],
  async run({ options, terminal }) {
    const before = readTime(options, "before", "--before");
    const keep = readWholeNumber(options, "keep", {
      flag: "--keep",
      least: 0,
      most: 1_000_000_000,
    });
    if (before === undefined && keep === undefined) {
      const message = 'Pruning needs "--before" or "--keep", for it deletes for good.';
      const hint = "write `incipit runs prune --keep 1000`, or `--before` with a date";
      throw new IncipitError("cli_prune_unbounded", message, { hint });
    }
    const deleted = await withRuns(
      terminal,
      { readOnly: false },
      (store) => store.runs.pruneRuns({ before, keep }),
      () => 0,
    );
    const said = deleted === 1 ? "deleted 1 run" : `deleted ${deleted} runs`;
    terminal.stdout.write(
      isSet(options, "json") ? `${JSON.stringify({ deleted })}\n` : `${said}\n`,
    );
    return exitCodes.ok;
  },
};
