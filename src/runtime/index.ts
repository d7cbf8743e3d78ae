export { openPack, readPackFiles, shippedPacksPath } from "./open-pack.ts";
export {
  createRuntime,
  type RunEvent,
  type RunOptions,
  type Runtime,
  type RuntimeOptions,
} from "./runtime.ts";
