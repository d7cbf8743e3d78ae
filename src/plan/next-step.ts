import type { EngineRequest, GenerateRequest, Outcome, Sampling, Usage } from "../engine/index.ts";
import { type AppliedReinforcement, compose, type Prompt } from "../prompt/index.ts";
import { type Finding, IncipitError, sha256 } from "../text/index.ts";
import { chooseReinforcements } from "./choose-reinforcements.ts";
import { judge } from "./judge.ts";
import type { Plan } from "./plan.ts";
import type { Attempt, FailureResult, Result } from "./result.ts";
import type { Stamp } from "./stamp.ts";
import { incipitVersion } from "./version.ts";

/** What to do next: ask the engine, or stop with the result. */
export type Step =
  | {
      readonly kind: "request";
      /** The attempt that the request belongs to, counted from 1. */
      readonly attempt: number;
      readonly request: EngineRequest;
      readonly prompt: Prompt;
    }
  | { readonly kind: "finished"; readonly result: Result };

/** A retry never raises the temperature above this. */
const highestRetryTemperature = 0.8;

function toSampling(plan: Plan, attempt: number): Sampling {
  const raised = plan.sampling.temperature + plan.task.retry.temperatureStep * (attempt - 1);
  const ceiling = Math.max(plan.sampling.temperature, highestRetryTemperature);
  const temperature = Math.round(Math.min(raised, ceiling) * 1000) / 1000;
  return {
    ...plan.sampling,
    temperature,
    seed: (plan.sampling.seed + attempt - 1) % 0x1_0000_0000,
  };
}

function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
}

const noUsage: Usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

function toGrammar(plan: Plan): string | null {
  return plan.constrained ? plan.contract.toGrammar() : null;
}

/** A grammar that the engine does not take is not dropped in silence. */
function warnOfConstraint(plan: Plan): readonly Finding[] {
  if (plan.constrained || plan.contract.toGrammar() === null) return [];
  const message = "The engine takes no grammar, so the contract was only checked afterwards.";
  return [{ code: "plan_not_constrained", severity: "warning", message }];
}

function toStamp(plan: Plan, prompt: Prompt, attempt: number): Stamp {
  const grammar = plan.empty ? null : toGrammar(plan);
  const { pack, task } = plan;
  return {
    incipit: incipitVersion,
    pack: { name: pack.name, version: pack.version, digest: pack.digest },
    task: { name: task.name, version: task.version, digest: task.digest },
    prompt: {
      digest: prompt.digest,
      protectedDigest: prompt.protectedDigest,
      parts: prompt.parts,
    },
    contract: plan.contract.digest,
    constraint: grammar === null ? null : sha256(grammar),
    engine: plan.empty ? null : plan.identity,
    sampling: toSampling(plan, Math.max(1, attempt)),
    maxTokens: plan.maxTokens,
    attempt,
    decidedBy: plan.empty ? "when-empty" : "generation",
  };
}

function finishEmpty(plan: Plan): Step {
  const value = plan.task.whenEmpty?.value ?? null;
  const stamp = toStamp(plan, compose(plan.task, plan.inputs), 0);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const result: Result = {
    kind: "success",
    task: plan.task.ref,
    value,
    text,
    stamp,
    attempts: [],
    warnings: [],
    usage: noUsage,
  };
  return { kind: "finished", result };
}

function toFailure(
  attempts: readonly Attempt[],
): Pick<FailureResult, "code" | "message" | "hint" | "findings"> {
  const findings = attempts.at(-1)?.findings ?? [];
  const first = findings.find((finding) => finding.severity === "error");
  const count = attempts.length === 1 ? "the only attempt" : `${attempts.length} attempts`;
  return {
    code: "plan_no_acceptable_output",
    message: `No acceptable output after ${count}: ${first?.message ?? "the output was refused."}`,
    hint: "try a larger model, another seed, or more attempts in the task's retry",
    findings,
  };
}

/**
 * Gives the next request of a run, or its result: a pure function of the plan and of what the
 * engine answered so far. A refused answer is followed by a request composed anew from the same
 * parts, with a reinforcement for what was wrong with the last one only.
 */
export function nextStep(plan: Plan, outcomes: readonly Outcome[]): Step {
  if (plan.empty) return finishEmpty(plan);
  const attempts: Attempt[] = [];
  const warnings: Finding[] = [...warnOfConstraint(plan)];
  let usage = noUsage;
  let reinforcements: readonly AppliedReinforcement[] = [];
  for (let number = 1; ; number += 1) {
    const prompt = compose(plan.task, plan.inputs, { reinforcements });
    const sampling = toSampling(plan, number);
    const outcome = outcomes[number - 1];
    if (outcome === undefined) {
      const grammar = toGrammar(plan);
      const request: GenerateRequest = {
        kind: "generate",
        messages: prompt.messages,
        stableMessages: prompt.stableMessages,
        constraint: grammar === null ? null : { kind: "gbnf", grammar },
        sampling,
        maxTokens: plan.maxTokens,
        stop: [],
      };
      return { kind: "request", attempt: number, request, prompt };
    }
    if (outcome.kind !== "generated") {
      throw new IncipitError(
        "plan_wrong_outcome",
        `Outcome ${number} is "${outcome.kind}"; "generated" was expected.`,
        { hint: "feed in the outcomes of this run, in order" },
      );
    }
    const judged = judge(plan, prompt, outcome);
    usage = addUsage(usage, outcome.usage);
    for (const message of outcome.warnings) {
      warnings.push({ code: "plan_engine_warning", severity: "warning", message });
    }
    attempts.push({
      number,
      promptDigest: prompt.digest,
      reinforcements: reinforcements.map(({ text }) => ({ ref: text.ref, version: text.version })),
      sampling,
      text: outcome.text,
      finishReason: outcome.finishReason,
      usage: outcome.usage,
      findings: judged.findings,
    });
    const stamp = toStamp(plan, prompt, number);
    const common = { task: plan.task.ref, stamp, attempts, usage };
    if (judged.accepted !== null) {
      const all = [...warnings, ...judged.findings];
      return {
        kind: "finished",
        result: { kind: "success", ...common, ...judged.accepted, warnings: all },
      };
    }
    if (number >= plan.task.retry.attempts) {
      return {
        kind: "finished",
        result: { kind: "failure", ...common, ...toFailure(attempts), warnings },
      };
    }
    reinforcements = chooseReinforcements(plan, judged.findings);
  }
}
