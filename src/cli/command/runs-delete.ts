import { type CommandDefinition, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { toRunNotFound, withRuns } from "../open-runs.ts";
import { isSet } from "../read-option.ts";

/** `incipit runs delete`: deletes runs for good; all are found first, or none is deleted. */
export const runsDeleteCommand: CommandDefinition = {
  name: "runs delete",
  summary: "delete recorded runs for good",
  arguments: [
    {
      name: "<id...>",
      description: "ids, or beginnings of at least 6 characters that fit one run",
    },
  ],
  options: [jsonOption],
  examples: [
    { line: "incipit runs delete 01kb3r", does: "the one run whose id begins so" },
    {
      line: "incipit runs delete 01kb3rxw6y4m2c 01kb3rxz0q8n5d",
      does: "several; if one is not there, none is deleted",
    },
  ],
  async run({ arguments: ids, options, terminal }) {
    const deleted = await withRuns(
      terminal,
      { readOnly: false },
      async (store) => {
        const found = new Set<string>();
        for (const id of ids) {
          const run = await store.runs.findRun(id);
          if (run === null) throw toRunNotFound(id);
          found.add(run.id);
        }
        const gone: string[] = [];
        for (const id of found) if (await store.runs.deleteRun(id)) gone.push(id);
        return gone;
      },
      () => {
        throw toRunNotFound(ids[0] ?? "");
      },
    );
    if (isSet(options, "json")) terminal.stdout.write(`${JSON.stringify({ deleted })}\n`);
    else for (const id of deleted) terminal.stdout.write(`deleted ${id}\n`);
    return exitCodes.ok;
  },
};
