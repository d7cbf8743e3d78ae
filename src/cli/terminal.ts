import { fstatSync } from "node:fs";
import type { Readable } from "node:stream";
import picocolors from "picocolors";

/** Paints texts; without colours every function gives its text back. */
export type Colors = ReturnType<typeof picocolors.createColors>;

/** Where a command writes, and what it knows of the other end. */
export interface Output {
  readonly stream: NodeJS.WritableStream;
  readonly isTerminal: boolean;
  /** Width in characters; 100 where there is no terminal. */
  readonly columns: number;
  readonly colors: Colors;
  write(text: string): void;
}

/** What a command sees of the world: streams, environment, the current folder, Ctrl-C. */
export interface Terminal {
  readonly stdout: Output;
  readonly stderr: Output;
  /** What is piped or redirected into the process; null where nothing is. */
  readonly openPipedInput: () => Readable | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  /** Aborted by the first Ctrl-C; its reason is the name of the system's signal. */
  readonly signal: AbortSignal;
  /** Ends the process at once, whatever it waits for. */
  readonly exit: (exitCode: number) => void;
}

function wantsColors(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0";
  return stream.isTTY === true && TERM !== "dumb";
}

function toOutput(stream: NodeJS.WriteStream): Output {
  return {
    stream,
    isTerminal: stream.isTTY === true,
    // Some pseudo-terminals say 0.
    columns: stream.columns || 100,
    colors: picocolors.createColors(wantsColors(stream)),
    write: (text) => {
      stream.write(text);
    },
  };
}

/** A pipe, a socket or a file counts as given; a terminal or the null device does not. */
function openPipedInput(): Readable | null {
  try {
    const entry = fstatSync(0);
    return entry.isFIFO() || entry.isFile() || entry.isSocket() ? process.stdin : null;
  } catch {
    return null;
  }
}

/** A signal that the first Ctrl-C, or the first request to terminate, aborts; the second ends. */
function listenForStop(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) endProcess(toStopCode(name));
      controller.abort(name);
    });
  }
  return controller.signal;
}

/**
 * Ends the process with that exit code. Where a thread is reading a file, which may never end,
 * leaving in order would wait for it: there the stopped process dies of the signal itself, which
 * shells report as the same exit code.
 */
function endProcess(exitCode: number): void {
  const name = exitCode === 130 ? "SIGINT" : exitCode === 143 ? "SIGTERM" : null;
  if (name !== null) {
    // From here on the system's own answer to both signals holds.
    for (const each of ["SIGINT", "SIGTERM"]) process.removeAllListeners(each);
    const isReading = process.getActiveResourcesInfo().some((kind) => kind.startsWith("FSReq"));
    if (isReading && process.platform !== "win32") {
      process.kill(process.pid, name);
      process.kill(process.pid, "SIGKILL");
    }
  }
  process.exit(exitCode);
}

/** The exit code of a process that was stopped: 128 and the number of the signal. */
export function toStopCode(reason: unknown): number {
  return reason === "SIGTERM" ? 143 : 130;
}

/** The terminal of this process. */
export function openTerminal(): Terminal {
  process.stderr.on("error", () => undefined);
  return {
    stdout: toOutput(process.stdout),
    stderr: toOutput(process.stderr),
    openPipedInput,
    environment: process.env,
    workingFolder: process.cwd(),
    signal: listenForStop(),
    exit: endProcess,
  };
}
