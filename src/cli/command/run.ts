import { IncipitError, printCanonicalJson } from "../../text/index.ts";
import { assemble, findModel, modelOptions, readContext } from "../assemble.ts";
import { type CommandCall, type CommandDefinition, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { type PerformedRun, performRun } from "../perform-run.ts";
import {
  type PreparedRun,
  type PreparedRuns,
  prepareRuns,
  taskArgument,
  taskOptions,
} from "../prepare-runs.ts";
import { printError, printFinding } from "../print-error.ts";
import { isSet } from "../read-option.ts";
import { createStatusLine, type StatusLine } from "../status-line.ts";
import type { Terminal } from "../terminal.ts";
import { toLine } from "../visible-text.ts";

/** What `--json` prints of a run. */
function toJsonForm(run: PreparedRun, performed: PerformedRun): object {
  const { stampId, runId, milliseconds: durationMs } = performed;
  const file = run.file === null ? {} : { file: run.file };
  const { task, stamp, attempts, warnings, usage, ...result } = performed.result;
  const answer =
    result.kind === "success" ? { value: result.value, text: result.text } : { value: null };
  return { ...file, task, ...answer, stamp, stampId, attempts, warnings, usage, runId, durationMs };
}

/** The value as it goes to stdout: a text as it is, or one line of JSON. */
function printValue(performed: PerformedRun, asText: boolean): string {
  const { result } = performed;
  if (result.kind === "failure") return "\n";
  const { value } = result;
  if (!asText || typeof value !== "string") return `${printCanonicalJson(value)}\n`;
  return value.endsWith("\n") ? value : `${value}\n`;
}

function printTiming({ result, runId, milliseconds }: PerformedRun, label: string): string {
  const { usage, attempts, stamp } = result;
  const model = stamp.engine === null ? "no model was asked" : stamp.engine.model.name;
  const reused = usage.cachedInputTokens > 0 ? ` (${usage.cachedInputTokens} reused)` : "";
  const tokens = `${usage.inputTokens} tokens read${reused}, ${usage.outputTokens} written`;
  const parts = [
    `${(milliseconds / 1000).toFixed(2)} s`,
    model,
    ...(stamp.engine === null ? [] : [tokens]),
    ...(attempts.length > 1 ? [`${attempts.length} attempts`] : []),
    runId === null ? "not recorded" : `run ${runId}`,
  ];
  return `${toLine(label, 200)}: ${parts.join(" · ")}`;
}

function reportFailure(
  run: PreparedRun,
  performed: PerformedRun,
  context: { readonly terminal: Terminal; readonly json: boolean; readonly several: boolean },
): void {
  const { result } = performed;
  if (result.kind !== "failure") return;
  const { terminal, json, several } = context;
  const message =
    several && run.file !== null ? `"${run.file}": ${result.message}` : result.message;
  const error = new IncipitError(result.code, message, {
    hint: result.hint,
    findings: result.findings,
  });
  printError(error, terminal, { json, details: { result: toJsonForm(run, performed) } });
  const last = result.attempts.at(-1)?.text ?? "";
  if (!json) terminal.stderr.write(`last answer: ${last === "" ? "none" : toLine(last, 400)}\n`);
}

function report(
  run: PreparedRun,
  performed: PerformedRun,
  context: { readonly terminal: Terminal; readonly json: boolean; readonly several: boolean },
): number {
  const { terminal, json, several } = context;
  const { result } = performed;
  if (result.kind === "failure") reportFailure(run, performed, context);
  if (!json) {
    // With several files every one has its line, so that the lines can be matched to them.
    const value = printValue(performed, isText(run) && !several);
    if (several || result.kind === "success") terminal.stdout.write(value);
  } else if (result.kind === "success") {
    const form = toJsonForm(run, performed);
    terminal.stdout.write(`${JSON.stringify(form, undefined, several ? undefined : 2)}\n`);
  }
  if (!json) {
    for (const warning of result.warnings) terminal.stderr.write(printFinding(warning, terminal));
    const label = several && run.file !== null ? run.file : result.task;
    terminal.stderr.write(`${terminal.stderr.colors.dim(printTiming(performed, label))}\n`);
  }
  const lost = result.warnings.some(({ code }) => code === "runtime_not_recorded");
  if (lost) return exitCodes.environment;
  return result.kind === "success" ? exitCodes.ok : exitCodes.findings;
}

function isText(run: PreparedRun): boolean {
  return run.plan.contract.kind === "text";
}

async function performAll(
  prepared: PreparedRuns,
  call: CommandCall,
  status: StatusLine,
): Promise<number> {
  const { options, terminal } = call;
  const { pack, planOptions, runs } = prepared;
  const json = isSet(options, "json");
  const recorded = options.store !== false;
  terminal.signal.throwIfAborted();
  const asksModel = runs.some(({ plan }) => !plan.empty);
  const model = asksModel
    ? await findModel(options, terminal, () => status.show("checking the model file …"))
    : null;
  const assembly = await assemble({
    pack,
    terminal,
    model,
    contextTokens: readContext(options),
    recorded,
    onLoad: ({ name }) => status.show(`loading ${name} …`),
  });
  try {
    let exitCode: number = exitCodes.ok;
    for (const run of runs) {
      const label = run.file ?? prepared.task.ref;
      const runOptions = { ...planOptions, signal: terminal.signal };
      const context = { status, label, recorded };
      const performed = await performRun(assembly.runtime, run, runOptions, context);
      status.clear();
      const reported = report(run, performed, { terminal, json, several: runs.length > 1 });
      exitCode = Math.max(exitCode, reported);
    }
    return exitCode;
  } finally {
    status.clear();
    await assembly.close();
  }
}

/** `incipit run`: runs a task and prints its value. */
export const runCommand: CommandDefinition = {
  name: "run",
  summary: "run a task on a text and print its value",
  arguments: [taskArgument],
  options: [
    ...taskOptions,
    ...modelOptions,
    { flags: "--no-store", description: "leave no record of the run" },
    jsonOption,
  ],
  examples: [
    {
      line: "incipit run dictation/content-tags --file examples/notes/standup.txt",
      does: "topic and intent of a note, as JSON on stdout",
    },
    {
      line: "incipit run dictation/cleanup --input terms=@examples/terms.txt < note.txt",
      does: "a piped note in written form, its names spelled as in the list",
    },
  ],
  async run(call) {
    const status = createStatusLine(call.terminal.stderr);
    try {
      return await performAll(await prepareRuns(call), call, status);
    } finally {
      status.clear();
    }
  },
};
