import type { Engine, EngineRequest, GenerateOutcome, Outcome } from "../engine/index.ts";
import { findTask, type Pack } from "../pack/index.ts";
import {
  createPlan,
  digestStamp,
  nextStep,
  type Plan,
  type PlanOptions,
  type Result,
  type Step,
  type SuccessResult,
} from "../plan/index.ts";
import { checkInputs, type GivenInputs } from "../prompt/index.ts";
import type { RunRecord, Store } from "../store/index.ts";
import { type Finding, IncipitError, type Json } from "../text/index.ts";
import { createRunId } from "./run-id.ts";

export interface RuntimeOptions {
  readonly pack: Pack;
  /** An engine, or a function that opens one; it is called when a model is first needed. */
  readonly engine: Engine | (() => Promise<Engine>);
  /** Where runs are recorded; without one nothing is. */
  readonly store?: Pick<Store, "runs"> | null | undefined;
  /** Milliseconds since 1970; `Date.now` when not given. */
  readonly now?: () => number;
  /** From 0 to 1, for run ids only; `Math.random` when not given. */
  readonly random?: () => number;
}

export interface RunOptions extends PlanOptions {
  readonly signal?: AbortSignal | undefined;
}

/** An event of a run. The last one is always `run-end`. */
export type RunEvent =
  | { readonly kind: "run-start"; readonly id: string; readonly plan: Plan }
  | { readonly kind: "attempt-start"; readonly attempt: number; readonly request: EngineRequest }
  | { readonly kind: "text-delta"; readonly attempt: number; readonly text: string }
  | { readonly kind: "attempt-end"; readonly attempt: number; readonly outcome: Outcome }
  | { readonly kind: "run-end"; readonly id: string; readonly result: Result };

/** Performs the runs of one pack on one engine. */
export interface Runtime {
  readonly pack: Pack;
  /**
   * Runs a task. Rejects with `plan_no_acceptable_output` when no answer was acceptable; the
   * `cause` of that error is the `FailureResult` with its stamp and attempts.
   */
  run(task: string, inputs: GivenInputs, options?: RunOptions): Promise<SuccessResult>;
  /** Runs a task; an unacceptable answer is a result of kind `failure`. */
  tryRun(task: string, inputs: GivenInputs, options?: RunOptions): Promise<Result>;
  /** Runs a task as a stream of events. */
  stream(task: string, inputs: GivenInputs, options?: RunOptions): AsyncIterable<RunEvent>;
  /** The first step of a run, without asking anything. Needs no model. */
  show(task: string, inputs: GivenInputs, options?: PlanOptions): { plan: Plan; step: Step };
  /** Closes the engine, if this runtime opened it. */
  close(): Promise<void>;
}

interface Recording {
  readonly id: string;
  readonly startedAt: number;
  readonly task: string;
  readonly inputs: GivenInputs;
  readonly options: PlanOptions;
  readonly outcomes: readonly Outcome[];
  /** Null until the engine is there. */
  plan: Plan | null;
}

function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

function startRecord(recording: Recording, end: number) {
  const { id, startedAt, task, inputs } = recording;
  return {
    id,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.max(0, Math.round(end - startedAt)),
    task,
    inputs: toJson(inputs),
  };
}

function toRecord(recording: Recording, end: number, result: Result): RunRecord {
  const { options, outcomes } = recording;
  return {
    ...startRecord(recording, end),
    status: result.kind === "success" ? "ok" : "failed",
    result: toJson({ ...result, options, outcomes }),
    stampId: digestStamp(result.stamp),
    promptDigest: result.stamp.prompt.digest,
    model: result.stamp.engine?.model.name ?? null,
  };
}

/** The record of a run that ended with an error: all that is known by then. */
function toErrorRecord(recording: Recording, end: number, error: IncipitError): RunRecord {
  const { options, outcomes, plan } = recording;
  const { code, message, hint = null, findings } = error;
  const step = plan === null ? null : nextStep(plan, outcomes);
  return {
    ...startRecord(recording, end),
    status: code === "engine_aborted" ? "aborted" : "failed",
    result: toJson({ kind: "error", code, message, hint, findings, options, outcomes }),
    stampId: null,
    promptDigest: step?.kind === "request" ? step.prompt.digest : null,
    model: plan?.identity?.model.name ?? null,
  };
}

