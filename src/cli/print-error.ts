import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Finding, IncipitError, printExcerpt, toCanonicalText } from "../text/index.ts";
import { exitCodes, toExitCode } from "./exit-code.ts";
import { type Terminal, toStopCode } from "./terminal.ts";
import { toLine, toMessage, toShortText, toVisibleText } from "./visible-text.ts";

/** The most findings of one error that are shown to people. */
const findingLimit = 20;

/** Any thrown value as the error it is shown as. */
function toError(error: unknown, terminal: Terminal): IncipitError {
  const isOurs = IncipitError.isInstance(error);
  // After Ctrl-C, whatever fails fails because of it.
  if (terminal.signal.aborted && !(isOurs && error.code.endsWith("_aborted"))) {
    return new IncipitError("cli_aborted", "The command was stopped.", { cause: error });
  }
  if (isOurs) return error;
  const said = error instanceof Error ? error.message : String(error);
  return new IncipitError(
    "runtime_unexpected",
    `Something went wrong inside Incipit: ${toLine(said, 300)}`,
    { hint: "please report it; with INCIPIT_DEBUG=1 the place is shown", cause: error },
  );
}

function printPlace(finding: Finding, terminal: Terminal): string {
  const { span } = finding;
  if (span === undefined) return "";
  try {
    const bytes = readFileSync(resolve(terminal.workingFolder, span.path));
    const text = toCanonicalText(new TextDecoder().decode(bytes));
    return `${toVisibleText(printExcerpt({ path: toMessage(span.path), text }, span))}\n`;
  } catch {
    return `${toMessage(span.path)}\n`;
  }
}

/** Prints a finding for people: its place, its code and message, its hint. */
export function printFinding(finding: Finding, terminal: Terminal): string {
  const { colors } = terminal.stderr;
  const paint = finding.severity === "error" ? colors.red : colors.yellow;
  const at = finding.span === undefined && finding.path ? ` (at ${toMessage(finding.path)})` : "";
  const hint = finding.hint === undefined ? "" : `  hint: ${toMessage(finding.hint)}\n`;
  const head = `${paint(finding.severity)} ${finding.code}: `;
  return `${printPlace(finding, terminal)}${head}${toMessage(finding.message)}${at}\n${hint}`;
}

function printForPeople(error: IncipitError, terminal: Terminal): string {
  const { colors } = terminal.stderr;
  if (toExitCode(error.code) === exitCodes.stopped) {
    // Of a pull it is news that it can go on; that a run can be run again is none.
    const tells = error.hint !== undefined && error.code.startsWith("model_");
    return tells ? `stopped; ${toMessage(error.hint ?? "")}\n` : "stopped\n";
  }
  const message = toMessage(error.message);
  const lines = [`${colors.red(colors.bold("error:"))} ${message}\n`];
  if (error.hint !== undefined) lines.push(`${colors.cyan("hint:")} ${toMessage(error.hint)}\n`);
  const others = error.findings.filter(
    (finding) => finding.message !== error.message || finding.span !== undefined,
  );
  for (const finding of others.slice(0, findingLimit)) {
    lines.push(`\n${printFinding(finding, terminal)}`);
  }
  if (others.length > findingLimit) lines.push(`\n… and ${others.length - findingLimit} more\n`);
  return lines.join("");
}

/** An error as data, its texts cut where they are long. */
function toJsonForm({ code, message, hint, findings }: IncipitError): object {
  const cut = findings.map((finding) => {
    const shown = finding.hint === undefined ? {} : { hint: toShortText(finding.hint) };
    return { ...finding, message: toShortText(finding.message), ...shown };
  });
  const shownHint = hint === undefined ? null : toShortText(hint);
  return { code, message: toShortText(message), hint: shownHint, findings: cut };
}

export interface PrintErrorOptions {
  readonly json: boolean;
  /** More members for the JSON form, beside `error`. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Prints an error on stderr and gives the exit code: the one place where errors become text. With
 * `json` it is one line, `{ "error": { code, message, hint, findings } }`. A stack is shown only
 * when INCIPIT_DEBUG is 1.
 */
export function printError(
  thrown: unknown,
  terminal: Terminal,
  { json, details = {} }: PrintErrorOptions,
): number {
  const error = toError(thrown, terminal);
  terminal.stderr.write(
    json
      ? `${JSON.stringify({ error: toJsonForm(error), ...details })}\n`
      : printForPeople(error, terminal),
  );
  if (terminal.environment.INCIPIT_DEBUG === "1") {
    for (let at: unknown = error; at instanceof Error; at = at.cause) {
      terminal.stderr.write(`${at.stack ?? at.message}\n`);
    }
  }
  return terminal.signal.aborted ? toStopCode(terminal.signal.reason) : toExitCode(error.code);
}
