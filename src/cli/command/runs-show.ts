import type { RunRecord } from "../../store/index.ts";
import { type CommandDefinition, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { toRunNotFound, withRuns } from "../open-runs.ts";
import { printRun } from "../print-run.ts";
import { isSet } from "../read-option.ts";

/** `incipit runs show`: one recorded run, whole. */
export const runsShowCommand: CommandDefinition = {
  name: "runs show",
  summary: "show a recorded run: inputs, answer, attempts, stamp",
  arguments: [
    {
      name: "<id>",
      description: "an id, or a beginning of at least 6 characters that fits one run",
    },
  ],
  options: [jsonOption],
  examples: [
    { line: "incipit runs show 01kb3rxw", does: "what was asked, answered and found wrong" },
    { line: "incipit runs show 01kb3rxw --json", does: "the whole record" },
  ],
  async run({ arguments: [id = ""], options, terminal }) {
    const run = await withRuns<RunRecord | null>(
      terminal,
      { readOnly: true },
      (store) => store.runs.findRun(id),
      () => null,
    );
    if (run === null) throw toRunNotFound(id);
    const text = isSet(options, "json")
      ? `${JSON.stringify(run, undefined, 2)}\n`
      : printRun(run, terminal.stdout);
    terminal.stdout.write(text);
    return exitCodes.ok;
  },
};
