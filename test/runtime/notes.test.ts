import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../src/engine/index.ts";
import { openLlamaEngine } from "../../src/engine/llama/index.ts";
import { createRuntime, openPack, type Runtime } from "../../src/runtime/index.ts";
import { modelTitle, noModelReason, testModelPath } from "../engine/test-model.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const notes = readdirSync(`${root}/examples/notes`)
  .filter((name) => name.endsWith(".txt"))
  .sort();

describe.skipIf(noModelReason !== null)(modelTitle("the dictation pack on SmolLM2"), () => {
  let engine: Engine;
  let runtime: Runtime;

  beforeAll(async () => {
    engine = await openLlamaEngine({ modelPath: testModelPath() });
    runtime = createRuntime({ pack: await openPack(`${root}/packs/dictation`), engine });
  });

  afterAll(async () => {
    await engine?.close();
  });

  it("has twenty notes to run on", () => {
    expect(notes).toHaveLength(20);
  });

  // All three tasks on all notes: `node bench/notes.mjs`, about five minutes.
  const short = ["clinic-false-starts.txt", "empty.txt", "filler-only.txt", "roof-quote.txt"];
  for (const [task, input, names] of [
    ["content-tags", "transcript", notes],
    ["extract-tasks", "transcript", notes],
    ["decompose-task", "task", short],
  ] as const) {
    it(`${task}: each of ${names.length} notes gives a value that satisfies the contract, or whenEmpty`, async () => {
      const failed: string[] = [];
      for (const name of names) {
        const text = readFileSync(`${root}/examples/notes/${name}`, "utf8").trimEnd();
        const { plan } = runtime.show(task, { [input]: text });
        const result = await runtime.tryRun(task, { [input]: text });
        if (result.kind === "failure") {
          failed.push(`${name}: ${result.message}`);
          continue;
        }
        if (plan.empty) {
          expect(result.value).toEqual(plan.task.whenEmpty?.value);
          expect(["empty.txt", "filler-only.txt"]).toContain(name);
          continue;
        }
        expect(plan.contract.check(result.text)).toMatchObject({ kind: "accepted" });
        expect(result.text).not.toMatch(/[,:] {2}|^\s|\s$|\n/);
        for (const attempt of result.attempts) {
          const codes = attempt.findings.map(({ code }) => code);
          if (attempt.finishReason === "length") expect(codes).toContain("plan_length_stop");
        }
      }
      expect(failed).toEqual([]);
    }, 400_000);
  }
});
