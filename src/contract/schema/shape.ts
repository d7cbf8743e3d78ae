import type { Finding } from "../../text/index.ts";
import type { NotCarried } from "../contract.ts";
import type { Expression, Run } from "../pattern/expression.ts";

/** A value that has no parts. */
export type Scalar = null | boolean | number | string;

interface Described {
  /** JSON Pointer of the schema this shape was read from. */
  readonly pointer: string;
  readonly description: string | null;
  readonly examples: readonly Scalar[];
}

export interface ObjectShape extends Described {
  readonly kind: "object";
  /** In written order; every one is required and no other is allowed. */
  readonly properties: readonly { readonly name: string; readonly shape: Shape }[];
}

export interface ArrayShape extends Described {
  readonly kind: "array";
  readonly items: Shape;
  readonly minItems: number;
  readonly maxItems: number | null;
  readonly uniqueItems: boolean;
}

/** A text by its length in code points and, if it has one, its pattern. */
export interface StringShape extends Described {
  readonly kind: "string";
  readonly minLength: number;
  readonly maxLength: number | null;
  readonly pattern: string | null;
  /** What a grammar carries of all that: the characters between the quotes. */
  readonly content: Expression;
  /** That content when it is a single class repeated. */
  readonly run: Run | null;
}

/** One of some values. */
export interface ChoiceShape extends Described {
  readonly kind: "choice";
  readonly choices: readonly { readonly value: Scalar; readonly description: string | null }[];
}

export interface PlainShape extends Described {
  readonly kind: "integer" | "number" | "boolean" | "null";
}

/** A JSON Schema as Incipit understands it: every keyword read, nothing left over. */
export type Shape = ObjectShape | ArrayShape | StringShape | ChoiceShape | PlainShape;

/** What was read of a schema; without a shape the findings hold an error. */
export interface ReadSchema {
  readonly shape: Shape | null;
  readonly findings: readonly Finding[];
  readonly notCarried: readonly NotCarried[];
}
