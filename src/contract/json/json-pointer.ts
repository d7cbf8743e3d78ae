import type { Json } from "../../text/index.ts";

/** A step of a JSON Pointer: a key or an index, unescaped. */
export type PointerStep = string | number;

/** Prints steps as a JSON Pointer (RFC 6901); no steps give `""`, the whole value. */
export function toPointer(steps: readonly PointerStep[]): string {
  return steps
    .map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

/** Splits a JSON Pointer into unescaped steps, or null when the text is none. */
export function parsePointer(pointer: string): string[] | null {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value at a JSON Pointer, or undefined where there is none; inherited keys do not count. */
export function getAt(value: Json, pointer: string): Json | undefined {
  let at: Json | undefined = value;
  for (const step of parsePointer(pointer) ?? [""]) {
    if (Array.isArray(at)) at = /^(?:0|[1-9]\d*)$/.test(step) ? at[Number(step)] : undefined;
    else if (typeof at === "object" && at !== null && Object.hasOwn(at, step)) {
      at = (at as { readonly [key: string]: Json })[step];
    } else return undefined;
  }
  return at;
}
