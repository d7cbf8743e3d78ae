export { jsonContract, textContract } from "./contract/index.ts";
export type { Engine } from "./engine/index.ts";
export { loadPack, type Pack, type Task, tryLoadPack } from "./pack/index.ts";
export {
  digestStamp,
  incipitVersion,
  type Result,
  type Stamp,
  type SuccessResult,
} from "./plan/index.ts";
export {
  createRuntime,
  openPack,
  type RunEvent,
  type RunOptions,
  type Runtime,
  type RuntimeOptions,
} from "./runtime/index.ts";
export { type Finding, IncipitError } from "./text/index.ts";
