import type { Json } from "../../text/index.ts";

interface Placed {
  /** Offsets in UTF-16 units, `end` exclusive. */
  readonly start: number;
  readonly end: number;
}

/** A member of an object as it was written. */
export interface JsonMember {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: JsonNode;
}

/** A JSON value as it was written: with places, duplicate keys, and numbers in their spelling. */
export type JsonNode =
  | (Placed & { readonly kind: "null" })
  | (Placed & { readonly kind: "boolean"; readonly value: boolean })
  | (Placed & { readonly kind: "number"; readonly spelling: string })
  | (Placed & { readonly kind: "string"; readonly value: string })
  | (Placed & { readonly kind: "array"; readonly items: readonly JsonNode[] })
  | (Placed & { readonly kind: "object"; readonly members: readonly JsonMember[] });

/** The value a node stands for; numbers become doubles, of equal keys the last one counts. */
export function toJson(node: JsonNode): Json {
  switch (node.kind) {
    case "null":
      return null;
    case "boolean":
    case "string":
      return node.value;
    case "number":
      return Number(node.spelling);
    case "array":
      return node.items.map(toJson);
    case "object":
      return Object.fromEntries(node.members.map(({ key, value }) => [key, toJson(value)]));
  }
}

/** The node at unescaped pointer steps, or the deepest one on the way there. */
export function findNode(root: JsonNode, steps: readonly string[]): JsonNode {
  let node = root;
  for (const step of steps) {
    let next: JsonNode | undefined;
    if (node.kind === "array") next = node.items[Number(step)];
    else if (node.kind === "object") {
      next = node.members.findLast(({ key }) => key === step)?.value;
    }
    if (next === undefined) return node;
    node = next;
  }
  return node;
}
