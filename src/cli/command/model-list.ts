import type { ListedModel } from "../../model/index.ts";
import { toShortId } from "../../text/index.ts";
import { type CommandDefinition, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { toHome } from "../home.ts";
import { isSet } from "../read-option.ts";
import { printTable } from "../table.ts";

/** What a person reads of a state. */
function printState(model: ListedModel): string {
  const { state, bytes, receivedBytes } = model;
  if (state === "present") return "here";
  if (state === "absent") return "–";
  if (state === "changed") return "changed";
  const percent = bytes === null ? "part" : `${Math.floor((receivedBytes / bytes) * 100)} %`;
  return `${percent} here`;
}

/** `incipit model list`: the models that are known and where they are. */
export const modelListCommand: CommandDefinition = {
  name: "model list",
  summary: "list the models that can be pulled and those that are here",
  arguments: [],
  options: [jsonOption],
  examples: [
    { line: "incipit model list", does: "names, sizes, licences, and which are here" },
    { line: "incipit model list --json", does: "the same with whole digests and paths" },
  ],
  async run({ options, terminal }) {
    const { listModels, printBytes } = await import("../../model/index.ts");
    const models = await listModels({ home: toHome(terminal) });
    if (isSet(options, "json")) {
      terminal.stdout.write(`${JSON.stringify(models, undefined, 2)}\n`);
      return exitCodes.ok;
    }
    const columns = [
      { title: "model", most: 44 },
      { title: "state" },
      { title: "size", align: "right" },
      { title: "licence" },
      { title: "digest" },
    ] as const;
    const rows = models.map((model) => [
      model.isDefault ? `${model.name} *` : model.name,
      printState(model),
      model.bytes === null ? "?" : printBytes(model.bytes),
      model.license ?? "?",
      model.digest === null ? "?" : toShortId(model.digest),
    ]);
    terminal.stdout.write(await printTable(columns, rows, terminal.stdout));
    terminal.stdout.write("* is used when no model is named\n");
    return exitCodes.ok;
  },
};
