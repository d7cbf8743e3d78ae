import { parsePointer, toPointer } from "../contract/index.ts";
import { type Finding, type Json, toHint } from "../text/index.ts";
import { type Check, type CheckName, checkNames } from "./check.ts";

/** A check, or null and the reasons. */
export interface ParsedCheck {
  readonly check: Check | null;
  readonly findings: readonly Finding[];
}

/**
 * Reads a check as a task file writes it: the name alone for the whole value (`notBlank`), or the
 * name with a property or a JSON Pointer (`{ hasLetter: topic }`, `{ hasLetter: /topic }`).
 */
export function parseCheck(raw: Json): ParsedCheck {
  const members = toMembers(raw);
  const [member] = members;
  if (member === undefined || members.length !== 1) {
    const message = `Found ${JSON.stringify(raw) ?? "undefined"} where one check was expected.`;
    return refuse(message, `write one of ${checkNames.join(", ")}, or { name: property }`);
  }
  const [name, place] = member;
  if (!isCheckName(name)) return refuse(`There is no check "${name}".`, toHint(name, checkNames));
  const at = toPlace(place);
  if (at !== null) return { check: { kind: name, at }, findings: [] };
  const message = `The place of "${name}" is ${JSON.stringify(place)}.`;
  return refuse(message, "give the name of a property or a JSON Pointer such as /topic");
}

function toMembers(raw: Json): readonly (readonly [name: string, place: Json])[] {
  if (typeof raw === "string") return [[raw, ""]];
  return typeof raw === "object" && raw !== null && !Array.isArray(raw) ? Object.entries(raw) : [];
}

/** A JSON Pointer; `true` stands for the whole value. */
function toPlace(place: Json): string | null {
  if (place === true || place === "") return "";
  if (typeof place !== "string") return null;
  if (!place.startsWith("/")) return toPointer([place]);
  return parsePointer(place) === null ? null : place;
}

function isCheckName(name: string): name is CheckName {
  return (checkNames as readonly string[]).includes(name);
}

function refuse(message: string, hint: string): ParsedCheck {
  return { check: null, findings: [{ code: "check_invalid", severity: "error", message, hint }] };
}
