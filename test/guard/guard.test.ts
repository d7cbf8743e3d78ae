import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawNonce } from "../../src/guard/fence.ts";
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

  it.each([
    "abcdefgh",
    "x ABCDEFGH y",
    "a b c d e f g h",
    "a-b\nc.d\u200be f1g_h",
    "ａｂｃｄｅｆｇｈ",
    "\u{1d41a}\u{1d41b}\u{1d41c}\u{1d41d}\u{1d41e}\u{1d41f}\u{1d420}\u{1d421}",
    "ábcdefgh",
    "a\u3164b\uffa0c\u1160defgh",
    "a\u02b9b\u02bcc\u02d0d\u0640efgh",
    "a\u200bb\u{e0061}cdefgh",
  ])("draws again when the text holds the nonce, as in %j", (text) => {
    const draws = ["abcdefgh", "abcdefgh", "qrstuvwx"];
    expect(drawNonce(text, (round) => draws[round] ?? "")).toBe("qrstuvwx");
    expect(drawNonce("another text", (round) => draws[round] ?? "")).toBe("abcdefgh");
  });

  it("is never in the text that it fences", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const { nonce, close } = createFence("note", text, []);
        expect(text.toLowerCase().includes(nonce)).toBe(false);
        expect(text.includes(close)).toBe(false);
      }),
      { numRuns: 2000 },
    );
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
