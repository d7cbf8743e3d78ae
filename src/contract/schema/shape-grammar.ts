import {
  alternatives,
  characterClass,
  type Grammar,
  literal,
  optional,
  type Part,
  sequence,
} from "../../grammar/index.ts";
import {
  addRule,
  createGrammarWriter,
  type GrammarWriter,
  joinAlternatives,
  joinParts,
  repeatUnit,
  shareRule,
  toGrammar,
  toRuleName,
} from "./grammar-writer.ts";
import type { ArrayShape, ObjectShape, PlainShape, Shape } from "./shape.ts";
import { toStringContent } from "./string-grammar.ts";

/**
 * Compiles a shape to a grammar: one blank at most after a comma or a colon and none elsewhere,
 * keys in written order, every text in exactly one way. What it admits, the checker accepts, but
 * for what the contract lists as not carried.
 */
export function toShapeGrammar(shape: Shape): Grammar {
  const writer = createGrammarWriter();
  addRule(writer, "root", () => toBody(writer, shape, ""));
  return toGrammar(writer);
}

/** A value where it is used: plain ones share a rule, the others get one with their own name. */
function toValue(writer: GrammarWriter, shape: Shape, name: string): Part {
  if (shape.kind === "null") return literal("null");
  if (shape.kind === "boolean" || shape.kind === "integer" || shape.kind === "number") {
    return shareRule(writer, shape.kind, shape.kind, () => toPlain(shape.kind));
  }
  return addRule(writer, name, () => toBody(writer, shape, name));
}

/** The body of a value's rule; `name` is empty at the root. */
function toBody(writer: GrammarWriter, shape: Shape, name: string): Part {
  switch (shape.kind) {
    case "object":
      return toObject(writer, shape, name);
    case "array":
      return toArray(writer, shape, name);
    case "choice":
      return joinAlternatives(shape.choices.map(({ value }) => literal(JSON.stringify(value))));
    case "string": {
      const content = toStringContent(writer, shape.content, name === "" ? "text" : name);
      return joinParts(['"', content, '"']);
    }
    default:
      return toPlain(shape.kind);
  }
}

function toObject(writer: GrammarWriter, shape: ObjectShape, name: string): Part {
  const parts = shape.properties.flatMap(({ name: key, shape: value }, index): Part[] => {
    const ruleName = toRuleName(name === "" ? key : `${name}-${key}`);
    const separator = index === 0 ? [] : [",", toGap(writer)];
    return [
      ...separator,
      `${JSON.stringify(key)}:`,
      toGap(writer),
      toValue(writer, value, ruleName),
    ];
  });
  const [first, ...rest] = parts;
  return typeof first === "string" ? joinParts([`{${first}`, ...rest, "}"]) : "{}";
}

function toArray(writer: GrammarWriter, shape: ArrayShape, name: string): Part {
  const { minItems, maxItems } = shape;
  if (maxItems === 0) return "[]";
  const prefix = name === "" ? "" : `${name}-`;
  const item = toValue(writer, shape.items, `${prefix}item`);
  const least = Math.max(0, minItems - 1);
  const most = maxItems === null ? null : maxItems - 1;
  const nextName = `next-${prefix}item`;
  const rest =
    most === 0
      ? ""
      : repeatUnit(
          writer,
          addRule(writer, nextName, () => sequence(",", toGap(writer), item)),
          least,
          most,
          nextName,
        );
  const filled = sequence("[", item, rest, "]");
  return minItems === 0 ? alternatives("[]", filled) : filled;
}

function toGap(writer: GrammarWriter): Part {
  return shareRule(writer, "gap", "gap", () => optional(" "));
}

/** Digits are bounded so that a number ends: fifteen, which a double keeps whatever they are. */
function toPlain(kind: PlainShape["kind"]): Part {
  const digit = characterClass([["0", "9"]]);
  const whole = sequence(characterClass([["1", "9"]]), {
    kind: "repetition",
    item: digit,
    min: 0,
    max: 14,
  });
  switch (kind) {
    case "null":
      return "null";
    case "boolean":
      return alternatives("true", "false");
    case "integer":
      return alternatives("0", sequence(optional("-"), whole));
    case "number":
      return sequence(
        optional("-"),
        alternatives("0", whole),
        optional(sequence(".", { kind: "repetition", item: digit, min: 1, max: 15 })),
        optional(
          sequence(characterClass(["e", "E"]), optional(characterClass(["+", "-"])), {
            kind: "repetition",
            item: digit,
            min: 1,
            max: 2,
          }),
        ),
      );
  }
}
