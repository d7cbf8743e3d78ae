import { describe, expect, it } from "vitest";
import { createCallQueue } from "../../src/engine/call-queue.ts";

/** A call that says when it starts and ends when it is told to. */
function toCall(log: string[], name: string): { call: () => Promise<string>; end: () => void } {
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return {
    call: async () => {
      log.push(`${name} starts`);
      await ended;
      log.push(`${name} ends`);
      return name;
    },
    end: () => end(),
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe("a call queue", () => {
  it("runs calls one at a time in the order in which they came", async () => {
    const log: string[] = [];
    const queue = createCallQueue();
    const calls = ["a", "b", "c"].map((name) => toCall(log, name));
    const results = calls.map(({ call }) => queue.run(call, undefined));
    for (const { end } of [...calls].reverse()) end();
    expect(await Promise.all(results)).toEqual(["a", "b", "c"]);
    expect(log).toEqual(["a starts", "a ends", "b starts", "b ends", "c starts", "c ends"]);
  });

  it("goes on after a call that failed", async () => {
    const queue = createCallQueue();
    const failed = queue.run(() => Promise.reject(new Error("no")), undefined);
    const next = queue.run(async () => "yes", undefined);
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("yes");
  });

  it("lets an aborted waiting call leave at once, while the first one still runs", async () => {
    const log: string[] = [];
    const queue = createCallQueue();
    const first = toCall(log, "first");
    const running = queue.run(first.call, undefined);
    const controller = new AbortController();
    const waiting = queue.run(toCall(log, "waiting").call, controller.signal);
    const last = queue.run(async () => log.push("last"), undefined);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "engine_aborted" });
    expect(log).toEqual(["first starts"]);
    first.end();
    await Promise.all([running, last]);
    expect(log).toEqual(["first starts", "first ends", "last"]);
  });

  it("never starts a call whose signal is aborted already", async () => {
    const log: string[] = [];
    const queue = createCallQueue();
    const run = queue.run(toCall(log, "call").call, AbortSignal.abort());
    await expect(run).rejects.toMatchObject({ code: "engine_aborted" });
    expect(log).toEqual([]);
    expect(await queue.run(async () => 1, undefined)).toBe(1);
  });

  it("on closing refuses what waits and comes, stops what runs, and waits for its end", async () => {
    const queue = createCallQueue();
    let isOver = false;
    const running = queue.run(async (signal) => {
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      await settle();
      isOver = true;
      signal.throwIfAborted();
    }, undefined);
    const waiting = queue.run(async () => 1, undefined);
    await settle();
    const closing = queue.close();
    await expect(waiting).rejects.toMatchObject({ code: "engine_closed" });
    await expect(running).rejects.toMatchObject({ code: "engine_closed" });
    await closing;
    expect(isOver).toBe(true);
    await expect(queue.run(async () => 1, undefined)).rejects.toMatchObject({
      code: "engine_closed",
    });
  });
});
