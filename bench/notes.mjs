// Runs the three structured tasks of the dictation pack over examples/notes and prints, for each
// run, whether the value satisfies the contract, how many attempts it took, and length stops.
// Usage: node bench/notes.mjs [task ...]   (after `npm run build`; INCIPIT_MODEL names another model)
import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openLlamaEngine } from "../dist/engine/llama/index.js";
import { createRuntime, openPack } from "../dist/index.js";
import { resolveModel } from "../dist/model/index.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const environment = process.env;
const home = environment.INCIPIT_HOME ?? join(homedir(), ".incipit");
const model = await resolveModel(undefined, { home, environment });
const engine = await openLlamaEngine({
  modelPath: model.path,
  modelName: model.name,
  modelDigest: model.digest,
});
const runtime = createRuntime({ pack: await openPack(join(root, "packs/dictation")), engine });
const names = readdirSync(join(root, "examples/notes")).filter((name) => name.endsWith(".txt"));
const asked = process.argv.slice(2);
const tasks = asked.length > 0 ? asked : ["content-tags", "extract-tasks", "decompose-task"];

let refused = 0;
for (const task of tasks) {
  let accepted = 0;
  let attempts = 0;
  let stops = 0;
  const start = performance.now();
  for (const name of names.sort()) {
    const text = readFileSync(join(root, "examples/notes", name), "utf8").trimEnd();
    const result = await runtime.tryRun(task, {
      [task === "decompose-task" ? "task" : "transcript"]: text,
    });
    attempts += result.attempts.length;
    stops += result.attempts.filter(({ finishReason }) => finishReason === "length").length;
    if (result.kind === "success") accepted += 1;
    const said = result.kind === "success" ? JSON.stringify(result.value) : result.message;
    const codes = result.attempts.flatMap(({ findings }) => findings.map(({ code }) => code));
    const row = [task, name, result.kind, `${result.attempts.length} attempts`, codes.join(" ")];
    console.log(`${row.join("  ")}\n    ${said.slice(0, 160)}`);
  }
  refused += names.length - accepted;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(
    `\n${task}: ${accepted} of ${names.length} acceptable, ${attempts} attempts, ` +
      `${stops} length stops, ${seconds} s, model ${model.name}\n`,
  );
}
await engine.close();
process.exitCode = refused === 0 ? 0 : 1;
