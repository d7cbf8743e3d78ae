import { toHint } from "../../text/index.ts";
import { quoteName } from "../quote-name.ts";
import type { Check } from "./check.ts";

/** There is no start rule. */
export const missingRoot: Check = ({ root, table }) => {
  if (table.has(root)) return [];
  return [
    {
      code: "grammar_missing_root",
      severity: "error",
      message: `The grammar has no rule ${quoteName(root)}, where every text starts.`,
      hint: table.size === 0 ? `write ${root} ::= …` : toHint(root, table.keys()),
    },
  ];
};
