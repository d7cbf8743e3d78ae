import { findFenceLeak, findPromptEcho, runChecks } from "../check/index.ts";
import type { GenerateOutcome } from "../engine/index.ts";
import type { Prompt } from "../prompt/index.ts";
import type { Finding, Json } from "../text/index.ts";
import type { Plan } from "./plan.ts";

/** What came of reading an output. */
export interface Judged {
  readonly accepted: { readonly value: Json; readonly text: string } | null;
  readonly findings: readonly Finding[];
}

/** What of the prompt itself stands in an output: its fences, and its own texts. */
function findLeaks(prompt: Prompt, text: string): Finding[] {
  const spans = prompt.messages.flatMap((message) => message.spans);
  const textsOf = (trust: "trusted" | "untrusted"): string[] =>
    spans.filter((span) => span.trust === trust).map((span) => span.text);
  return [
    ...findFenceLeak(text, prompt.fences),
    ...findPromptEcho(text, textsOf("trusted"), textsOf("untrusted")),
  ];
}

function judgeText(plan: Plan, prompt: Prompt, text: string): Judged {
  const leaks = findLeaks(prompt, text);
  if (leaks.length > 0) return { accepted: null, findings: leaks };
  const checked = plan.contract.check(text);
  if (checked.kind === "refused") return { accepted: null, findings: checked.findings };
  const { value, warnings } = checked;
  const findings = runChecks(plan.task.checks, {
    value,
    inputs: Object.fromEntries(plan.inputs),
  });
  const refused = findings.some((finding) => finding.severity === "error");
  return { accepted: refused ? null : { value, text }, findings: [...warnings, ...findings] };
}

/** What the whole parts of an output, each once, are worth; null when they are not acceptable. */
function judgeRepaired(plan: Plan, prompt: Prompt, text: string): Judged | null {
  const repaired = plan.contract.repair(text);
  return repaired === null ? null : judgeText(plan, prompt, repaired);
}

function judgeWhole(plan: Plan, prompt: Prompt, text: string): Judged {
  const judged = judgeText(plan, prompt, text);
  const repeats = judged.findings.every(({ code }) => code === "contract_repeated_item");
  if (judged.accepted !== null || !repeats) return judged;
  const repaired = judgeRepaired(plan, prompt, text);
  if (repaired === null || repaired.accepted === null) return judged;
  const message = "The output repeated items of its list; each is kept once.";
  const dropped: Finding = {
    code: "plan_repetition_dropped",
    severity: "warning",
    message,
    path: "",
  };
  return { accepted: repaired.accepted, findings: [dropped, ...repaired.findings] };
}

/**
 * Judges an output: the contract first, then the task's checks. An output that was cut at the
 * token limit or that repeats items is refused, unless its whole parts, each once, satisfy both;
 * then a warning says so.
 */
export function judge(plan: Plan, prompt: Prompt, outcome: GenerateOutcome): Judged {
  if (outcome.finishReason === "stop") return judgeWhole(plan, prompt, outcome.text);
  const message = `The output was cut at ${outcome.usage.outputTokens} tokens.`;
  const cut: Finding = { code: "plan_length_stop", severity: "error", message, path: "" };
  const judged = judgeRepaired(plan, prompt, outcome.text);
  if (judged === null || judged.accepted === null) {
    return {
      accepted: null,
      findings: [{ ...cut, hint: "write less" }, ...(judged?.findings ?? [])],
    };
  }
  const kept: Finding = {
    ...cut,
    severity: "warning",
    message: `${message.slice(0, -1)}; the parts that were whole are kept.`,
    hint: "raise the task's maxTokens if items are missing",
  };
  return { accepted: judged.accepted, findings: [kept, ...judged.findings] };
}
