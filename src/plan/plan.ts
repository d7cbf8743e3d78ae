import { type Contract, toContract } from "../contract/index.ts";
import type { EngineIdentity, Sampling } from "../engine/index.ts";
import type { Pack, Task } from "../pack/index.ts";
import { areInputsEmpty, type Inputs } from "../prompt/index.ts";
import { IncipitError, toHint } from "../text/index.ts";

export interface PlanOptions {
  /** A whole number from 0 to 2³²−1; 0 when not given. */
  readonly seed?: number | undefined;
  /** In place of the task's own. */
  readonly temperature?: number | undefined;
  /** In place of the task's own limit; never above it. */
  readonly maxTokens?: number | undefined;
}

/** One run as data. `nextStep` says what to ask next, given what was answered so far. */
export interface Plan {
  readonly pack: Pack;
  readonly task: Task;
  readonly inputs: Inputs;
  readonly contract: Contract;
  /** The whole answer is the task's `whenEmpty` value: nothing will be asked. */
  readonly empty: boolean;
  readonly sampling: Sampling;
  readonly maxTokens: number;
  /** Who answers; null while only the requests are looked at. */
  readonly identity: EngineIdentity | null;
  /** Whether the engine takes a grammar. */
  readonly constrained: boolean;
}

/** The task of a pack by name; throws `plan_unknown_task`. */
export function findTask(pack: Pack, name: string): Task {
  const short = name.startsWith(`${pack.name}/`) ? name.slice(pack.name.length + 1) : name;
  const task = pack.tasks.get(short);
  if (task !== undefined) return task;
  throw new IncipitError("plan_unknown_task", `The pack "${pack.name}" has no task "${short}".`, {
    hint: toHint(short, pack.tasks.keys()),
  });
}

function toLimit(task: Task, inputs: Inputs): number {
  const { maxTokens, tokensPerInputCharacter } = task.limits;
  if (tokensPerInputCharacter === null) return maxTokens;
  const texts = task.inputs.filter((input) => input.kind === "text");
  const length = texts.reduce(
    (sum, { name }) => sum + [...String(inputs.get(name) ?? "")].length,
    0,
  );
  return Math.min(maxTokens, 32 + Math.ceil(length * tokensPerInputCharacter));
}

/** Makes the plan of a run. Pure; asks nothing. */
export function createPlan(
  pack: Pack,
  task: Task,
  inputs: Inputs,
  options: PlanOptions & {
    readonly identity?: EngineIdentity | null;
    readonly constrained?: boolean;
  } = {},
): Plan {
  const { seed = 0, temperature = task.sampling.temperature } = options;
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffff_ffff) {
    throw new IncipitError(
      "plan_bad_option",
      `The seed ${seed} is not a whole number from 0 to 2³²−1.`,
    );
  }
  if (!(temperature >= 0 && temperature <= 2)) {
    throw new IncipitError("plan_bad_option", `The temperature ${temperature} is not from 0 to 2.`);
  }
  const limit = toLimit(task, inputs);
  const { maxTokens = limit } = options;
  if (!Number.isInteger(maxTokens) || maxTokens < 1) {
    throw new IncipitError(
      "plan_bad_option",
      `maxTokens is ${maxTokens}; a whole number from 1 was expected.`,
    );
  }
  return {
    pack,
    task,
    inputs,
    contract: toContract(task.output),
    empty: task.whenEmpty !== null && areInputsEmpty(pack, task, inputs),
    sampling: { ...task.sampling, temperature, seed },
    maxTokens: Math.min(limit, maxTokens),
    identity: options.identity ?? null,
    constrained: options.constrained ?? true,
  };
}
