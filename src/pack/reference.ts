import { IncipitError } from "../text/index.ts";

/** `file.json#a.b`: a file of the pack, and keys into it. */
export interface Reference {
  readonly path: string;
  readonly keys: readonly string[];
}

function refuse(text: string, reason: string, hint: string): never {
  throw new IncipitError("pack_bad_reference", `The reference "${text}" ${reason}.`, { hint });
}

/**
 * Parses a reference: cut at the first `#`, then at dots; `\.` is a literal dot and `\\` a
 * backslash. The path is relative to the pack's root and never leaves it. Throws
 * `pack_bad_reference`.
 */
export function parseReference(text: string): Reference {
  const cut = text.indexOf("#");
  const path = cut === -1 ? text : text.slice(0, cut);
  const segments = path.split("/");
  if (path === "") refuse(text, "names no file", "write it like templates/file.json#key");
  if (/[\\\0%:]/.test(path) || path.startsWith("/") || segments.includes("..")) {
    refuse(
      text,
      "leads outside the pack",
      "write a path from the pack's root, with forward slashes",
    );
  }
  if (segments.some((segment) => segment === "" || segment === ".")) {
    refuse(text, "has an empty path segment", "write a path from the pack's root");
  }
  if (cut === -1) return { path, keys: [] };
  const keys: string[] = [];
  let key = "";
  const rest = text.slice(cut + 1);
  for (let at = 0; at < rest.length; at += 1) {
    const unit = rest[at] ?? "";
    const next = rest[at + 1];
    if (unit === "\\" && (next === "." || next === "\\")) {
      key += next;
      at += 1;
    } else if (unit === ".") {
      keys.push(key);
      key = "";
    } else {
      key += unit;
    }
  }
  keys.push(key);
  if (keys.includes("")) refuse(text, "has an empty key", "name a key after the # and each dot");
  return { path, keys };
}

/** Prints a reference so that it parses back to itself. */
export function printReference(reference: Reference): string {
  if (reference.keys.length === 0) return reference.path;
  const keys = reference.keys.map((key) => key.replace(/[\\.]/g, "\\$&"));
  return `${reference.path}#${keys.join(".")}`;
}
