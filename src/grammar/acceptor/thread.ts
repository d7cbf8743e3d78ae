import type { ClassSet } from "./alphabet.ts";
import type { Place } from "./place.ts";

/** Where to go on when a rule is finished: one thread for each place that called it at once. */
export interface Frame {
  readonly id: number;
  returns: readonly Thread[];
  /** What can be read after the rule is finished; null while the frame is being made. */
  follow: ClassSet | null;
  isFinished: boolean;
  /** The equal frame that was made before. */
  twin: Frame | null;
}

/** A place that is being followed, and where to go on after its rule. */
export interface Thread {
  readonly place: Place;
  readonly frame: Frame;
}

/** The frame, or the equal one that was made before. */
export function toSettled(frame: Frame): Frame {
  return frame.twin ?? frame;
}

/** The threads in a fixed order, each once, with settled frames. */
export function toDistinct(threads: readonly Thread[]): readonly Thread[] {
  const settled = threads.map((thread) =>
    thread.frame.twin === null ? thread : { place: thread.place, frame: thread.frame.twin },
  );
  settled.sort((a, b) => a.place.id - b.place.id || a.frame.id - b.frame.id);
  return settled.filter((thread, index) => {
    const previous = settled[index - 1];
    return thread.place !== previous?.place || thread.frame !== previous.frame;
  });
}

/** Makes the record of one run: true for a thread that comes for the first time. */
export function createSeen(): (place: Place, frame: Frame) => boolean {
  // Most places come with one frame only, and need no set.
  const one = new Map<Place, Frame>();
  const more = new Map<Place, Set<Frame>>();
  return (place, frame) => {
    const first = one.get(place);
    if (first === undefined) {
      one.set(place, frame);
      return true;
    }
    if (first === frame) return false;
    const others = more.get(place);
    if (others === undefined) more.set(place, new Set([frame]));
    else if (others.has(frame)) return false;
    else others.add(frame);
    return true;
  };
}

/** A map from lists of distinct threads to values. */
export interface ThreadTable<Value> {
  get(threads: readonly Thread[]): Value | undefined;
  set(threads: readonly Thread[], value: Value): void;
}

/** Makes an empty table. */
export function createThreadTable<Value>(): ThreadTable<Value> {
  const buckets = new Map<
    number,
    { readonly threads: readonly Thread[]; readonly value: Value }[]
  >();
  return {
    get(threads) {
      const bucket = buckets.get(toHash(threads));
      return bucket?.find((entry) => isSame(entry.threads, threads))?.value;
    },
    set(threads, value) {
      const hash = toHash(threads);
      const bucket = buckets.get(hash);
      if (bucket === undefined) buckets.set(hash, [{ threads, value }]);
      else bucket.push({ threads, value });
    },
  };
}

function toHash(threads: readonly Thread[]): number {
  let hash = threads.length;
  for (const { place, frame } of threads) {
    hash = (Math.imul(hash, 0x01000193) ^ place.id) | 0;
    hash = (Math.imul(hash, 0x01000193) ^ frame.id) | 0;
  }
  return hash;
}

function isSame(a: readonly Thread[], b: readonly Thread[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ place, frame }, index) => b[index]?.place === place && b[index]?.frame === frame)
  );
}
