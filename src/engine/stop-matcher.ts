/** Cuts a text that arrives in pieces at the first stop text in it. */
export interface StopMatcher {
  /** Takes the next piece; gives the text that no stop text can begin in any more. */
  push(piece: string): string;
  /** Whether a stop text was found. Everything after it is dropped. */
  readonly stopped: boolean;
  /** Gives the text that was held back; call it when no more pieces come. */
  end(): string;
}

/** Creates a matcher for these stop texts, none of them empty. */
export function createStopMatcher(stop: readonly string[]): StopMatcher {
  let held = "";
  let stopped = false;
  return {
    get stopped() {
      return stopped;
    },
    push(piece) {
      if (stopped) return "";
      const text = held + piece;
      const found = stop.map((one) => text.indexOf(one)).filter((index) => index >= 0);
      if (found.length > 0) {
        stopped = true;
        held = "";
        return text.slice(0, Math.min(...found));
      }
      const keep = Math.max(0, ...stop.map((one) => overlap(text, one)));
      held = text.slice(text.length - keep);
      return text.slice(0, text.length - keep);
    },
    end() {
      const rest = held;
      held = "";
      return rest;
    },
  };
}

/** Length of the longest end of `text` that is a beginning of `stop`. */
function overlap(text: string, stop: string): number {
  for (let length = Math.min(text.length, stop.length - 1); length > 0; length -= 1) {
    if (text.endsWith(stop.slice(0, length))) return length;
  }
  return 0;
}
