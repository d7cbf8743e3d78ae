/**
 * What a process says by its exit code: 0 ok; 1 findings, or no acceptable output; 2 usage: a bad
 * flag, an unknown task, an input that cannot be read or is too long; 3 environment: engine, model,
 * store, network; 130 stopped by Ctrl-C.
 */
export const exitCodes = { ok: 0, findings: 1, usage: 2, environment: 3, stopped: 130 } as const;

/** Codes of the environment's rooms that tell of a wrong argument. */
const usageCodes: ReadonlySet<string> = new Set([
  "engine_context_too_small",
  "engine_invalid_option",
  "model_unknown",
  "model_bad_reference",
  "store_invalid_filter",
  "store_prefix_too_short",
  "store_prune_unbounded",
  "store_run_ambiguous",
]);

/** The exit code of a failure, by its code. */
export function toExitCode(code: string): number {
  if (code.endsWith("_aborted")) return exitCodes.stopped;
  if (usageCodes.has(code)) return exitCodes.usage;
  if (/^(engine|model|store)_/.test(code)) return exitCodes.environment;
  if (/^(cli_output_failed|runtime_not_recorded|runtime_unexpected)$/.test(code))
    return exitCodes.environment;
  if (/^(cli|prompt|runtime)_/.test(code)) return exitCodes.usage;
  if (/^(pack_unknown_task|plan_bad_option)$/.test(code)) return exitCodes.usage;
  return exitCodes.findings;
}