function toFailure(error: unknown): IncipitError {
  if (IncipitError.isInstance(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new IncipitError("runtime_unexpected", `The run ended unexpectedly: ${message}`, {
    hint: "please report it",
    cause: error,
  });
}

/** An outcome as the interface says; an engine of somebody else may give anything. */
function checkOutcome(outcome: GenerateOutcome): GenerateOutcome {
  const { text, finishReason, usage } = outcome ?? {};
  const counts = [usage?.inputTokens, usage?.cachedInputTokens, usage?.outputTokens];
  if (
    typeof text === "string" &&
    (finishReason === "stop" || finishReason === "length") &&
    counts.every((count) => Number.isSafeInteger(count))
  ) {
    return { ...outcome, warnings: outcome.warnings ?? [] };
  }
  throw new IncipitError("engine_broken_stream", "The engine's outcome is not what it must be.", {
    hint: "it has a text, a finish reason stop or length, and whole numbers as usage",
  });
}

/** Makes a runtime. Reads no file and opens no model by itself. */
export function createRuntime(options: RuntimeOptions): Runtime {
  const { pack, store = null, now = Date.now, random = Math.random } = options ?? {};
  if (typeof pack?.tasks !== "object" || !options.engine) {
    throw new IncipitError("runtime_bad_option", "A runtime needs a pack and an engine.", {
      hint: "createRuntime({ pack: await openPack(…), engine })",
    });
  }
  let opened: Promise<Engine> | null = null;

  function openEngine(): Promise<Engine> {
    if (typeof options.engine !== "function") return Promise.resolve(options.engine);
    if (opened === null) {
      const opening = options.engine();
      opened = opening;
      // A failed opening is tried again by the next run.
      opening.catch(() => {
        if (opened === opening) opened = null;
      });
    }
    return opened;
  }

  /** Saves a run; a store that fails costs the record, never the answer. */
  async function record(id: string, toRun: () => RunRecord): Promise<readonly Finding[]> {
    if (store === null) return [];
    try {
      await store.runs.saveRun(toRun());
      return [];
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const hint = IncipitError.isInstance(error) ? error.hint : undefined;
      const message = `The run "${id}" could not be recorded: ${reason}`;
      const finding = { code: "runtime_not_recorded", severity: "error", message } as const;
      return [hint === undefined ? finding : { ...finding, hint }];
    }
  }

  async function* ask(
    engine: Engine,
    request: EngineRequest,
    attempt: number,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<RunEvent, Outcome> {
    if (request.kind === "score") return await engine.score(request, { signal });
    for await (const event of engine.generate(request, { signal })) {
      if (event.kind === "generate-end") return checkOutcome(event.outcome);
      yield { kind: "text-delta", attempt, text: event.text };
    }
    throw new IncipitError(
      "engine_broken_stream",
      "The engine's stream ended without an outcome.",
      { hint: "the engine must end with the event generate-end" },
    );
  }

  async function* stream(
    name: string,
    given: GivenInputs,
    { signal, ...planOptions }: RunOptions = {},
  ): AsyncGenerator<RunEvent> {
    const task = findTask(pack, name);
    const inputs = checkInputs(task, given);
    if (signal?.aborted) {
      throw new IncipitError("engine_aborted", "The run was stopped before it began.", {
        hint: "run it again",
      });
    }
    const sketch = createPlan(pack, task, inputs, planOptions);
    const startedAt = now();
    const id = createRunId(startedAt, random);
    const outcomes: Outcome[] = [];
    const recording: Recording = {
      id,
      startedAt,
      task: task.ref,
      inputs: given,
      options: planOptions,
      outcomes,
      plan: null,
    };
    let finished = false;
    try {
      const engine = sketch.empty ? null : await openEngine();
      const plan =
        engine === null ? sketch : createPlan(pack, task, inputs, { ...planOptions, engine });
      recording.plan = plan;
      yield { kind: "run-start", id, plan };
      for (;;) {
        const step = nextStep(plan, outcomes);
        if (step.kind === "finished") {
          const { result } = step;
          finished = true;
          const problems = await record(id, () => toRecord(recording, now(), result));
          yield {
            kind: "run-end",
            id,
            result: { ...result, warnings: [...result.warnings, ...problems] },
          };
          return;
        }
        const { request, attempt } = step;
        yield { kind: "attempt-start", attempt, request };
        const outcome = yield* ask(engine as Engine, request, attempt, signal);
        outcomes.push(outcome);
        yield { kind: "attempt-end", attempt, outcome };
      }
    } catch (error) {
      finished = true;
      const failure = toFailure(error);
      const problems = await record(id, () => toErrorRecord(recording, now(), failure));
      if (problems.length === 0) throw failure;
      const { code, message, hint } = failure;
      const findings = [...failure.findings, ...problems];
      throw new IncipitError(code, message, { hint, findings, cause: failure });
    } finally {
      // The reader left the stream early: what was answered so far is kept.
      if (!finished) {
        const left = new IncipitError("engine_aborted", "The run was left before its end.", {
          hint: "read the stream to its end",
        });
        await record(id, () => toErrorRecord(recording, now(), left));
      }
    }
  }

  async function tryRun(task: string, inputs: GivenInputs, runOptions?: RunOptions) {
    for await (const event of stream(task, inputs, runOptions)) {
      if (event.kind === "run-end") return event.result;
    }
    throw new IncipitError("runtime_unexpected", "The run ended without a result.");
  }

  return {
    pack,
    stream,
    tryRun,
    async run(task, inputs, runOptions) {
      const result = await tryRun(task, inputs, runOptions);
      if (result.kind === "success") return result;
      const { code, message, hint, findings } = result;
      throw new IncipitError(code, message, { hint, findings, cause: result });
    },
    show(name, given, planOptions) {
      const task = findTask(pack, name);
      const plan = createPlan(pack, task, checkInputs(task, given), planOptions);
      return { plan, step: nextStep(plan, []) };
    },
    async close() {
      const engine = await opened?.catch(() => null);
      opened = null;
      await engine?.close();
    },
  };
}
