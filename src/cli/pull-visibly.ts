import type { PulledModel } from "../model/index.ts";
import { toHome } from "./home.ts";
import { createPullProgress } from "./pull-progress.ts";
import type { Terminal } from "./terminal.ts";

/** Pulls a model and shows on stderr how far it is. */
export async function pullVisibly(
  reference: string | undefined,
  terminal: Terminal,
): Promise<PulledModel> {
  const { defaultModelName, pullModel } = await import("../model/index.ts");
  const progress = await createPullProgress(terminal.stderr);
  try {
    return await pullModel(reference ?? defaultModelName, {
      home: toHome(terminal),
      environment: terminal.environment,
      signal: terminal.signal,
      onProgress: progress.listen,
    });
  } finally {
    progress.stop();
  }
}
