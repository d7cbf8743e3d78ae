import { toHint } from "../text/index.ts";
import { fitShape, follow, type Library, report, toPackText, type UsePlace } from "./library.ts";
import type { Module, SystemPrompt } from "./pack.ts";
import { moduleShape, systemShape } from "./shape.ts";

const notModules = new Set(["version", "description", "composition"]);

/** Links a `system/*.yaml` file: its modules in the order of its composition. */
export function linkSystem(
  library: Library,
  reference: string,
  use: UsePlace,
): SystemPrompt | null {
  const target = follow(library, reference, use);
  if (target === null) return null;
  const head = fitShape(library, systemShape, target);
  if (head === null) return null;
  const { file } = target;
  const data = target.data as { readonly [key: string]: unknown };
  const modules = new Map<string, Module>();
  for (const name of Object.keys(data)) {
    if (notModules.has(name)) continue;
    const keys = [...target.keys, name];
    const module = fitShape(library, moduleShape, { file, keys, data: data[name] as never });
    if (module === null) continue;
    const text = toPackText(library, {
      ref: `${reference}#${name}`,
      version: module.version ?? head.version,
      variables: module.variables,
      content: module.content,
      file,
      keys: [...keys, "content"],
    });
    if (text === null) continue;
    const { tier, description, when = null } = module;
    if (
      tier === "protected" &&
      (when !== null || module.variables.some((one) => one !== "output"))
    ) {
      report(library, {
        code: "pack_protected_module_varies",
        message: `The protected module "${name}" depends on an input.`,
        span: file.locate(keys),
        hint: 'take "when" and "variables" out, or make the module customizable',
      });
    }
    modules.set(name, { ...text, name, tier, description, when });
  }
  const order = head.composition.module_order;
  for (const [index, name] of order.entries()) {
    const span = file.locate([...target.keys, "composition", "module_order", index]);
    if (order.indexOf(name) !== index) {
      report(library, {
        code: "pack_repeated_module",
        message: `The module "${name}" stands twice in the module order.`,
        span,
        hint: "name each module once",
      });
    } else if (!Object.hasOwn(data, name) || notModules.has(name)) {
      report(library, {
        code: "pack_unknown_module",
        message: `The module order names "${name}", which is not a module of "${reference}".`,
        span,
        hint: toHint(name, modules.keys()),
      });
    }
  }
  for (const name of modules.keys()) {
    if (order.includes(name)) continue;
    library.findings.push({
      code: "pack_unused_module",
      severity: "warning",
      message: `The module "${name}" does not stand in the module order.`,
      span: file.locate([...target.keys, name]),
      hint: "add it to composition.module_order, or remove it",
    });
  }
  const inOrder = order.flatMap((name) => modules.get(name) ?? []);
  return { ref: reference, version: head.version, modules: inOrder };
}
