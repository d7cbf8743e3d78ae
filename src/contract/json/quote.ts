/** A text in quotes with its control characters visible, cut after 40 characters. */
export function quote(text: string): string {
  const points = [...text.slice(0, 82)];
  return JSON.stringify(points.length > 40 ? `${points.slice(0, 40).join("")}…` : text);
}
