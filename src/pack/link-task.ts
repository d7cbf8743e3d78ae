import { type Check, parseCheck } from "../check/index.ts";
import { type ContractDefinition, tryContract } from "../contract/index.ts";
import { digestParts, type Json, printCanonicalJson, toHint } from "../text/index.ts";
import { answerCodes, answersCode } from "./answer-codes.ts";
import type { DataFile } from "./data-file.ts";
import {
  fitShape,
  follow,
  type Library,
  linkFragment,
  linkTemplate,
  readFile,
  report,
} from "./library.ts";
import { linkSystem } from "./link-system.ts";
import type { InputDefinition, PackText, Reinforcement, Task } from "./pack.ts";
import { type RawTask, taskShape } from "./shape.ts";

function linkFragmentInput(library: Library, file: DataFile, name: string, from: string) {
  const choices = new Map<string, PackText>();
  const use = { file, keys: ["inputs", name, "from"] };
  const target = follow(library, from, use);
  const isObject = typeof target?.data === "object" && target.data !== null;
  for (const key of isObject ? Object.keys(target.data as object) : []) {
    const escaped = key.replace(/[\\.]/g, "\\$&");
    const reference = from.includes("#") ? `${from}.${escaped}` : `${from}#${escaped}`;
    const text = linkFragment(library, reference, use);
    if (text === null) continue;
    choices.set(key, text);
    if (text.template.variables.length === 0) continue;
    report(library, {
      code: "pack_unknown_variable",
      message: `The fragment "${reference}" uses "${text.template.variables.join(", ")}".`,
      span: text.source,
      hint: "a fragment that an input chooses is fixed text",
    });
  }
  if (choices.size === 0) {
    report(library, {
      code: "pack_bad_value",
      message: `"inputs.${name}.from" is not right: "${from}" has no fragment to choose.`,
      span: file.locate(use.keys),
      hint: "name a file or group of fragments",
    });
  }
  return choices;
}

function linkInputs(library: Library, file: DataFile, raw: RawTask): InputDefinition[] {
  return Object.entries(raw.inputs).map(([name, input]): InputDefinition => {
    const { description, optional } = input;
    if (input.type === "fragment") {
      const choices = linkFragmentInput(library, file, name, input.from);
      return { kind: "fragment", name, description, optional, choices };
    }
    const { maxLength } = input;
    if (input.type === "text") {
      return { kind: "text", name, description, optional, trust: input.trust, maxLength };
    }
    return { kind: "list", name, description, optional, maxItems: input.maxItems, maxLength };
  });
}

function linkReinforcements(library: Library, file: DataFile, raw: RawTask): Reinforcement[] {
  return raw.retry.reinforce.flatMap(({ on, use }, index) => {
    if (!answerCodes.some((code) => answersCode(on, code))) {
      report(library, {
        code: "pack_bad_value",
        message: `"retry.reinforce.${index}.on" is not right: "${on}" is no code of a finding.`,
        span: file.locate(["retry", "reinforce", index, "on"]),
        hint: toHint(on, [...answerCodes, "contract", "check", "plan"]),
      });
    }
    const text = linkFragment(library, use, { file, keys: ["retry", "reinforce", index, "use"] });
    if (text === null) return [];
    const other = text.template.variables.filter((name) => name !== "findings");
    if (other.length > 0) {
      report(library, {
        code: "pack_unknown_variable",
        message: `The reinforcement "${use}" uses "${other.join(", ")}".`,
        span: text.source,
        hint: "a reinforcement can use only the variable findings",
      });
    }
    return [{ on, text }];
  });
}

/** The variable that stands for the instructions of the output contract. */
const outputVariable = "output";

