import { type Finding, IncipitError, type SourceSpan, toHint } from "../text/index.ts";
import type { Template, TemplateNode } from "./template.ts";

export interface ParseTemplateOptions {
  /** The names that are syntax; every other brace is text. */
  readonly variables: readonly string[];
  /** Gives the place in the file of an offset range of the text; null when unknown. */
  readonly locate?: (start: number, end: number) => SourceSpan | null;
}

/** The template, and the findings that make it unusable (then `template` is null). */
export interface ParsedTemplate {
  readonly template: Template | null;
  readonly findings: readonly Finding[];
}

const slot = /\$\{([^${}\n]*)\}/g;

/**
 * Parses a text with declared variables, collecting findings.
 *
 * A slot is `${name}` with a declared name. `${name}` with any other name is an error, since a
 * misspelt slot would otherwise reach the model as text; a lone `$`, `{` or `}` is text. A
 * declared name that the text never uses is a warning.
 */
export function tryParseTemplate(text: string, options: ParseTemplateOptions): ParsedTemplate {
  const declared = new Set(options.variables);
  const used = new Set<string>();
  const nodes: TemplateNode[] = [];
  const findings: Finding[] = [];
  let end = 0;
  for (const match of text.matchAll(slot)) {
    const name = match[1] ?? "";
    const span = options.locate?.(match.index, match.index + match[0].length) ?? null;
    if (!declared.has(name)) {
      findings.push({
        code: "template_undeclared_variable",
        severity: "error",
        message: `"${match[0]}" is not a declared variable.`,
        ...(span === null ? {} : { span }),
        hint: `declare it under "variables", or correct its name: ${toHint(name, declared)}`,
      });
      continue;
    }
    if (match.index > end) nodes.push({ kind: "text", text: text.slice(end, match.index) });
    nodes.push({ kind: "variable", name, span });
    used.add(name);
    end = match.index + match[0].length;
  }
  if (end < text.length) nodes.push({ kind: "text", text: text.slice(end) });
  for (const name of declared) {
    if (used.has(name)) continue;
    const span = options.locate?.(0, text.length) ?? null;
    findings.push({
      code: "template_unused_variable",
      severity: "warning",
      message: `The variable "${name}" is declared and never used.`,
      ...(span === null ? {} : { span }),
      hint: `use it as \${${name}}, or take it out of "variables"`,
    });
  }
  const broken = findings.some((finding) => finding.severity === "error");
  return { template: broken ? null : { nodes, variables: [...options.variables] }, findings };
}

/** Parses a text with declared variables; throws `template_undeclared_variable`. */
export function parseTemplate(text: string, options: ParseTemplateOptions): Template {
  const { template, findings } = tryParseTemplate(text, options);
  if (template !== null) return template;
  const [first] = findings.filter((finding) => finding.severity === "error");
  throw new IncipitError(
    first?.code ?? "template_undeclared_variable",
    first?.message ?? "The template cannot be used.",
    { hint: first?.hint, findings },
  );
}
