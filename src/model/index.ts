export {
  type CatalogueEntry,
  defaultModelName,
  modelCatalogue,
  printSource,
  type SourceAddress,
} from "./catalogue.ts";
export type { PullEvent, PullListener } from "./event.ts";
export { printBytes } from "./failure.ts";
export type { PresentModel } from "./find.ts";
export { type ListedModel, type ListOptions, listModels, type ModelState } from "./list.ts";
export type { LockTimes } from "./lock.ts";
export { type PulledModel, type PullOptions, pullModel } from "./pull.ts";
export type { KeepLocalFile } from "./pull-local.ts";
export { type ModelReference, parseModelReference, printModelReference } from "./reference.ts";
export { type ResolveOptions, resolveModel } from "./resolve.ts";
export type { Environment, TransferTimes } from "./sources/job.ts";
