import type { ClassSets } from "./alphabet.ts";
import type { LoopStep, Steps, TextStep } from "./program.ts";
import { joinStarts, type Start } from "./start.ts";

/**
 * A place in a rule: how far some steps, a text or a loop have come, and the place that follows
 * them. Places are made when they are reached, and equal ones are the same object, so that a
 * repetition of 2,000 copies costs only the copies a text gets to.
 */
export interface Place extends Start {
  readonly id: number;
  /** Null at the end of a rule. */
  readonly at: Steps | TextStep | LoopStep | null;
  /** Steps, characters or rounds that are done. */
  readonly done: number;
  /** Null at the end of a rule. */
  readonly next: Place | null;
  /** The places that this one follows, so that they are made once. */
  readonly before: Map<number, Place>;
}

/** Makes places and keeps equal ones the same. */
export interface Places {
  /** The end of every rule. */
  readonly end: Place;
  of(at: Steps | TextStep | LoopStep, done: number, next: Place): Place;
}

/** Starts without any place but the end. */
export function createPlaces(sets: ClassSets): Places {
  const end: Place = {
    id: 0,
    at: null,
    done: 0,
    next: null,
    before: new Map(),
    first: sets.empty,
    isNullable: true,
  };
  let ids = 0;
  return {
    end,
    of(at, done, next) {
      if (at.kind === "steps" && done === at.steps.length) return next;
      if (at.kind === "text" && done === at.codePoints.length) return next;
      if (at.kind === "loop" && done === at.max && done >= at.min) return next;
      const key = at.id * 0x2000000 + done;
      const known = next.before.get(key);
      if (known !== undefined) return known;
      ids += 1;
      const start = joinStarts(toOwnStart(at, done, sets), next, sets);
      const place: Place = { id: ids, at, done, next, before: new Map(), ...start };
      next.before.set(key, place);
      return place;
    },
  };
}

/** The start of what is left of steps, a text or a loop. */
function toOwnStart(at: Steps | TextStep | LoopStep, done: number, sets: ClassSets): Start {
  const nothing: Start = { first: sets.empty, isNullable: true };
  switch (at.kind) {
    case "steps":
      return at.starts[done] ?? nothing;
    case "text": {
      const index = at.classes[done] ?? -1;
      return { first: index < 0 ? sets.empty : sets.ofClass(index), isNullable: false };
    }
    case "loop": {
      const mayGoOn = at.max === null || done < at.max;
      return {
        first: mayGoOn ? at.step.first : sets.empty,
        isNullable: done >= at.min || (mayGoOn && at.step.isNullable),
      };
    }
  }
}
