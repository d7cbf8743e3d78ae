import type { Shape } from "./shape.ts";

/** Prints a shape as a TypeScript type. */
export function toShapeType(shape: Shape): string {
  switch (shape.kind) {
    case "object": {
      const members = shape.properties.map(
        ({ name, shape: part }) => `readonly ${toKey(name)}: ${toShapeType(part)}`,
      );
      return members.length === 0 ? "Record<string, never>" : `{ ${members.join("; ")} }`;
    }
    case "array": {
      const item = toShapeType(shape.items);
      return `readonly ${item.includes(" ") && !item.startsWith("{") ? `(${item})` : item}[]`;
    }
    case "choice":
      return shape.choices.map(({ value }) => JSON.stringify(value)).join(" | ");
    case "integer":
      return "number";
    default:
      return shape.kind;
  }
}

function toKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
