import type { PresentModel } from "../model/index.ts";
import type { Pack } from "../pack/index.ts";
import type { Runtime } from "../runtime/index.ts";
import type { Store } from "../store/index.ts";
import { IncipitError } from "../text/index.ts";
import type { OptionDefinition, OptionValues } from "./command.ts";
import { toHome, toStorePath } from "./home.ts";
import { addHint } from "./open-runs.ts";
import { readText, readWholeNumber } from "./read-option.ts";
import type { Terminal } from "./terminal.ts";

/** The flags of every command that asks a model. */
export const modelOptions: readonly OptionDefinition[] = [
  { flags: "--model <model>", description: "a name, hf:owner/repository/file.gguf, or a path" },
  { flags: "--context <n>", description: "tokens that prompt and output may have together" },
];

/** A runtime with all its parts, and where they are. */
export interface Assembly {
  readonly runtime: Runtime;
  /** The file that runs are recorded in; null where they are not. */
  readonly storePath: string | null;
  close(): Promise<void>;
}

export interface AssembleOptions {
  readonly pack: Pack;
  readonly terminal: Terminal;
  /** The model; null where no run will ask one. */
  readonly model: PresentModel | null;
  readonly contextTokens: number | undefined;
  /** Whether runs are recorded. */
  readonly recorded: boolean;
  /** Called when the model begins to be loaded. */
  readonly onLoad: (model: PresentModel) => void;
}

/** Finds the model that the flags, the environment or the catalogue's default name. */
export async function findModel(
  options: OptionValues,
  terminal: Terminal,
  onVerify: () => void,
): Promise<PresentModel> {
  const { resolveModel } = await import("../model/index.ts");
  return resolveModel(readText(options, "model"), {
    home: toHome(terminal),
    environment: terminal.environment,
    signal: terminal.signal,
    remember: options.store !== false,
    onProgress: onVerify,
  });
}

/** The size of the context that the flags ask for. */
export function readContext(options: OptionValues): number | undefined {
  return readWholeNumber(options, "context", { flag: "--context", least: 128, most: 1_000_000 });
}

async function openRunStore(path: string): Promise<Store> {
  const { openSqliteStore } = await import("../store/sqlite/index.ts");
  try {
    return await openSqliteStore(path);
  } catch (error) {
    throw addHint(error, "name another folder with INCIPIT_HOME, or run with --no-store");
  }
}

/** Puts pack, engine and store together: the one place where that is done. */
export async function assemble(options: AssembleOptions): Promise<Assembly> {
  const { pack, terminal, model, contextTokens, recorded, onLoad } = options;
  const storePath = recorded ? toStorePath(toHome(terminal)) : null;
  terminal.signal.throwIfAborted();
  const { createRuntime } = await import("../runtime/index.ts");
  const store = storePath === null ? null : await openRunStore(storePath);
  const runtime = createRuntime({
    pack,
    store,
    engine: async () => {
      if (model === null) throw new IncipitError("runtime_unexpected", "A model was not expected.");
      onLoad(model);
      const [{ openLlamaEngine }, { checkGrammar }] = await Promise.all([
        import("../engine/llama/index.ts"),
        import("../grammar/index.ts"),
      ]);
      if (terminal.signal.aborted) {
        throw new IncipitError("engine_aborted", "Stopped before the model was loaded.", {
          hint: "Run it again to have it end.",
        });
      }
      return openLlamaEngine({
        modelPath: model.path,
        modelName: model.name,
        modelDigest: model.digest,
        contextTokens,
        checkGrammar: (text) => {
          const { findings } = checkGrammar(text);
          return findings.find(({ severity }) => severity === "error")?.message ?? null;
        },
        signal: terminal.signal,
      });
    },
  });
  return {
    runtime,
    storePath,
    async close() {
      await runtime.close();
      await store?.close();
    },
  };
}
