import { afterAll, describe, it } from "vitest";
import type { GenerateRequest } from "../../../src/engine/index.ts";
import {
  createScriptedEngine,
  type ScriptedEngineOptions,
} from "../../../src/engine/scripted/index.ts";
import { createEngineSuite } from "../../../src/testing/index.ts";

const story =
  "A cat met a dog in the garden, and 🐖 they all talked about Äpfel until the sun was down.";

/** The shared script: it keeps to the suite's grammar of "yes" and "no" when it is given one. */
const tell = (request: GenerateRequest): string => (request.constraint === null ? story : "yes");

const kinds: readonly (readonly [string, ScriptedEngineOptions])[] = [
  ["that scores", { replies: () => story, contextTokens: 200 }],
  ["that cannot score", { replies: () => story, canScore: false }],
  ["that claims to enforce grammars", { replies: tell, constraints: ["gbnf"] }],
  ["in chunks of four", { replies: () => story, chunk: 4 }],
];

describe.each(kinds)("a scripted engine %s", (_, options) => {
  const suite = createEngineSuite(async () => createScriptedEngine(options));
  for (const { name, run } of suite.cases) it(name, run);
  afterAll(suite.close);
});
