import { toContract } from "../contract/index.ts";
import { quoteLine, toFencedSpans } from "../guard/index.ts";
import type { InputDefinition, Module, PackText, Task } from "../pack/index.ts";
import { renderTemplate } from "../template/index.ts";
import type { Digest, Finding, Message, Origin, Span, Tier } from "../text/index.ts";
import type { Inputs } from "./inputs.ts";
import { createPrompt, type Prompt, type PromptPart } from "./prompt.ts";

/** A reinforcement with the findings it answers. */
export interface AppliedReinforcement {
  readonly text: PackText;
  readonly findings: readonly Finding[];
}

export interface ComposeOptions {
  /** Put before the user message, each followed by one blank line. */
  readonly reinforcements?: readonly AppliedReinforcement[];
}

const blankLine: Span = {
  text: "\n\n",
  trust: "trusted",
  origin: { kind: "joint", ref: "blank line" },
};

/** The most findings that one reinforcement names. */
const findingLimit = 3;

function toOrigin(kind: "module" | "template" | "reinforcement", text: PackText, tier: Tier) {
  return { kind, ref: text.ref, version: text.version, tier, source: text.source } satisfies Origin;
}

function joinBlocks(blocks: readonly (readonly Span[])[]): Span[] {
  return blocks.flatMap((block, index) => (index === 0 ? block : [blankLine, ...block]));
}

/** One term a line, quoted, trimmed, without blank ones and repetitions. */
function toListSpans(name: string, items: readonly string[], maxLength: number): Span[] {
  const kept = [...new Set(items.map((item) => item.trim()).filter((item) => item !== ""))];
  return kept.map((item, index) => ({
    text: `${index === 0 ? "" : "\n"}- ${quoteLine(item, maxLength)}`,
    trust: "untrusted",
    origin: { kind: "input", ref: name },
  }));
}

function toInputSpans(
  definition: InputDefinition,
  value: string | readonly string[] | undefined,
  sources: readonly Digest[],
): readonly Span[] {
  if (value === undefined) return [];
  const { name } = definition;
  if (definition.kind === "fragment") {
    const choice = definition.choices.get(String(value));
    if (choice === undefined) return [];
    return renderTemplate(choice.template, new Map(), toOrigin("template", choice, "customizable"));
  }
  if (definition.kind === "list") {
    return toListSpans(name, value as readonly string[], definition.maxLength);
  }
  const text = String(value);
  if (definition.optional && text.trim() === "") return [];
  if (definition.trust === "untrusted") return toFencedSpans(name, text, sources);
  return [{ text, trust: "trusted", origin: { kind: "input", ref: name } }];
}

function pick(names: readonly string[], values: ReadonlyMap<string, readonly Span[]>) {
  return new Map(names.map((name) => [name, values.get(name) ?? []] as const));
}

function isGiven(module: Module, values: ReadonlyMap<string, readonly Span[]>): boolean {
  return module.when === null || (values.get(module.when)?.length ?? 0) > 0;
}

function renderReinforcement({ text, findings }: AppliedReinforcement): readonly Span[] {
  const lines = findings.slice(0, findingLimit).map((finding, index): Span => {
    const { message, hint } = finding;
    const said = hint === undefined ? message : `${message.replace(/\.$/, "")}: ${hint}`;
    return {
      text: `${index === 0 ? "" : "\n"}- ${quoteLine(said, 240)}`,
      trust: "untrusted",
      origin: { kind: "input", ref: "findings" },
    };
  });
  const values = new Map(text.template.variables.map((name) => [name, lines] as const));
  return renderTemplate(text.template, values, toOrigin("reinforcement", text, "protected"));
}

/**
 * Composes the prompt of a task: its modules in order, joined by one blank line, as the system
 * message; reinforcements and the user template as the user message. Untrusted texts stand in a
 * fence, untrusted lists are quoted line by line; no value is scanned for syntax.
 */
export function compose(task: Task, inputs: Inputs, options: ComposeOptions = {}): Prompt {
  const sources = [...task.system.modules, task.user].map((text) => text.digest);
  const values: Map<string, readonly Span[]> = new Map(
    task.inputs.map((definition) => {
      const value = inputs.get(definition.name);
      return [definition.name, toInputSpans(definition, value, sources)] as const;
    }),
  );
  if (usesOutput(task)) values.set("output", describeOutput(task));
  const modules = task.system.modules.filter((module) => isGiven(module, values));
  const system = joinBlocks(
    modules.map((module) => {
      const origin = toOrigin("module", module, module.tier);
      return renderTemplate(module.template, pick(module.template.variables, values), origin);
    }),
  );
  const reinforcements = options.reinforcements ?? [];
  const user = joinBlocks([
    ...reinforcements.map(renderReinforcement),
    renderTemplate(
      task.user.template,
      pick(task.user.template.variables, values),
      toOrigin("template", task.user, "protected"),
    ),
  ]);
  const messages: readonly Message[] = [
    { role: "system", spans: system },
    { role: "user", spans: user },
  ];
  const parts = [
    ...modules.map((module) => toPart(module, module.tier)),
    ...findChosen(task, inputs).map((text) => toPart(text, "customizable")),
    ...reinforcements.map(({ text }) => toPart(text, "protected")),
    toPart(task.user, "protected"),
  ];
  const protectedParts = task.system.modules
    .filter((module) => module.tier === "protected")
    .map((module) => toPart(module, "protected"))
    .concat(toPart(task.user, "protected"));
  return createPrompt(messages, isStable(task, modules) ? 1 : 0, parts, protectedParts);
}

function findChosen(task: Task, inputs: Inputs): PackText[] {
  return task.inputs.flatMap((definition) => {
    if (definition.kind !== "fragment") return [];
    return definition.choices.get(String(inputs.get(definition.name))) ?? [];
  });
}

/** Whether no module holds the text that is worked on, which differs from run to run. */
function isStable(task: Task, modules: readonly Module[]): boolean {
  const texts = new Set(task.inputs.filter(({ kind }) => kind === "text").map(({ name }) => name));
  return !modules.some(({ template }) => template.variables.some((name) => texts.has(name)));
}

function usesOutput(task: Task): boolean {
  const texts = [...task.system.modules, task.user];
  return texts.some(({ template }) => template.variables.includes("output"));
}

/** The instructions of the output contract, for the slot `${output}`. */
function describeOutput(task: Task): readonly Span[] {
  const text = toContract(task.output).describe();
  return [{ text, trust: "trusted", origin: { kind: "contract", ref: `${task.ref}#output` } }];
}

function toPart(text: PackText, tier: Tier): PromptPart {
  return { ref: text.ref, version: text.version, digest: text.digest, tier };
}
