import type { RunStatus, RunSummary } from "../../store/index.ts";
import { type CommandDefinition, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { withRuns } from "../open-runs.ts";
import { isSet, readText, readWholeNumber } from "../read-option.ts";
import { printTable } from "../table.ts";

const columns = [
  { title: "run" },
  { title: "started (UTC)" },
  { title: "task", most: 24 },
  { title: "status" },
  { title: "ms", align: "right" },
  { title: "model", most: 16 },
] as const;

function toRow(run: RunSummary): string[] {
  const startedAt = run.startedAt.slice(0, 16).replace("T", " ");
  const duration = String(Math.round(run.durationMs));
  return [run.id, startedAt, run.task, run.status, duration, run.model ?? "–"];
}

/** `incipit runs list`: the newest recorded runs. */
export const runsListCommand: CommandDefinition = {
  name: "runs list",
  summary: "list recorded runs, the newest first",
  arguments: [],
  options: [
    { flags: "--task <task>", description: "only runs of this task, as pack/task" },
    { flags: "--status <status>", description: "only those that ended ok, failed or aborted" },
    { flags: "--limit <n>", description: "how many at most; 20 when not given" },
    jsonOption,
  ],
  examples: [
    { line: "incipit runs list --limit 5", does: "the last five runs" },
    {
      line: "incipit runs list --task dictation/cleanup --status failed",
      does: "the runs of a task without an acceptable output",
    },
  ],
  async run({ options, terminal }) {
    const limit = readWholeNumber(options, "limit", { flag: "--limit", least: 1, most: 1_000_000 });
    const filter = {
      task: readText(options, "task"),
      // The store says which there are.
      status: readText(options, "status") as RunStatus | undefined,
      limit: limit ?? 20,
    };
    const runs = await withRuns(
      terminal,
      { readOnly: true },
      (store) => store.runs.listRuns(filter),
      () => [],
    );
    if (isSet(options, "json")) {
      terminal.stdout.write(`${JSON.stringify(runs, undefined, 2)}\n`);
    } else if (runs.length === 0) {
      terminal.stderr.write("no runs are recorded\n");
    } else {
      terminal.stdout.write(await printTable(columns, runs.map(toRow), terminal.stdout));
    }
    return exitCodes.ok;
  },
};
