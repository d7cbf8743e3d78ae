import { type ClassSet, endOfText, hasClass } from "./alphabet.ts";
import { createPlaces, type Place } from "./place.ts";
import type { Program, Routine, SetStep, Step, Steps } from "./program.ts";
import { joinStarts, type Start } from "./start.ts";
import {
  createSeen,
  createThreadTable,
  type Frame,
  type Thread,
  toDistinct,
  toSettled,
} from "./thread.ts";

/** All that can be going on after some text. Equal ones are the same object. */
export interface Configuration {
  readonly threads: readonly Thread[];
  /** Classes of characters that may come, and `endOfText` when the text may end. */
  readonly first: ClassSet;
  /** By class, once it was asked for; null when the class cannot come. */
  readonly after: (Configuration | null | undefined)[];
}

/** What may be read next, as the grammar writes it. */
export type Terminal =
  | { readonly kind: "text"; readonly codePoints: readonly number[] }
  | { readonly kind: "set"; readonly step: SetStep };

/** Runs a program over classes of characters. */
export interface Machine {
  readonly start: Configuration;
  advance(configuration: Configuration, index: number): Configuration | null;
  toTerminals(configuration: Configuration): readonly Terminal[];
}

/** How many threads of frames and configurations are kept for reuse before all are let go. */
const mostKept = 1_000_000;

/**
 * Makes the machine of a program: a pushdown automaton whose stacks share one graph, one frame for
 * each rule that is called at a position (Scott and Johnstone, GLL parsing, 2010). It follows a
 * rule only where the next character fits, a call in last place needs no frame, and transitions
 * are kept, so that text like text before runs over a finished table.
 */
