import type { Pack, Task } from "../pack/index.ts";
import type { Plan, PlanOptions, Step } from "../plan/index.ts";
import type { GivenInputs } from "../prompt/index.ts";
import { IncipitError } from "../text/index.ts";
import type { CommandCall, OptionDefinition } from "./command.ts";
import { findPack } from "./find-pack.ts";
import { gatherInputs } from "./gather-inputs.ts";
import { readNumber, readText, readTexts, readWholeNumber } from "./read-option.ts";

/** The flags of every command that takes a task and its inputs. */
export const taskOptions: readonly OptionDefinition[] = [
  {
    flags: "-f, --file <path>",
    description: "the text, as a file; - is the piped one; several are run one after another",
    repeatable: true,
  },
  {
    flags: "-i, --input <name=value>",
    description: "an input by its name; name=@path reads a file, of a list one item a line",
    repeatable: true,
  },
  { flags: "--pack <folder>", description: "the folder of the pack; TASK then needs no pack name" },
  { flags: "--seed <n>", description: "from 0 to 4294967295; 0 when not given" },
  { flags: "--temperature <t>", description: "from 0 to 2, in place of the task's" },
  {
    flags: "--max-tokens <n>",
    description: "the most tokens to write, up to the task's own limit",
  },
];

/** The argument that names a task. */
export const taskArgument = {
  name: "<task>",
  description: "pack/task; packs are looked for in ./packs, then among those that are shipped",
};

/** A run that is known to be possible: its inputs fit the task. */
export interface PreparedRun {
  /** The path after `--file`; null where the text was given another way. */
  readonly file: string | null;
  readonly given: GivenInputs;
  readonly plan: Plan;
  /** The first request, or the result where no model is asked. */
  readonly step: Step;
}

/** The runs that a command line asks for. */
export interface PreparedRuns {
  readonly pack: Pack;
  readonly task: Task;
  readonly planOptions: PlanOptions;
  readonly runs: readonly PreparedRun[];
}

/** An error of one of several files, with the file's name. */
function nameFile(error: unknown, file: string | null, count: number): unknown {
  if (file === null || count === 1 || !IncipitError.isInstance(error)) return error;
  const { code, hint, findings, cause } = error;
  return new IncipitError(code, `"${file}": ${error.message}`, { hint, findings, cause });
}

/** Reads a command line down to checked inputs: everything that needs no model and no store. */
export async function prepareRuns({
  arguments: [reference = ""],
  options,
  terminal,
}: CommandCall): Promise<PreparedRuns> {
  const planOptions: PlanOptions = {
    seed: readWholeNumber(options, "seed", { flag: "--seed", least: 0, most: 0xffff_ffff }),
    temperature: readNumber(options, "temperature", { flag: "--temperature", least: 0, most: 2 }),
    maxTokens: readWholeNumber(options, "maxTokens", {
      flag: "--max-tokens",
      least: 1,
      most: 1_000_000,
    }),
  };
  const { pack, taskName } = await findPack(reference, readText(options, "pack"), terminal);
  const [{ findTask }, { createPlan, nextStep }, { checkInputs }] = await Promise.all([
    import("../pack/index.ts"),
    import("../plan/index.ts"),
    import("../prompt/index.ts"),
  ]);
  const task = findTask(pack, taskName);
  const flags = { files: readTexts(options, "file"), inputs: readTexts(options, "input") };
  const gathered = await gatherInputs(task, flags, terminal);
  const runs = gathered.map(({ file, given }) => {
    try {
      const plan = createPlan(pack, task, checkInputs(task, given), planOptions);
      return { file, given, plan, step: nextStep(plan, []) };
    } catch (error) {
      throw nameFile(error, file, gathered.length);
    }
  });
  return { pack, task, planOptions, runs };
}
