import { type CommandDefinition, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { pullVisibly } from "../pull-visibly.ts";
import { isSet } from "../read-option.ts";

/** `incipit model pull`: brings a model file into the cache. */
export const modelPullCommand: CommandDefinition = {
  name: "model pull",
  summary: "fetch a model, check it, and keep it under INCIPIT_HOME",
  arguments: [
    {
      name: "[model]",
      description: "a name of the list, hf:owner/repository/file.gguf, or a path; else the default",
    },
  ],
  options: [jsonOption],
  examples: [
    { line: "incipit model pull", does: "the default model; goes on where a pull was stopped" },
    {
      line: "incipit model pull ~/Downloads/model.gguf",
      does: "a file that is here already, used where it is",
    },
  ],
  async run({ arguments: [reference], options, terminal }) {
    const json = isSet(options, "json");
    const model = await pullVisibly(reference, terminal, { json });
    if (json) {
      terminal.stdout.write(`${JSON.stringify(model, undefined, 2)}\n`);
      return exitCodes.ok;
    }
    const { printBytes } = await import("../../model/index.ts");
    const how = model.source === null ? "was here already" : "is ready";
    terminal.stdout.write(`${model.name} ${how}: ${model.path} (${printBytes(model.bytes)})\n`);
    return exitCodes.ok;
  },
};
