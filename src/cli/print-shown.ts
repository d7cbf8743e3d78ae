import type { Shown, ShownMessage, ShownSpan } from "./shown.ts";
import type { Colors, Output } from "./terminal.ts";
import { toVisibleText } from "./visible-text.ts";

type Paint = (text: string) => string;

function toPaint(span: ShownSpan, colors: Colors): Paint {
  if (span.trust === "untrusted") return colors.yellow;
  if (span.kind === "fence") return colors.magenta;
  if (span.kind === "reinforcement") return colors.red;
  return span.tier === "protected" ? colors.green : colors.cyan;
}

/** Where a text came from, as one line of the legend. */
function printOrigin({ kind, ref, version, tier, trust }: ShownSpan): string {
  const about = [version, tier, trust === "untrusted" ? trust : null];
  return [kind, toVisibleText(ref), ...about.filter((part) => part !== null)].join(" ");
}

/** The origins of a request, numbered from 1 in the order in which they first stand. */
function numberOrigins(messages: readonly ShownMessage[]): ReadonlyMap<string, ShownSpan> {
  const origins = new Map<string, ShownSpan>();
  for (const span of messages.flatMap(({ spans }) => spans)) {
    // A joint is a blank line; it needs no number.
    if (span.kind !== "joint")
      origins.set(printOrigin(span), origins.get(printOrigin(span)) ?? span);
  }
  return origins;
}

/**
 * Prints a message with a gutter: each line is preceded by the numbers of the origins that it is
 * made of, so that every character can be traced without colours too.
 */
function printMessage(message: ShownMessage, numbers: readonly string[], colors: Colors): string {
  const lines: { text: string; marks: Set<number> }[] = [{ text: "", marks: new Set() }];
  for (const span of message.spans) {
    const paint = toPaint(span, colors);
    const mark = numbers.indexOf(printOrigin(span)) + 1;
    const pieces = toVisibleText(message.text.slice(span.start, span.end)).split("\n");
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) lines.push({ text: "", marks: new Set() });
      const line = lines.at(-1);
      if (line === undefined || piece === "") continue;
      line.text += paint(piece);
      line.marks.add(mark);
    }
  }
  const gutters = lines.map(({ marks }) => [...marks].join(" "));
  const width = Math.max(2, ...gutters.map((gutter) => gutter.length));
  const body = lines.map(({ text }, index) => {
    const gutter = (gutters[index] ?? "").padStart(width);
    return `${`${colors.dim(`${gutter} │`)} ${text}`.trimEnd()}\n`;
  });
  return `${colors.bold(message.role)}\n${body.join("")}\n`;
}

function printRequest(shown: Shown, colors: Colors): string {
  const { request } = shown;
  if (request === null) {
    const value = JSON.stringify(shown.value);
    return `The input says nothing: no model is asked, and the value is ${value}.\n\n`;
  }
  const origins = numberOrigins(request.messages);
  const numbers = [...origins.keys()];
  const messages = request.messages.map((message) => printMessage(message, numbers, colors));
  const legend = [...origins].map(([text, span], index) => {
    return `${String(index + 1).padStart(2)}   ${toPaint(span, colors)(text)}\n`;
  });
  const { temperature, seed, ...others } = request.sampling;
  const settings = [
    `temperature ${temperature}`,
    `seed ${seed}`,
    ...Object.entries(others).map(([name, value]) => `${name} ${value}`),
    `at most ${request.maxTokens} tokens`,
  ];
  const { constraint } = request;
  const grammar = constraint === null ? "none: every text is allowed\n" : constraint.grammar;
  const indented = grammar
    .trimEnd()
    .split("\n")
    .map((line) => `  ${line}`.trimEnd());
  return [
    ...messages,
    `${colors.bold("origins")}\n${legend.join("")}\n`,
    `${colors.bold("constraint")}\n${indented.join("\n")}\n\n`,
    `${colors.bold("sampling")}\n  ${settings.join(" · ")}\n\n`,
  ].join("");
}

/** Prints what `show` found for people. */
export function printShown(shown: Shown, { colors }: Output): string {
  const file = shown.file === undefined ? "" : ` · ${toVisibleText(shown.file)}`;
  const digests = Object.entries(shown.digests).map(([name, digest]) => {
    const text = digest === null ? "–" : `${digest.short}  ${colors.dim(digest.full)}`;
    return `  ${name.padEnd(9)}  ${text}\n`;
  });
  return [
    `${colors.bold(shown.task)} ${shown.version}${file}\n${shown.description}\n\n`,
    printRequest(shown, colors),
    `${colors.bold("digests")}\n${digests.join("")}`,
  ].join("");
}
