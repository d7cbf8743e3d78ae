export {
  createEngineSuite,
  type EngineCase,
  type EngineSuite,
  type EngineSuiteOptions,
} from "./engine-suite.ts";
