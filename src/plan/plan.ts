import { type Contract, toContract } from "../contract/index.ts";
import type { Engine, EngineIdentity, Sampling } from "../engine/index.ts";
import type { Pack, Task } from "../pack/index.ts";
import { areInputsEmpty, type Inputs } from "../prompt/index.ts";
import { IncipitError } from "../text/index.ts";

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

function toBadOption(said: string, wanted: string): IncipitError {
  return new IncipitError("plan_bad_option", `${said}; ${wanted} was expected.`, {
    hint: `give ${wanted}, or leave it to the task`,
  });
}

/** Makes the plan of a run. Pure; asks nothing. */
export function createPlan(
  pack: Pack,
  task: Task,
  inputs: Inputs,
  options: PlanOptions & {
    /** Who will answer; without it the plan is only looked at. */
    readonly engine?: Pick<Engine, "identity" | "capabilities"> | null;
  } = {},
): Plan {
  const { seed = 0, temperature = task.sampling.temperature } = options;
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffff_ffff) {
    throw toBadOption(`The seed is ${seed}`, "a whole number from 0 to 2³²−1");
  }
  if (!(temperature >= 0 && temperature <= 2)) {
    throw toBadOption(`The temperature is ${temperature}`, "a number from 0 to 2");
  }
  const limit = toLimit(task, inputs);
  const { maxTokens = limit } = options;
  if (!Number.isInteger(maxTokens) || maxTokens < 1) {
    throw toBadOption(`maxTokens is ${maxTokens}`, "a whole number from 1");
  }
  return {
    pack,
    task,
    inputs,
    contract: toContract(task.output),
    empty: task.whenEmpty !== null && areInputsEmpty(pack, task, inputs),
    sampling: { ...task.sampling, temperature, seed },
    maxTokens: Math.min(limit, maxTokens),
    identity: options.engine?.identity ?? null,
    constrained: options.engine?.capabilities.constraints.includes("gbnf") ?? true,
  };
}
