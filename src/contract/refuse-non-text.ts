import type { CheckedOutput } from "./contract.ts";
import { quoteAny } from "./json/quote.ts";

/** The refusal of an output that is no text, as a caller without types may give; null for a text. */
export function refuseNonText(output: unknown): CheckedOutput | null {
  if (typeof output === "string") return null;
  const message = `The output is ${quoteAny(output)} where a text was expected.`;
  const hint = "give the text that the model wrote";
  return {
    kind: "refused",
    findings: [{ code: "contract_schema", severity: "error", message, path: "", hint }],
  };
}
