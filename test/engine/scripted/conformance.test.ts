import { afterAll, describe, it } from "vitest";
import { createScriptedEngine } from "../../../src/engine/scripted/index.ts";
import { createEngineSuite } from "../../../src/testing/index.ts";

const story =
  "A cat met a dog in the garden, and 🐖 they all talked about Äpfel until the sun was down.";
const constraints = ["gbnf"] as const;

describe.each([
  ["that scores", { replies: () => story, contextTokens: 200 }],
  ["that cannot score", { replies: () => story, canScore: false }],
  [
    "that claims to enforce grammars",
    { replies: () => "yes or no, a cat and a dog, and so on, and on", constraints },
  ],
  ["in chunks of four", { replies: () => story, chunk: 4 }],
])("a scripted engine %s", (_, options) => {
  const suite = createEngineSuite(async () => createScriptedEngine(options));
  for (const { name, run } of suite.cases) it(name, run);
  afterAll(suite.close);
});
