import type { BodyNode } from "./ast.ts";

/** The nodes directly within a node, in written order. */
function toChildren(node: BodyNode): readonly BodyNode[] {
  switch (node.kind) {
    case "alternatives":
      return node.sequences;
    case "sequence":
      return node.items;
    case "group":
      return [node.body];
    case "repetition":
      return [node.item];
    default:
      return [];
  }
}

/**
 * Computes a value for a node from the values of its children. Keeps its own stack, so a body
 * nested 50,000 deep is folded like any other.
 */
export function foldBody<Value>(
  root: BodyNode,
  combine: (node: BodyNode, values: readonly Value[]) => Value,
): Value {
  const frames: { node: BodyNode; children: readonly BodyNode[]; values: Value[] }[] = [];
  let node: BodyNode = root;
  for (;;) {
    const children = toChildren(node);
    const first = children[0];
    if (first !== undefined) {
      frames.push({ node, children, values: [] });
      node = first;
      continue;
    }
    let value = combine(node, []);
    for (;;) {
      const frame = frames.at(-1);
      if (frame === undefined) return value;
      frame.values.push(value);
      const next = frame.children[frame.values.length];
      if (next !== undefined) {
        node = next;
        break;
      }
      frames.pop();
      value = combine(frame.node, frame.values);
    }
  }
}

/** Calls `visit` for every node of a body, children before parents, in written order. */
export function visitBody(root: BodyNode, visit: (node: BodyNode) => void): void {
  foldBody<void>(root, (node) => visit(node));
}
