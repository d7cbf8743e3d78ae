/** A tree without the places where its nodes stood. */
export function withoutSpans(tree: unknown): unknown {
  return JSON.parse(
    JSON.stringify(tree, (key, value: unknown) =>
      key === "span" || key === "nameSpan" ? undefined : value,
    ),
  );
}
