export type { Capabilities, Engine, EngineCallOptions, EngineIdentity } from "./engine.ts";
export type {
  FinishReason,
  GenerateEvent,
  GenerateOutcome,
  Outcome,
  Score,
  ScoreOutcome,
  Usage,
} from "./outcome.ts";
export type {
  Constraint,
  EngineRequest,
  GenerateRequest,
  Sampling,
  ScoreItem,
  ScoreRequest,
} from "./request.ts";
