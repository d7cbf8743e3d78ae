import type { PulledModel } from "../model/index.ts";
import { toHome } from "./home.ts";
import { createPullProgress } from "./pull-progress.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Pulls a model and shows on stderr how far it is. With `json` that is done on a terminal only, for
 * a program reads errors there.
 */
export async function pullVisibly(
  reference: string | undefined,
  terminal: Terminal,
  { json }: { readonly json: boolean },
): Promise<PulledModel> {
  const { defaultModelName, pullModel } = await import("../model/index.ts");
  const isShown = !json || terminal.stderr.isTerminal;
  const progress = isShown ? await createPullProgress(terminal.stderr) : null;
  try {
    return await pullModel(reference ?? defaultModelName, {
      home: toHome(terminal),
      environment: terminal.environment,
      signal: terminal.signal,
      onProgress: progress?.listen,
    });
  } finally {
    progress?.stop();
  }
}
