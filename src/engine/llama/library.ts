import type * as NodeLlamaCpp from "node-llama-cpp";
import { IncipitError } from "../../text/index.ts";

/** The version of node-llama-cpp that this adapter is written and tested against. */
export const libraryVersion = "3.21.1";

/** node-llama-cpp, loaded once per process, and what its native code has to say. */
export interface LlamaLibrary {
  readonly module: typeof NodeLlamaCpp;
  readonly llama: NodeLlamaCpp.Llama;
  readonly log: NativeLog;
}

/** Lines of native code, which would otherwise land on the user's standard error. */
interface NativeLog {
  write(level: string, message: string): void;
  /** Warnings and errors written while `work` ran, and what came of it. */
  watch<Result>(work: () => Promise<Result>): Promise<WatchedResult<Result>>;
}

/** What came of watched work. */
type WatchedResult<Result> =
  | { readonly kind: "done"; readonly value: Result }
  | { readonly kind: "failed"; readonly error: unknown; readonly lines: readonly string[] };

const keptLines = 200;

/** Creates an empty log that keeps the last 200 lines. */
function createNativeLog(): NativeLog {
  const lines: string[] = [];
  let written = 0;
  return {
    write(level, message) {
      if (level !== "error" && level !== "fatal" && level !== "warn") return;
      lines.push(message.trim());
      written += 1;
      if (lines.length > keptLines) lines.shift();
    },
    async watch(work) {
      const before = written;
      try {
        return { kind: "done", value: await work() };
      } catch (error) {
        // Native lines reach JavaScript in a microtask of their own.
        await new Promise((resolve) => setImmediate(resolve));
        const count = Math.min(written - before, lines.length);
        return { kind: "failed", error, lines: count === 0 ? [] : lines.slice(-count) };
      }
    },
  };
}

let loaded: Promise<LlamaLibrary> | null = null;

/**
 * Loads node-llama-cpp the first time it is called; the CPU only, so that the same request gives
 * the same bytes on the machines that share a processor. Throws `engine_package_missing`,
 * `engine_package_version` or `engine_library_failed`.
 */
export function loadLibrary(): Promise<LlamaLibrary> {
  loaded ??= openLibrary(() => import("node-llama-cpp")).catch((error: unknown) => {
    loaded = null;
    throw error;
  });
  return loaded;
}

/** Opens the library that `importModule` gives. */
export async function openLibrary(
  importModule: () => Promise<typeof NodeLlamaCpp>,
): Promise<LlamaLibrary> {
  const module = await importModule().catch((error: unknown) => {
    throw toImportFailure(error);
  });
  const version = await module.getModuleVersion();
  if (version !== libraryVersion) {
    throw new IncipitError(
      "engine_package_version",
      `The package "node-llama-cpp" is version ${version}; ${libraryVersion} was expected.`,
      { hint: `Run \`npm install node-llama-cpp@${libraryVersion}\`.` },
    );
  }
  const log = createNativeLog();
  const opened = await log.watch(() =>
    module.getLlama({
      gpu: false,
      build: "never",
      skipDownload: true,
      progressLogs: false,
      logLevel: module.LlamaLogLevel.warn,
      logger: log.write,
    }),
  );
  if (opened.kind === "done") return { module, llama: opened.value, log };
  throw new IncipitError(
    "engine_library_failed",
    `node-llama-cpp ${version} could not start on this machine (${process.platform} ${process.arch}).`,
    {
      cause: withLines(opened.error, opened.lines),
      hint: "Its ready-made binaries need glibc on Linux, macOS 13 or Windows 10 at least.",
    },
  );
}

function toImportFailure(error: unknown): IncipitError {
  const missing =
    error instanceof Error &&
    "code" in error &&
    (error.code === "ERR_MODULE_NOT_FOUND" || error.code === "MODULE_NOT_FOUND") &&
    error.message.includes("node-llama-cpp");
  if (missing) {
    return new IncipitError(
      "engine_package_missing",
      'The llama engine needs the package "node-llama-cpp", which is not installed.',
      { cause: error, hint: `Run \`npm install node-llama-cpp@${libraryVersion}\`.` },
    );
  }
  return new IncipitError(
    "engine_library_failed",
    'The package "node-llama-cpp" is installed but could not be loaded.',
    { cause: error, hint: `Run \`npm install node-llama-cpp@${libraryVersion}\` again.` },
  );
}

/** An error that carries the native lines after its own message. */
export function withLines(error: unknown, lines: readonly string[]): Error {
  const message = error instanceof Error ? error.message : String(error);
  return new Error([message, ...lines].join("\n"), { cause: error });
}
