/**
 * Chooses how many threads the next step of evaluation takes.
 *
 * The threads of llama.cpp wait for each other hundreds of times in a step, and wait by spinning.
 * When another program takes one of their cores, all of them stand still until that core comes
 * back: on two busy cores, two threads were three to twenty times slower than one. The number of
 * threads changes no result (without flash attention, which splits its sums by threads).
 */
export interface ThreadPace {
  /** Runs one step with the threads that suit the machine now. */
  step<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Where a pace reads time from and where it sets threads. */
export interface PaceMachine {
  /** Milliseconds that have passed. */
  now(): number;
  /** Milliseconds of processor time that this process has used. */
  used(): number;
  setThreads(threads: number): void;
  /** Cores that other programs leave to one that runs this many threads itself. */
  free(threads: number): number;
}

/**
 * Below this share of the time they asked for, threads have been kept off their cores: in steps
 * that all threads work on, and in steps of which a part, such as sampling, is one thread's work.
 */
const leastShares = { even: 0.85, mixed: 0.7 } as const;
/** Shorter steps say too little. */
const leastMilliseconds = 4;
const firstPatience = 8;
const mostPatience = 512;

/** Creates a pace of at most `mostThreads` threads, for steps of one kind. */
export function createThreadPace(
  mostThreads: number,
  machine: PaceMachine,
  steps: keyof typeof leastShares = "even",
): ThreadPace {
  const leastShare = leastShares[steps];
  const most = Math.max(1, mostThreads);
  const affordable = (own: number): number =>
    Math.min(most, Math.max(1, Math.round(machine.free(own))));
  let threads = affordable(0);
  /** Steps until more threads are tried again; it doubles when the trial fails. */
  let patience = firstPatience;
  let waiting = 0;

  const judge = (passed: number, used: number): void => {
    if (passed < leastMilliseconds || most === 1) return;
    if (threads > 1 && used < leastShare * passed * threads) {
      const wasTrial = waiting === 0;
      threads = Math.max(1, Math.floor(threads / 2));
      patience = wasTrial ? Math.min(mostPatience, patience * 2) : firstPatience;
      waiting = patience;
    } else if (waiting > 0) {
      waiting -= 1;
    } else if (threads < most) {
      threads = Math.max(threads, Math.min(threads * 2, affordable(threads)));
    } else {
      patience = firstPatience;
    }
  };

  return {
    async step(work) {
      machine.setThreads(threads);
      const start = machine.now();
      const usedBefore = machine.used();
      const result = await work();
      judge(machine.now() - start, machine.used() - usedBefore);
      return result;
    },
  };
}