export function createMachine({ root, sets }: Program): Machine {
  let ids = 0;
  const nextId = (): number => {
    ids += 1;
    return ids;
  };
  const { end, of: toPlace } = createPlaces(sets);
  const bottom: Frame = {
    id: nextId(),
    returns: [],
    follow: sets.ofClass(endOfText),
    isFinished: false,
    twin: null,
  };
  let frames = createThreadTable<Frame>();
  let configurations = createThreadTable<Configuration>();
  let kept = 0;

  /** Follows threads up to the terminals that can read the class, or to all of them. */
  const follow = (
    threads: readonly Thread[],
    index: number | null,
    read: (next: Place, frame: Frame, terminal: () => Terminal) => void,
  ): readonly Frame[] => {
    const called = new Map<Routine, { readonly frame: Frame; readonly returns: Thread[] }>();
    const opened: Frame[] = [];
    const isNew = createSeen();
    const work: Thread[] = [];
    const fits = (start: Start, frame: Frame): boolean =>
      index === null ||
      hasClass(start.first, index) ||
      (start.isNullable && (frame.follow === null || hasClass(frame.follow, index)));
    const push = (place: Place, frame: Frame): void => {
      if (!fits(place, frame)) return;
      if (isNew(place, frame)) work.push({ place, frame });
    };
    const enter = (branches: readonly Steps[], next: Place, frame: Frame): void => {
      for (const branch of branches) {
        if (branch.isNullable || index === null || hasClass(branch.first, index)) {
          push(toPlace(branch, 0, next), frame);
        }
      }
    };
    const run = (step: Step, next: Place, frame: Frame): void => {
      switch (step.kind) {
        case "text":
          if (index === null || step.classes[0] === index) {
            const terminal = (): Terminal => ({ kind: "text", codePoints: step.codePoints });
            read(toPlace(step, 1, next), frame, terminal);
          }
          return;
        case "set":
          if (index === null || hasClass(step.first, index)) {
            read(next, frame, () => ({ kind: "set", step }));
          }
          return;
        case "choice":
          enter(step.branches, next, frame);
          return;
        case "loop":
          push(toPlace(step, 0, next), frame);
          return;
        case "call": {
          const { branches } = step.routine;
          // In last place a call needs no frame: what follows it is what follows the caller.
          if (next === end) {
            enter(branches, end, frame);
            return;
          }
          if (index !== null && !step.isNullable && !hasClass(step.first, index)) return;
          const known = called.get(step.routine);
          if (known !== undefined) {
            known.returns.push({ place: next, frame });
            if (known.frame.isFinished) push(next, frame);
            return;
          }
          const returns = [{ place: next, frame }];
          const callee = { id: nextId(), returns, follow: null, isFinished: false, twin: null };
          called.set(step.routine, { frame: callee, returns });
          opened.push(callee);
          enter(branches, end, callee);
        }
      }
    };
    for (const { place, frame } of threads) push(place, frame);
    for (let thread = work.pop(); thread !== undefined; thread = work.pop()) {
      const { place, frame } = thread;
      const { at, done, next } = place;
      if (at === null || next === null) {
        frame.isFinished = true;
        for (const back of frame.returns) push(back.place, back.frame);
      } else if (at.kind === "steps") {
        const step = at.steps[done];
        if (step !== undefined) run(step, toPlace(at, done + 1, next), frame);
      } else if (at.kind === "text") {
        if (index === null || at.classes[done] === index) {
          const terminal = (): Terminal => ({
            kind: "text",
            codePoints: at.codePoints.slice(done),
          });
          read(toPlace(at, done + 1, next), frame, terminal);
        }
      } else {
        if (done >= at.min) push(next, frame);
        if (at.max === null || done < at.max) {
          // Rounds beyond the minimum of a loop without maximum are all alike.
          const rounds = at.max === null ? Math.min(done + 1, at.min) : done + 1;
          run(at.step, toPlace(at, rounds, next), frame);
        }
      }
    }
    return opened;
  };

  /** Gives a frame its follow set once those it returns to have theirs; false when they have not. */
  const settle = (frame: Frame): boolean => {
    if (frame.returns.some((back) => toSettled(back.frame).follow === null)) return false;
    frame.returns = toDistinct(frame.returns);
    const known = frames.get(frame.returns);
    frame.twin = known ?? null;
    frame.follow = known?.follow ?? toFirst(frame.returns);
    if (known === undefined) {
      frames.set(frame.returns, frame);
      kept += frame.returns.length;
    }
    return true;
  };

  const toFirst = (threads: readonly Thread[]): ClassSet =>
    threads.reduce((set, { place, frame }) => {
      const rest = { first: toSettled(frame).follow ?? sets.empty, isNullable: false };
      return sets.union(set, joinStarts(place, rest, sets).first);
    }, sets.empty);

  /** Finishes the frames that the threads can still return to; the others are forgotten. */
  const settleAll = (opened: readonly Frame[], threads: readonly Thread[]): void => {
    const live = new Set<Frame>();
    const work = threads.map(({ frame }) => frame);
    for (let frame = work.pop(); frame !== undefined; frame = work.pop()) {
      if (frame.follow !== null || live.has(frame)) continue;
      live.add(frame);
      for (const back of frame.returns) work.push(back.frame);
    }
    let open = opened.filter((frame) => live.has(frame));
    for (let before = -1; open.length > 0 && open.length !== before; ) {
      before = open.length;
      open = open.filter((frame) => !settle(frame));
    }
    // What is left returns to itself, as left recursion does: its sets grow until they hold.
    for (const frame of open) frame.follow = sets.empty;
    for (let grown = true; grown; ) {
      grown = false;
      for (const frame of open) {
        const first = toFirst(frame.returns);
        grown ||= first !== frame.follow;
        frame.follow = first;
      }
    }
    for (const frame of open) frame.returns = toDistinct(frame.returns);
  };

  const toConfiguration = (threads: readonly Thread[]): Configuration => {
    if (kept > mostKept) {
      frames = createThreadTable();
      configurations = createThreadTable();
      kept = 0;
    }
    const distinct = toDistinct(threads);
    let configuration = configurations.get(distinct);
    if (configuration === undefined) {
      configuration = { threads: distinct, first: toFirst(distinct), after: [] };
      configurations.set(distinct, configuration);
      kept += distinct.length;
    }
    return configuration;
  };

  return {
    start: toConfiguration(
      root.branches.map((b) => ({ place: toPlace(b, 0, end), frame: bottom })),
    ),
    advance(configuration, index) {
      const known = configuration.after[index];
      if (known !== undefined) return known;
      let next: Configuration | null = null;
      if (hasClass(configuration.first, index)) {
        const threads: Thread[] = [];
        const opened = follow(configuration.threads, index, (place, frame) => {
          threads.push({ place, frame });
        });
        settleAll(opened, threads);
        next = threads.length === 0 ? null : toConfiguration(threads);
      }
      configuration.after[index] = next;
      return next;
    },
    toTerminals(configuration) {
      const terminals: Terminal[] = [];
      follow(configuration.threads, null, (_place, _frame, terminal) => {
        terminals.push(terminal());
      });
      return terminals;
    },
  };
}
