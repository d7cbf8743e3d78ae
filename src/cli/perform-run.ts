import type { Result } from "../plan/index.ts";
import type { RunOptions, Runtime } from "../runtime/index.ts";
import type { PreparedRun } from "./prepare-runs.ts";
import type { StatusLine } from "./status-line.ts";

/** A run that came to its end, acceptable or not. */
export interface PerformedRun {
  readonly result: Result;
  /** The id it is recorded under; null when it is not. */
  readonly runId: string | null;
  readonly stampId: string;
  readonly milliseconds: number;
}

/** Performs one run and shows on the status line how far it is. */
export async function performRun(
  runtime: Runtime,
  run: Pick<PreparedRun, "plan" | "given">,
  options: RunOptions,
  context: { readonly status: StatusLine; readonly label: string; readonly recorded: boolean },
): Promise<PerformedRun> {
  const { status, label, recorded } = context;
  const { digestStamp } = await import("../plan/index.ts");
  const startedAt = performance.now();
  let characters = 0;
  for await (const event of runtime.stream(run.plan.task.name, run.given, options)) {
    if (event.kind === "attempt-start") {
      characters = 0;
      const again = event.attempt === 1 ? "" : `, attempt ${event.attempt}`;
      status.show(`${label}: reading the prompt${again} …`);
    } else if (event.kind === "text-delta") {
      characters += event.text.length;
      status.show(`${label}: ${characters} characters written …`);
    } else if (event.kind === "run-end") {
      const { result, id } = event;
      const lost = result.warnings.some(({ code }) => code === "runtime_not_recorded");
      return {
        result,
        runId: recorded && !lost ? id : null,
        stampId: digestStamp(result.stamp),
        milliseconds: Math.round(performance.now() - startedAt),
      };
    }
  }
  throw new Error("The run ended without a result.");
}
