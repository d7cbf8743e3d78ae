import { answersCode } from "../pack/index.ts";
import type { AppliedReinforcement } from "../prompt/index.ts";
import type { Finding } from "../text/index.ts";
import type { Plan } from "./plan.ts";

/** The reinforcements for what was wrong: each once, in the task's order, with the findings it answers first. */
export function chooseReinforcements(
  plan: Plan,
  findings: readonly Finding[],
): AppliedReinforcement[] {
  const errors = findings.filter((finding) => finding.severity === "error");
  const answered = new Set<Finding>();
  const chosen = new Map<string, AppliedReinforcement>();
  for (const reinforcement of plan.task.retry.reinforce) {
    const own = errors.filter(
      (finding) => !answered.has(finding) && answersCode(reinforcement.on, finding.code),
    );
    if (own.length === 0) continue;
    for (const finding of own) answered.add(finding);
    const { ref } = reinforcement.text;
    const earlier = chosen.get(ref)?.findings ?? [];
    chosen.set(ref, { text: reinforcement.text, findings: [...earlier, ...own] });
  }
  return [...chosen.values()];
}
