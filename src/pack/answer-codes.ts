/** Codes of the findings that an answer can have: what a reinforcement can be for. */
export const answerCodes: readonly string[] = [
  "plan_length_stop",
  "contract_json_syntax",
  "contract_json_depth",
  "contract_duplicate_key",
  "contract_lone_surrogate",
  "contract_whitespace",
  "contract_number_range",
  "contract_repeated_item",
  "contract_item_count",
  "contract_schema",
  "contract_text_length",
  "contract_text_blank",
  "check_fence_leak",
  "check_prompt_echo",
  "check_has_letter",
  "check_not_blank",
  "check_single_line",
  "check_distinct",
  "check_not_applicable",
];

/** Whether a finding's code is the one that was written, or begins with it up to an underscore. */
export function answersCode(written: string, code: string): boolean {
  return code === written || code.startsWith(`${written}_`);
}
