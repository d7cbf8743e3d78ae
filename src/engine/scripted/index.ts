export { createScriptedEngine, type ScriptedEngine } from "./create-scripted-engine.ts";
export type {
  ScriptedEngineOptions,
  ScriptedReplies,
  ScriptedReply,
  ScriptedScore,
} from "./script.ts";
