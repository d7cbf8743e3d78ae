import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStopMatcher } from "../../src/engine/stop-matcher.ts";

function feed(
  pieces: readonly string[],
  stop: readonly string[],
): { text: string; stopped: boolean } {
  const matcher = createStopMatcher(stop);
  const text = pieces.map((piece) => matcher.push(piece)).join("") + matcher.end();
  return { text, stopped: matcher.stopped };
}

describe("a stop matcher", () => {
  it("cuts before a stop text that is split over pieces", () => {
    expect(feed(["one<", "en", "d>two"], ["<end>"])).toEqual({ text: "one", stopped: true });
  });

  it("gives back a beginning that does not go on", () => {
    expect(feed(["a<en", "x"], ["<end>"])).toEqual({ text: "a<enx", stopped: false });
    expect(feed(["a<en"], ["<end>"])).toEqual({ text: "a<en", stopped: false });
  });

  it("cuts at the first of several stop texts", () => {
    expect(feed(["a.b;c"], [";", "."])).toEqual({ text: "a", stopped: true });
  });

  it("gives out at once what no stop text can begin in", () => {
    expect(createStopMatcher(["##"]).push("text")).toBe("text");
    expect(createStopMatcher(["##"]).push("text#")).toBe("text");
  });

  it("cuts where the whole text would be cut, however the text is split", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 20 });
    const stops = fc.array(
      fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(letters), stops, (pieces, stop) => {
        const whole = pieces.join("");
        const cuts = stop.map((one) => whole.indexOf(one)).filter((index) => index >= 0);
        const expected = cuts.length === 0 ? whole : whole.slice(0, Math.min(...cuts));
        expect(feed(pieces, stop)).toEqual({ text: expected, stopped: cuts.length > 0 });
      }),
    );
  });
});
