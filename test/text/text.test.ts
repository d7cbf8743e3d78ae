import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  digestParts,
  editDistance,
  IncipitError,
  printExcerpt,
  printSortedJson,
  sha256,
  suggest,
  toCanonicalText,
  toHint,
  toPosition,
} from "../../src/text/index.ts";

describe("digest", () => {
  it("is SHA-256 in hex, of UTF-8", () => {
    expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(sha256("é")).toBe(sha256(new Uint8Array([0xc3, 0xa9])));
  });

  it("tells lists apart that join to the same text", () => {
    expect(digestParts("x", ["ab", "c"])).not.toBe(digestParts("x", ["a", "bc"]));
    expect(digestParts("x", ["ab"])).not.toBe(digestParts("xab", []));
    expect(digestParts("x", [])).not.toBe(digestParts("x", [""]));
  });
});

describe("canonical form", () => {
  it("turns CRLF and CR into LF and nothing else", () => {
    expect(toCanonicalText("a\r\nb\rc\n\n d ")).toBe("a\nb\nc\n\n d ");
  });

  it("sorts members by UTF-16 units, at every depth", () => {
    expect(printSortedJson({ b: [{ z: 1, a: null }], a: "x", A: true })).toBe(
      '{"A":true,"a":"x","b":[{"a":null,"z":1}]}',
    );
  });

  it("sorts names that look like numbers as the texts they are", () => {
    expect(printSortedJson({ "9": 2, "10": 1 })).toBe('{"10":1,"9":2}');
  });

  it("does not depend on the order in which members were written", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        expect(printSortedJson(turned as never)).toBe(printSortedJson(value as never));
      }),
    );
  });
});

describe("places", () => {
  it("counts lines over LF, CRLF and CR", () => {
    expect(toPosition("a\nbc\r\nd\re", 0)).toEqual({ line: 1, column: 1 });
    expect(toPosition("a\nbc\r\nd\re", 3)).toEqual({ line: 2, column: 2 });
    expect(toPosition("a\nbc\r\nd\re", 6)).toEqual({ line: 3, column: 1 });
    expect(toPosition("a\nbc\r\nd\re", 8)).toEqual({ line: 4, column: 1 });
    expect(toPosition("a", 99)).toEqual({ line: 1, column: 2 });
  });

  it("prints the line with a caret under the span", () => {
    const source = { path: "a.yaml", text: "one: 1\ntwo: x\n" };
    expect(printExcerpt(source, { path: "a.yaml", start: 12, end: 13 })).toBe(
      "a.yaml:2:6\n2 | two: x\n         ^",
    );
  });
});

describe("suggestions", () => {
  it("measures edits, up to a limit", () => {
    expect(editDistance("kitten", "sitting", 5)).toBe(3);
    expect(editDistance("abcdef", "uvwxyz", 2)).toBe(3);
    expect(editDistance("", "abc", 3)).toBe(3);
  });

  it("names what is near, best first, or what there is", () => {
    expect(suggest("identiy", ["identity", "entity", "reminders"])).toEqual(["identity", "entity"]);
    expect(toHint("identiy", ["identity"])).toBe('did you mean "identity"?');
    expect(toHint("zzz", ["identity", "reminders"])).toBe("known: identity, reminders");
    expect(toHint("zzz", [])).toBe("there are none");
  });
});

describe("IncipitError", () => {
  it("is known by its brand, also from another copy of the package", () => {
    const error = new IncipitError("text_x", "Something is wrong.", { hint: "mend it" });
    expect(error).toBeInstanceOf(Error);
    expect(IncipitError.isInstance(error)).toBe(true);
    const other = Object.assign(new Error("x"), { [Symbol.for("incipit.error")]: true });
    expect(IncipitError.isInstance(other)).toBe(true);
    expect(IncipitError.isInstance(new Error("x"))).toBe(false);
    expect(IncipitError.isInstance(null)).toBe(false);
  });
});
