export type {
  PruneOptions,
  RunFilter,
  RunPosition,
  RunRecord,
  RunStatus,
  RunStore,
  RunSummary,
  Store,
} from "./store.ts";
