export { answerCodes, answersCode } from "./answer-codes.ts";
export { findTask } from "./find-task.ts";
export { isPackFile, type LoadedPack, loadPack, tryLoadPack } from "./load-pack.ts";
export type {
  InputDefinition,
  Language,
  Module,
  Pack,
  PackGrammar,
  PackText,
  Reinforcement,
  Retry,
  SystemPrompt,
  Task,
  TaskLimits,
  TaskSampling,
} from "./pack.ts";
export { parseReference, printReference, type Reference } from "./reference.ts";
