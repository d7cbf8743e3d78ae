import { describe, expect, it } from "vitest";
import { createEventChannel } from "../../src/engine/event-channel.ts";

describe("an event channel", () => {
  it("gives events in order, those from before and those after reading began", async () => {
    const channel = createEventChannel<number>();
    channel.push(1);
    channel.push(2);
    const seen: number[] = [];
    const reading = (async () => {
      for await (const event of channel.events()) seen.push(event);
    })();
    await new Promise((resolve) => setTimeout(resolve, 2));
    channel.push(3);
    await new Promise((resolve) => setTimeout(resolve, 2));
    channel.end();
    await reading;
    expect(seen).toEqual([1, 2, 3]);
  });

  it("gives the events before a failure, then the failure", async () => {
    const channel = createEventChannel<number>();
    channel.push(1);
    channel.fail(new Error("broken"));
    const events = channel.events();
    expect(await events.next()).toEqual({ done: false, value: 1 });
    await expect(events.next()).rejects.toThrow("broken");
  });
});
