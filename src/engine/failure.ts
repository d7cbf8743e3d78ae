import { IncipitError } from "../text/index.ts";

/** The failure of a call whose signal was aborted. */
export function toAborted(signal: AbortSignal | undefined): IncipitError {
  return new IncipitError("engine_aborted", "The engine call was aborted before it ended.", {
    hint: "Run it again to have it end.",
    cause: signal?.reason,
  });
}

/** The failure of a call on an engine that was closed. */
export function toClosed(): IncipitError {
  return new IncipitError("engine_closed", "The engine is closed and takes no more calls.", {
    hint: "Close an engine after its last call, or open another one.",
  });
}

/** Throws `engine_aborted` if the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw toAborted(signal);
}
