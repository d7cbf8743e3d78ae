import type { Finding } from "../../text/index.ts";
import { quoteName } from "../quote-name.ts";
import { findCycle, toComponents } from "../rule-graph.ts";
import { type Check, toNamePlace } from "./check.ts";
import { toLeftmostGraph } from "./leftmost.ts";

/**
 * A rule may enter itself before it has read a character. llama.cpp refuses this, except where it
 * is hidden behind something that is empty only indirectly: that it does not see, and then fills
 * the memory.
 */
export const leftRecursion: Check = ({ grammar, table, nullable }) => {
  const full = toLeftmostGraph(grammar, "full", nullable);
  const seen = toLeftmostGraph(grammar, "engine", nullable);
  const seenCyclic = new Set(
    toComponents(seen)
      .filter((names) => names.length > 1 || seen.get(names[0] ?? "")?.has(names[0] ?? ""))
      .flat(),
  );
  const order = new Map([...table.keys()].map((name, index) => [name, index]));
  const findings: Finding[] = [];
  for (const component of toComponents(full)) {
    const [member = ""] = component;
    if (component.length === 1 && !full.get(member)?.has(member)) continue;
    const members = component.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
    const seenMember = members.find((name) => seenCyclic.has(name));
    const name = seenMember ?? members[0] ?? member;
    const cycle = findCycle(seenMember === undefined ? full : seen, name);
    findings.push({
      code: seenMember === undefined ? "grammar_hidden_left_recursion" : "grammar_left_recursion",
      severity: "error",
      message: `Rule ${quoteName(name)} is left-recursive: ${printCycle(cycle)} before any character.`,
      ...toNamePlace(table.get(name)),
      hint: "write a list as item (separator item)*",
    });
  }
  return findings;
};

function printCycle(names: readonly string[]): string {
  const short = names.map((name) => (name.length > 30 ? `${name.slice(0, 30)}…` : name));
  const shown = short.length <= 8 ? short : [...short.slice(0, 6), "…", ...short.slice(-1)];
  return shown.join(" → ");
}
