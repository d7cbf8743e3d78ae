import type { Engine } from "../engine/index.ts";
import { endingCases } from "./engine-case/ending.ts";
import { generatingCases } from "./engine-case/generating.ts";
import { scoringCases } from "./engine-case/scoring.ts";
import type { EngineScene, EngineScript } from "./engine-case/script.ts";
import { togetherCases } from "./engine-case/together.ts";

/** One promise that every engine keeps; `run` rejects if this one does not. */
export interface EngineCase {
  readonly name: string;
  run(): Promise<void>;
}

/** The conformance suite of one engine. */
export interface EngineSuite {
  readonly cases: readonly EngineCase[];
  /** Closes the engine that the cases shared. */
  close(): Promise<void>;
}

/** How to run the suite. */
export interface EngineSuiteOptions {
  /** How often the cases of calls at once repeat; 100 by default. */
  readonly rounds?: number;
}

const scripts: readonly EngineScript[] = [
  ...generatingCases,
  ...scoringCases,
  ...endingCases,
  ...togetherCases,
];

/**
 * Creates the conformance suite of an engine, for any test runner:
 *
 * ```ts
 * const suite = createEngineSuite(openMyEngine);
 * for (const { name, run } of suite.cases) it(name, run);
 * afterAll(suite.close);
 * ```
 *
 * `openEngine` gives an engine that has at least a dozen tokens to say to a question, the same ones
 * each time at temperature 0. Most cases share one engine; those that close theirs open another.
 */
export function createEngineSuite(
  openEngine: () => Promise<Engine>,
  options: EngineSuiteOptions = {},
): EngineSuite {
  let opened: Promise<Engine> | null = null;
  const scene: EngineScene = {
    shared: () => {
      opened ??= openEngine();
      return opened;
    },
    open: openEngine,
    rounds: options.rounds ?? 100,
  };
  return {
    cases: scripts.map(({ name, script }) => ({ name, run: () => script(scene) })),
    close: async () => (await opened)?.close(),
  };
}