function checkVariables(library: Library, task: Task): void {
  const inputs = new Map(task.inputs.map((input) => [input.name, input]));
  if (inputs.has(outputVariable)) {
    report(library, {
      code: "pack_reserved_key",
      message: `"${outputVariable}" is a reserved name and cannot be an input.`,
      span: task.user.source,
      hint: "it stands for the instructions of the output contract",
    });
  }
  for (const text of [...task.system.modules, task.user]) {
    for (const name of text.template.variables) {
      if (inputs.has(name) || name === outputVariable) continue;
      report(library, {
        code: "pack_unknown_variable",
        message: `"${text.ref}" uses the variable "${name}", which is not an input of the task.`,
        span: text.source,
        hint: toHint(name, inputs.keys()),
      });
    }
  }
  for (const module of task.system.modules) {
    const optional = module.template.variables.filter((name) => inputs.get(name)?.optional);
    const unguarded = optional.filter((name) => name !== module.when);
    if (unguarded.length > 0 || (module.when !== null && !inputs.has(module.when))) {
      report(library, {
        code: "pack_unguarded_module",
        message: `The module "${module.name}" needs "${unguarded[0] ?? module.when}" to be given.`,
        span: module.source,
        hint: 'name that optional input under "when"',
      });
    }
  }
  const last = task.user.template.nodes.at(-1);
  const isPlain = task.user.template.nodes.length === 1;
  if (last?.kind !== "text" || !(isPlain || /\n[^\n]*\p{L}/u.test(last.text))) {
    report(library, {
      code: "pack_last_word",
      message: `"${task.user.ref}" has no line of its own after its last variable.`,
      span: task.user.source,
      hint: "end the user template with a line of its own that restates the task",
    });
  }
}

/** Links a `tasks/*.yaml` file; null when it cannot be run (findings say why). */
export function linkTask(library: Library, path: string, packName: string): Task | null {
  const file = readFile(library, path, null);
  if (file === null) return null;
  const raw = fitShape(library, taskShape, { file, keys: [], data: file.data });
  if (raw === null) return null;
  const name = path.slice("tasks/".length).replace(/\.ya?ml$/, "");
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(name)) {
    report(library, {
      code: "pack_bad_value",
      message: `"${path}" is not right: "${name}" is no name for a task.`,
      span: file.locate([]),
      hint: "name the file with lower-case letters, digits and hyphens",
    });
  }
  const system = linkSystem(library, raw.system, { file, keys: ["system"] });
  const user = linkTemplate(library, raw.user, { file, keys: ["user"] });
  const { findings } = tryContract(raw.output as ContractDefinition);
  for (const finding of findings) {
    library.findings.push({ ...finding, span: file.locate(["output", "schema"]) });
  }
  const checks = raw.checks.flatMap((written, index): Check[] => {
    const parsed = parseCheck(written as Json);
    const span = file.locate(["checks", index]);
    library.findings.push(...parsed.findings.map((finding) => ({ ...finding, span })));
    return parsed.check === null ? [] : [parsed.check];
  });
  const inputs = linkInputs(library, file, raw);
  const reinforce = linkReinforcements(library, file, raw);
  if (system === null || user === null) return null;
  const { topK, topP, minP } = raw.sampling;
  const task: Task = {
    name,
    ref: `${packName}/${name}`,
    version: raw.version,
    description: raw.description,
    digest: digestParts("task/1", [
      name,
      printCanonicalJson(file.data),
      ...[...system.modules, user, ...reinforce.map(({ text }) => text)].map(
        ({ digest }) => digest,
      ),
      ...inputs.flatMap((input) =>
        input.kind === "fragment" ? [...input.choices.values()].map(({ digest }) => digest) : [],
      ),
    ]),
    system,
    user,
    inputs,
    whenEmpty: raw.whenEmpty === undefined ? null : { value: raw.whenEmpty as Json },
    output: raw.output as ContractDefinition,
    checks,
    sampling: {
      temperature: raw.sampling.temperature,
      ...(topK === undefined ? {} : { topK }),
      ...(topP === undefined ? {} : { topP }),
      ...(minP === undefined ? {} : { minP }),
    },
    limits: {
      maxTokens: raw.limits.maxTokens,
      tokensPerInputCharacter: raw.limits.tokensPerInputCharacter ?? null,
    },
    retry: { ...raw.retry, reinforce },
  };
  checkVariables(library, task);
  return task;
}
