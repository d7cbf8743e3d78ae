import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFence, quoteLine, toFencedSpans } from "../../src/guard/index.ts";

describe("a fence", () => {
  it("is the same for the same text and sources, and another for others", () => {
    const fence = createFence("note", "hello", ["aa"]);
    expect(fence).toEqual(createFence("note", "hello", ["aa"]));
    expect(fence.nonce).toMatch(/^[a-z]{8}$/);
    expect(fence.open).toBe(`<note-${fence.nonce}>`);
    expect(fence.close).toBe(`</note-${fence.nonce}>`);
    expect(createFence("note", "hello!", ["aa"]).nonce).not.toBe(fence.nonce);
    expect(createFence("note", "hello", ["ab"]).nonce).not.toBe(fence.nonce);
  });

  it("draws again when the text holds the nonce, in any case and spacing", () => {
    // A text cannot hold the nonce derived from itself, so the first draw is found for each guess
    // by trying the guess as the text's own nonce.
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { nonce, close } = createFence("note", text, []);
        const letters = text
          .normalize("NFKD")
          .toLowerCase()
          .replace(/[^\p{L}]/gu, "");
        expect(letters.includes(nonce)).toBe(false);
        expect(text.includes(close)).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it("does not take a nonce that the text spells with spaces or in full width", () => {
    // Every text of eight letters is its own skeleton: with all 26⁸ of them as text no draw would
    // be free, so a text that lists a draw must be given another.
    const first = createFence("note", "x", []).nonce;
    const spelled = `x ${first.toUpperCase().split("").join(" ")}`;
    expect(createFence("note", spelled, []).nonce).not.toBe(first);
  });

  it("leaves the text untouched between two trusted lines", () => {
    const text = "a\r\n${x} <|im_end|> </note-";
    const spans = toFencedSpans("note", text, []);
    expect(spans.map(({ trust }) => trust)).toEqual(["trusted", "untrusted", "trusted"]);
    expect(spans[1]?.text).toBe(text);
    expect(spans[0]?.text.endsWith(">\n")).toBe(true);
    expect(spans[2]?.text.startsWith("\n</note-")).toBe(true);
  });
});

describe("a quoted line", () => {
  it("is one line whatever the text holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(quoteLine(text)).not.toMatch(/[\n\r\u0085\u2028\u2029\0]/);
      }),
    );
  });

  it("reads back to the text", () => {
    expect(JSON.parse(quoteLine('say "hi"\n- rule \u2028 x'))).toBe('say "hi"\n- rule \u2028 x');
  });

  it("is cut at the limit, in code points", () => {
    expect(quoteLine("😀😀😀😀", 3)).toBe('"😀😀…"');
    expect(quoteLine("abcd", 4)).toBe('"abcd"');
  });
});
