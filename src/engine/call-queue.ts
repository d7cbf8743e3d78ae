import { toAborted, toClosed } from "./failure.ts";

/** Runs calls one at a time, in the order in which they came. */
export interface CallQueue {
  /**
   * Waits for its turn, then runs the call. A call that is aborted while it waits leaves the queue
   * at once and rejects with `engine_aborted`; a running call gets a signal and stops by itself.
   */
  run<Result>(
    call: (signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result>;
  /** Rejects what waits with `engine_closed`, stops what runs, and resolves when it has ended. */
  close(): Promise<void>;
  readonly closed: boolean;
}

interface Waiting {
  start(): void;
  reject(error: unknown): void;
}

/** Creates an empty queue. */
export function createCallQueue(): CallQueue {
  const waiting = new Set<Waiting>();
  const closing = new AbortController();
  let busy = false;
  let onIdle: () => void = () => {};

  const acquire = async (signal: AbortSignal | undefined): Promise<void> => {
    if (closing.signal.aborted) throw toClosed();
    if (signal?.aborted) throw toAborted(signal);
    if (!busy) {
      busy = true;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => entry.reject(toAborted(signal));
      const leave = (): void => {
        waiting.delete(entry);
        signal?.removeEventListener("abort", onAbort);
      };
      const entry: Waiting = {
        start: () => {
          leave();
          resolve();
        },
        reject: (error) => {
          leave();
          reject(error);
        },
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      waiting.add(entry);
    });
  };

  // The turn passes from call to call without a gap, so nobody can slip in between.
  const release = (): void => {
    const [first] = waiting;
    if (first !== undefined) {
      first.start();
      return;
    }
    busy = false;
    onIdle();
  };

  return {
    get closed() {
      return closing.signal.aborted;
    },
    async run(call, signal) {
      await acquire(signal);
      try {
        const { signal: closed } = closing;
        // Between the turn and the call there is a moment for aborting or closing.
        if (signal?.aborted) throw toAborted(signal);
        if (closed.aborted) throw toClosed();
        return await call(signal === undefined ? closed : AbortSignal.any([signal, closed]));
      } catch (error) {
        throw closing.signal.aborted && !signal?.aborted ? toClosed() : error;
      } finally {
        release();
      }
    },
    async close() {
      closing.abort(toClosed());
      for (const entry of [...waiting]) entry.reject(toClosed());
      if (busy) await new Promise<void>((resolve) => (onIdle = resolve));
    },
  };
}
