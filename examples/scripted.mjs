// Shows a retry without a model: an engine that says what its script says, and what it was asked.
// In this repository: npm run build && node examples/scripted.mjs
import { join } from "node:path";
import { createRuntime, openPack } from "incipit";
import { createScriptedEngine } from "incipit/engine/scripted";
import { shippedPacksPath } from "incipit/runtime";
import { toMessageText } from "incipit/text";

const pack = await openPack(join(shippedPacksPath, "dictation"));
const replies = [
  '{"topic":"Sourdough","intent":"asking"}',
  '{"topic":"sourdough","intent":"question"}',
];
const engine = createScriptedEngine({ replies, constraints: ["gbnf"] });
const runtime = createRuntime({ pack, engine });

const transcript = "how long does a sourdough starter keep in the fridge";
const { value, attempts } = await runtime.run("content-tags", { transcript });
for (const { number, text, findings } of attempts) {
  console.log(`attempt ${number}: ${text}`);
  for (const { code, message } of findings) console.log(`  ${code}: ${message}`);
}
const [, user] = engine.requests[1].messages;
console.log(`\nthe user message of attempt 2:\n${toMessageText(user)}\n`);
console.log("value:", value);
