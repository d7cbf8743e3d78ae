import type { PresentModel } from "../../model/index.ts";
import type { Pack } from "../../pack/index.ts";
import { IncipitError } from "../../text/index.ts";
import { type Assembly, assemble, findModel, modelOptions, readContext } from "../assemble.ts";
import { type CommandCall, type CommandDefinition, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { findPackFolder, openPackFolder } from "../find-pack.ts";
import { type PerformedRun, performRun } from "../perform-run.ts";
import { type DemoRow, type DemoTotals, printDemo } from "../print-demo.ts";
import { pullVisibly } from "../pull-visibly.ts";
import { type Note, readNotes } from "../read-notes.ts";
import { isSet, readText } from "../read-option.ts";
import { createStatusLine, type StatusLine } from "../status-line.ts";
import { toMessage } from "../visible-text.ts";

/** The tasks that the demo runs, one after the other over all notes. */
const taskNames = ["content-tags", "extract-tasks"] as const;

/** The model that is named by the flag or the environment; undefined for the default. */
function toReference({ options, terminal }: CommandCall): string | undefined {
  return readText(options, "model") ?? (terminal.environment.INCIPIT_MODEL || undefined);
}

/** The model, fetched first where it is missing; says so. */
async function findOrPullModel(call: CommandCall, status: StatusLine): Promise<PresentModel> {
  const { options, terminal } = call;
  const find = () => findModel(options, terminal, () => status.show("checking the model file …"));
  try {
    return await find();
  } catch (error) {
    if (!IncipitError.isInstance(error) || error.code !== "model_missing") throw error;
    const json = isSet(options, "json");
    if (!json) terminal.stderr.write(`${toMessage(error.message)} It is fetched now, once.\n`);
    await pullVisibly(toReference(call), terminal, { json });
    return find();
  }
}

interface DemoContext {
  readonly call: CommandCall;
  readonly assembly: Assembly;
  readonly pack: Pack;
  readonly status: StatusLine;
}

async function runTask(
  taskName: string,
  notes: readonly Note[],
  { call, assembly, pack, status }: DemoContext,
): Promise<PerformedRun[]> {
  const { signal, stderr } = call.terminal;
  const [{ findTask }, { createPlan }, { checkInputs }] = await Promise.all([
    import("../../pack/index.ts"),
    import("../../plan/index.ts"),
    import("../../prompt/index.ts"),
  ]);
  const task = findTask(pack, taskName);
  const performed: PerformedRun[] = [];
  const isQuiet = stderr.isTerminal || isSet(call.options, "json");
  if (!isQuiet) stderr.write(`${task.ref}: ${notes.length} notes …\n`);
  for (const [index, note] of notes.entries()) {
    const given = { transcript: note.text };
    const plan = createPlan(pack, task, checkInputs(task, given));
    const label = `${taskName} ${index + 1}/${notes.length} ${note.name}`;
    const recorded = assembly.storePath !== null;
    const context = { status, label, recorded };
    performed.push(await performRun(assembly.runtime, { plan, given }, { signal }, context));
  }
  return performed;
}

/** What `--json` prints of one run. */
function toJsonForm({ result, runId, stampId, milliseconds: durationMs }: PerformedRun): object {
  const { task, attempts, warnings, usage } = result;
  const value = result.kind === "success" ? result.value : null;
  const acceptable = result.kind === "success";
  return { task, acceptable, value, attempts, warnings, usage, stampId, runId, durationMs };
}

function printJson(rows: readonly DemoRow[], totals: DemoTotals): string {
  const { model, milliseconds: durationMs, storePath } = totals;
  const notes = rows.map(({ note, tags, tasks }) => {
    const { name, words } = note;
    return { note: name, words, tags: toJsonForm(tags), tasks: toJsonForm(tasks) };
  });
  return `${JSON.stringify({ model, durationMs, storePath, notes }, undefined, 2)}\n`;
}

async function performDemo(call: CommandCall, status: StatusLine): Promise<number> {
  const { options, terminal } = call;
  const notes = await readNotes(readText(options, "notes"), terminal);
  const pack = await openPackFolder(await findPackFolder("dictation", terminal), terminal);
  const contextTokens = readContext(options);
  const model = await findOrPullModel(call, status);
  const startedAt = performance.now();
  const assembly = await assemble({
    pack,
    terminal,
    model,
    contextTokens,
    recorded: options.store !== false,
    onLoad: ({ name }) => status.show(`loading ${name} …`),
  });
  try {
    const context: DemoContext = { call, assembly, pack, status };
    const [tags, tasks] = [
      await runTask(taskNames[0], notes, context),
      await runTask(taskNames[1], notes, context),
    ];
    status.clear();
    const rows = notes.map((note, index): DemoRow => {
      return { note, tags: tags[index] as PerformedRun, tasks: tasks[index] as PerformedRun };
    });
    const totals: DemoTotals = {
      model: model.name,
      milliseconds: Math.round(performance.now() - startedAt),
      storePath: assembly.storePath,
    };
    const json = isSet(options, "json");
    terminal.stdout.write(
      json ? printJson(rows, totals) : await printDemo(rows, totals, terminal.stdout),
    );
    const results = [...tags, ...tasks].map(({ result }) => result);
    const lost = results.some(({ warnings }) => {
      return warnings.some(({ code }) => code === "runtime_not_recorded");
    });
    if (lost) return exitCodes.environment;
    return results.some(({ kind }) => kind === "failure") ? exitCodes.findings : exitCodes.ok;
  } finally {
    status.clear();
    await assembly.close();
  }
}

/** `incipit demo`: tags and tasks of twenty dictated notes, as a table. */
export const demoCommand: CommandDefinition = {
  name: "demo",
  summary: "tag the example notes and find their tasks; fetches the default model if it is missing",
  arguments: [],
  options: [
    { flags: "--notes <folder>", description: "a folder of .txt files in place of the examples" },
    ...modelOptions,
    { flags: "--no-store", description: "leave no record of the runs" },
    jsonOption,
  ],
  examples: [
    { line: "incipit demo", does: "a table of the twenty notes in examples/notes" },
    { line: "incipit demo --notes my-notes --no-store", does: "your own notes, without a record" },
  ],
  async run(call) {
    const status = createStatusLine(call.terminal.stderr);
    try {
      return await performDemo(call, status);
    } finally {
      status.clear();
    }
  },
};
