import { describe, expect, it } from "vitest";
import { createThreadPace, type PaceMachine } from "../../../src/engine/llama/thread-pace.ts";

/** A machine with `cores` cores, of which another program uses `taken` from now on. */
function createMachine(cores: number): PaceMachine & { taken: number; threads: number[] } {
  let now = 0;
  let used = 0;
  const machine = {
    taken: 0,
    threads: [] as number[],
    now: () => now,
    used: () => used,
    free: (): number => cores - machine.taken,
    setThreads: (threads: number) => machine.threads.push(threads),
    /** Ten milliseconds pass in a step; threads without a core of their own stand still. */
    work: async () => {
      const threads = machine.threads.at(-1) ?? 0;
      now += 10;
      used += 10 * Math.max(0.1, Math.min(threads, cores - machine.taken));
    },
  };
  return machine;
}

async function run(
  pace: ReturnType<typeof createThreadPace>,
  machine: ReturnType<typeof createMachine>,
  steps: number,
): Promise<readonly number[]> {
  const before = machine.threads.length;
  const { work } = machine as unknown as { work: () => Promise<void> };
  for (let step = 0; step < steps; step += 1) await pace.step(work);
  return machine.threads.slice(before);
}

describe("a thread pace", () => {
  it("uses all threads while the cores are free", async () => {
    const machine = createMachine(4);
    const pace = createThreadPace(4, machine);
    expect(await run(pace, machine, 3)).toEqual([4, 4, 4]);
  });

  it("halves its threads when another program takes a core, and comes back later", async () => {
    const machine = createMachine(2);
    const pace = createThreadPace(2, machine);
    await run(pace, machine, 2);
    machine.taken = 1;
    const busy = await run(pace, machine, 40);
    expect(busy.slice(0, 3)).toEqual([2, 1, 1]);
    expect(busy.filter((threads) => threads > 1).length).toBe(1);
    machine.taken = 0;
    expect((await run(pace, machine, 40)).at(-1)).toBe(2);
  });

  it("starts with the threads that the machine can afford", async () => {
    const machine = createMachine(2);
    machine.taken = 1.4;
    expect(await run(createThreadPace(2, machine), machine, 1)).toEqual([1]);
  });

  it("tries again ever more seldom while the load is one that the machine does not show", async () => {
    const machine = createMachine(2);
    machine.taken = 1;
    machine.free = () => 2;
    const tries = await run(createThreadPace(2, machine), machine, 200);
    expect(tries.filter((threads) => threads === 2).length).toBeLessThanOrEqual(6);
  });

  it("gives the result of the step and lets its failure through", async () => {
    const pace = createThreadPace(1, createMachine(1));
    expect(await pace.step(async () => "value")).toBe("value");
    await expect(pace.step(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  });
});
