import { afterAll, describe, it } from "vitest";
import { openLlamaEngine } from "../../../src/engine/llama/index.ts";
import { createEngineSuite } from "../../../src/testing/index.ts";
import { modelTitle, noModelReason, testModelPath } from "../test-model.ts";

describe.skipIf(noModelReason !== null)(modelTitle("the llama engine"), () => {
  const suite = createEngineSuite(() => openLlamaEngine({ modelPath: testModelPath() }));
  for (const { name, run } of suite.cases) it(name, run, 120_000);
  afterAll(suite.close);
});
