import type { Output } from "./terminal.ts";
import { toLine } from "./visible-text.ts";

/** One line of a terminal that is written over again; nothing where there is no terminal. */
export interface StatusLine {
  show(text: string): void;
  /** Takes it away, so that something else can be written. */
  clear(): void;
}

/** How often it is drawn at most, in milliseconds. */
const interval = 80;

/** Makes a status line. It is drawn a few times a second at most. */
export function createStatusLine(output: Output): StatusLine {
  let drawn = false;
  let last = Number.NEGATIVE_INFINITY;
  return {
    show(text) {
      if (!output.isTerminal || performance.now() - last < interval) return;
      last = performance.now();
      drawn = true;
      output.write(`\r\u001b[2K${output.colors.dim(toLine(text, output.columns - 1))}`);
    },
    clear() {
      if (drawn) output.write("\r\u001b[2K");
      drawn = false;
      last = Number.NEGATIVE_INFINITY;
    },
  };
}
