/** A text in quotes with its control characters visible, cut after 40 characters. */
export function quote(text: string): string {
  const points = [...text.slice(0, 82)];
  return JSON.stringify(points.length > 40 ? `${points.slice(0, 40).join("")}…` : text);
}

/** Any value that a caller gave where another was wanted: a text quoted, an object by its kind. */
export function quoteAny(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return "an array";
  if (typeof value === "function") return "a function";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
