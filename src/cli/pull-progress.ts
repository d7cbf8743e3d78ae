import type { SingleBar } from "cli-progress";
import type { PullEvent, PullListener } from "../model/index.ts";
import type { Output } from "./terminal.ts";
import { toVisibleText } from "./visible-text.ts";

/** Shows a pull: a bar on a terminal, a line now and then elsewhere. */
export interface PullProgress {
  readonly listen: PullListener;
  stop(): void;
}

/** What moves bytes, or null for the events that do not. */
function toPhase(
  event: PullEvent,
): { readonly name: string; readonly total: number | null } | null {
  if (event.kind === "progress" || event.kind === "resume") {
    return { name: "fetching", total: event.totalBytes };
  }
  if (event.kind === "extract") return { name: "unpacking", total: event.totalBytes };
  if (event.kind === "verify") return { name: "checking", total: event.totalBytes };
  return null;
}

interface Phase {
  begin(name: string, total: number | null): void;
  move(received: number, total: number | null): void;
  end(): void;
}

function createBarPhase(createBar: () => SingleBar, printBytes: (bytes: number) => string): Phase {
  let bar: SingleBar | null = null;
  return {
    begin(name, total) {
      bar = createBar();
      bar.start(total ?? 0, 0, { name, size: total === null ? "?" : printBytes(total), at: "" });
    },
    move(received, total) {
      if (total !== null) bar?.setTotal(total);
      const size = total === null ? "?" : printBytes(total);
      bar?.update(received, { at: printBytes(received), size });
    },
    end() {
      bar?.stop();
      bar = null;
    },
  };
}

/** A line at every tenth of the way, or at every tenfold of a megabyte where the end is unknown. */
function createLinePhase(output: Output, printBytes: (bytes: number) => string): Phase {
  let label = "";
  let lastStep = 0;
  return {
    begin(name) {
      label = name;
      lastStep = 0;
    },
    move(received, total) {
      const step = Math.floor(total === null ? received / 10_000_000 : (received * 10) / total);
      if (step <= lastStep) return;
      lastStep = step;
      const goal = total === null ? "" : ` of ${printBytes(total)} (${step * 10} %)`;
      output.write(`${label}: ${printBytes(received)}${goal}\n`);
    },
    end() {
      label = "";
    },
  };
}

async function createPhase(output: Output): Promise<Phase> {
  const { printBytes } = await import("../model/index.ts");
  if (!output.isTerminal) return createLinePhase(output, printBytes);
  const { default: progress } = await import("cli-progress");
  const createBar = (): SingleBar =>
    new progress.SingleBar({
      stream: output.stream,
      format: "{name} {bar} {percentage} % · {at} of {size} · {eta_formatted} left",
      barCompleteChar: "━",
      barIncompleteChar: "─",
      barsize: Math.max(10, Math.min(40, output.columns - 60)),
      hideCursor: true,
      // Ctrl-C is ours: the bar must not end the process.
      gracefulExit: false,
      clearOnComplete: true,
      stopOnComplete: false,
      etaBuffer: 50,
      // Before the first bytes there is no guess; it is not a number then.
      formatTime: (seconds) => (Number.isFinite(seconds) ? `${Math.ceil(seconds)} s` : "? s"),
    });
  return createBarPhase(createBar, printBytes);
}

/** Makes the listener of a pull. `stop` must be called when the pull has ended. */
export async function createPullProgress(output: Output): Promise<PullProgress> {
  const phase = await createPhase(output);
  let current: string | null = null;
  const say = (line: string): void => {
    if (current !== null) phase.end();
    current = null;
    output.write(`${toVisibleText(line)}\n`);
  };
  return {
    listen(event) {
      if (event.kind === "source") return say(`from ${event.source}`);
      if (event.kind === "source-failed") return say(`${event.source}: ${event.finding.message}`);
      if (event.kind === "waiting") {
        const { processId } = event;
        const who = processId === null ? "another process" : `process ${processId}`;
        if (current !== "waiting") say(`${who} is fetching it already; waiting for it …`);
        current = "waiting";
        return;
      }
      const next = toPhase(event);
      if (next === null) return;
      if (current !== next.name) {
        if (current !== null) phase.end();
        phase.begin(next.name, next.total);
        current = next.name;
      }
      phase.move(event.receivedBytes, next.total);
    },
    stop() {
      if (current !== null) phase.end();
      current = null;
    },
  };
}
