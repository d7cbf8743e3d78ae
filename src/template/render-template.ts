import { IncipitError, type Origin, type Span } from "../text/index.ts";
import type { Template } from "./template.ts";

/** What each variable becomes. Values are leaves: they are never scanned for slots. */
export type TemplateValues = ReadonlyMap<string, readonly Span[]>;

/**
 * Renders a template once, to spans: its own text with `origin`, each variable as the spans given.
 *
 * Throws `template_missing_variable` and `template_unknown_variable`.
 */
export function renderTemplate(
  template: Template,
  values: TemplateValues,
  origin: Origin,
): readonly Span[] {
  const missing = template.variables.filter((name) => !values.has(name)).sort();
  if (missing.length > 0) {
    throw new IncipitError(
      "template_missing_variable",
      `Missing required variables: ${missing.join(", ")}.`,
      { hint: `"${origin.ref}" needs ${template.variables.join(", ")}` },
    );
  }
  const unknown = [...values.keys()].filter((name) => !template.variables.includes(name)).sort();
  if (unknown.length > 0) {
    throw new IncipitError(
      "template_unknown_variable",
      `"${origin.ref}" declares no variable ${unknown.map((name) => `"${name}"`).join(", ")}.`,
      { hint: `it declares ${template.variables.join(", ") || "none"}` },
    );
  }
  const spans: Span[] = [];
  for (const node of template.nodes) {
    if (node.kind === "text") spans.push({ text: node.text, trust: "trusted", origin });
    else spans.push(...(values.get(node.name) ?? []));
  }
  return spans;
}
