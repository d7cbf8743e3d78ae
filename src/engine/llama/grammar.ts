import { spawn } from "node:child_process";
import type { LlamaGrammar, LlamaGrammarEvaluationState, Token } from "node-llama-cpp";
import { IncipitError } from "../../text/index.ts";
import type { LlamaLibrary } from "./library.ts";

/** Says what is wrong with a GBNF text, in one sentence, or null. */
export type CheckGrammar = (grammar: string) => string | null;

/** Native grammars by their text, each looked at once. */
export interface GrammarCache {
  /** Throws `engine_bad_grammar`. */
  load(grammar: string): Promise<LlamaGrammar>;
}

const mostKept = 64;

/**
 * Creates an empty cache. Native code prints the reason for a refusal on standard error, and some
 * texts make it run on or crash. So a text goes there only after `check` has passed it, or, where
 * no check is given, after another process has lived through parsing it.
 */
export function createGrammarCache(
  library: LlamaLibrary,
  check: CheckGrammar | undefined,
): GrammarCache {
  const known = new Map<string, Promise<LlamaGrammar>>();
  const parse = async (grammar: string): Promise<LlamaGrammar> => {
    const reason = check === undefined ? await probeGrammar(grammar) : check(grammar);
    if (reason !== null) throw toBadGrammar(reason, undefined);
    const parsed = await library.log.watch(() => library.llama.createGrammar({ grammar }));
    if (parsed.kind === "done") return parsed.value;
    throw toBadGrammar(parsed.lines.join(" ") || "it gave no reason", parsed.error);
  };
  return {
    load(grammar) {
      const kept = known.get(grammar);
      if (kept !== undefined) return kept;
      const parsed = parse(grammar);
      known.set(grammar, parsed);
      const [oldest] = known.keys();
      if (known.size > mostKept && oldest !== undefined) known.delete(oldest);
      return parsed;
    },
  };
}

function toBadGrammar(reason: string, cause: unknown): IncipitError {
  return new IncipitError(
    "engine_bad_grammar",
    `The engine cannot use the grammar of the request: ${reason.replace(/\.$/, "")}.`,
    { cause, hint: "checkGrammar of incipit/grammar says where it is wrong" },
  );
}

const probeMilliseconds = 5_000;

/** Loads only the native library, and not the package around it, which takes much longer. */
const probeSource = `
  const module = { exports: {} };
  process.dlopen(module, process.argv[1]);
  module.exports.setLogger((level, line) => process.stderr.write(line));
  let grammar = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (chunk) => { grammar += chunk; });
  process.stdin.on("end", () => {
    try {
      new module.exports.AddonGrammar(grammar, { rootRuleName: "root" });
      process.exit(0);
    } catch {
      // Lines of the logger come a little later.
      setTimeout(() => process.exit(3), 50);
    }
  });
`;

/** Parses a grammar in another process: null if it went well, or where none can be started. */
async function probeGrammar(grammar: string): Promise<string | null> {
  const addon = findAddon();
  if (addon === null) return null;
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["-e", probeSource, addon], {
      stdio: ["pipe", "ignore", "pipe"],
      timeout: probeMilliseconds,
      killSignal: "SIGKILL",
      windowsHide: true,
    });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      if (errors.length < 4_000) errors += chunk;
    });
    child.on("error", () => resolve(null));
    child.on("close", (code) => {
      if (code === 0) resolve(null);
      else if (code === 3) resolve(toReason(errors));
      else resolve("llama.cpp does not come to an end with it or crashes on it");
    });
    child.stdin.on("error", () => {});
    child.stdin.end(grammar);
  });
}

/** The reason out of what native code prints: it is one line, then the grammar again. */
function toReason(errors: string): string {
  const line = errors.split("\n").find((one) => one.trim() !== "") ?? "llama.cpp gave no reason";
  return line.replace(/^\S+: (error parsing grammar: )?/, "").trim();
}

/** The path of the native library that this process has loaded. */
function findAddon(): string | null {
  const { report: reporter } = process;
  if (reporter === undefined) return null;
  // Newer than the types: without it, a report looks up the names of all open connections.
  const settings = reporter as object as { excludeNetwork?: boolean };
  const { excludeNetwork = false } = settings;
  settings.excludeNetwork = true;
  const report: unknown = reporter.getReport();
  settings.excludeNetwork = excludeNetwork;
  if (typeof report !== "object" || report === null || !("sharedObjects" in report)) return null;
  const { sharedObjects } = report;
  if (!Array.isArray(sharedObjects)) return null;
  const paths = sharedObjects.filter((path): path is string => typeof path === "string");
  return paths.find((path) => /llama-addon\.node$/.test(path)) ?? null;
}

/**
 * Whether a grammar admits an end here. When it admits no token at all, the library may give out
 * a token that ends the text, and only this tells the two apart.
 */
export function mayEnd(
  library: LlamaLibrary,
  state: LlamaGrammarEvaluationState,
  end: Token | null,
): boolean {
  if (end === null) return true;
  const internal = library.llama as unknown as LlamaInternals;
  const { _state } = state as unknown as StateInternals;
  return internal._bindings.AddonSampler.canBeNextTokenForGrammarEvaluationState(_state, end);
}

/** What `mayEnd` uses of the insides of node-llama-cpp, of this exact version; a test holds it. */
interface LlamaInternals {
  readonly _bindings: {
    readonly AddonSampler: {
      canBeNextTokenForGrammarEvaluationState(state: unknown, token: Token): boolean;
    };
  };
}
interface StateInternals {
  readonly _state: unknown;
}
