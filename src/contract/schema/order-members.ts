import type { Json } from "../../text/index.ts";
import type { Shape } from "./shape.ts";

/** An accepted value with its members in the schema's order, whatever order they were read in. */
export function orderMembers(shape: Shape, value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return shape.kind === "array" ? value.map((item) => orderMembers(shape.items, item)) : value;
  }
  if (shape.kind !== "object") return value;
  const members = value as { readonly [key: string]: Json };
  return Object.fromEntries(
    shape.properties.map(({ name, shape: own }) => [
      name,
      orderMembers(own, members[name] ?? null),
    ]),
  );
}
