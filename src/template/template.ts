import type { SourceSpan } from "../text/index.ts";

/** Text that is copied, or a variable that is replaced. Nothing else is syntax. */
export type TemplateNode =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "variable"; readonly name: string; readonly span: SourceSpan | null };

/** A text with declared variables, parsed once. */
export interface Template {
  readonly nodes: readonly TemplateNode[];
  /** The names it declares, in declared order. */
  readonly variables: readonly string[];
}
