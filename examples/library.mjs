// Tags a note with a model in this process. `npx incipit model pull` fetches the default model;
// INCIPIT_MODEL names another one. In this repository: npm run build && node examples/library.mjs
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { createRuntime, digestStamp, openPack } from "incipit";
import { openLlamaEngine } from "incipit/engine/llama";
import { resolveModel } from "incipit/model";
import { shippedPacksPath } from "incipit/runtime";

const home = process.env.INCIPIT_HOME ?? join(homedir(), ".incipit");
const { path, name, digest } = await resolveModel(undefined, { home });
const runtime = createRuntime({
  pack: await openPack(join(shippedPacksPath, "dictation")),
  engine: () => openLlamaEngine({ modelPath: path, modelName: name, modelDigest: digest }),
});

try {
  const file = await readFile(new URL("notes/standup.txt", import.meta.url), "utf8");
  const transcript = file.replace(/\n$/, ""); // as the command line reads it
  const { value, stamp } = await runtime.run("dictation/content-tags", { transcript });
  console.log(value);
  console.log(`stamp ${digestStamp(stamp).slice(0, 16)}`);
} finally {
  await runtime.close();
}
