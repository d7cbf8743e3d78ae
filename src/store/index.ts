export type {
  PruneOptions,
  RunFilter,
  RunPosition,
  RunRecord,
  RunStatus,
  RunStore,
  RunSummary,
} from "./store.ts";
