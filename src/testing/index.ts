export {
  createEngineSuite,
  type EngineCase,
  type EngineSuite,
  type EngineSuiteOptions,
} from "./engine-suite.ts";
export { type StoreCase, storeCases } from "./store-suite.ts";
