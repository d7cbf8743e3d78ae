export { type AppliedReinforcement, type ComposeOptions, compose } from "./compose.ts";
export { areInputsEmpty, isEmptyText } from "./emptiness.ts";
export { checkInputs, type GivenInputs, type Inputs, tryCheckInputs } from "./inputs.ts";
export { digestMessages, type Explanation, type Prompt, type PromptPart } from "./prompt.ts";
