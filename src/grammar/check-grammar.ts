import type { Source } from "../text/index.ts";
import { type AnalyzeOptions, analyzeGrammar } from "./analysis/analyze-grammar.ts";
import { type ParsedGrammar, type ParseOptions, tryParseGrammar } from "./parse-grammar.ts";

/**
 * Parses a text and looks at the grammar as a whole: all that there is to say about it. A text
 * without an error among its findings is one that llama.cpp loads.
 */
export function checkGrammar(
  source: string | Source,
  options: ParseOptions & AnalyzeOptions = {},
): ParsedGrammar {
  const parsed = tryParseGrammar(source, options);
  if (parsed.grammar === null) return parsed;
  const { grammar } = parsed;
  return { grammar, findings: [...parsed.findings, ...analyzeGrammar(grammar, options)] };
}
