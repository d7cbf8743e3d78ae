/**
 * Events from a producer that never waits to a consumer that may be slow.
 *
 * So a slow reader of one generation does not hold up the next one on the same engine.
 */
export interface EventChannel<Event> {
  push(event: Event): void;
  /** No more events come. */
  end(): void;
  /** The consumer gets the events before, then this failure. */
  fail(error: unknown): void;
  /** The consumer's side; iterate it once. */
  events(): AsyncGenerator<Event, void, void>;
}

/** Creates an empty channel. */
export function createEventChannel<Event>(): EventChannel<Event> {
  const waiting: Event[] = [];
  let state: { kind: "open" } | { kind: "ended" } | { kind: "failed"; error: unknown } = {
    kind: "open",
  };
  let wake: () => void = () => {};
  const settle = (next: typeof state): void => {
    if (state.kind === "open") state = next;
    wake();
  };
  return {
    push(event) {
      waiting.push(event);
      wake();
    },
    end: () => settle({ kind: "ended" }),
    fail: (error) => settle({ kind: "failed", error }),
    async *events() {
      for (;;) {
        const event = waiting.shift();
        if (event !== undefined) yield event;
        else if (state.kind === "failed") throw state.error;
        else if (state.kind === "ended") return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
