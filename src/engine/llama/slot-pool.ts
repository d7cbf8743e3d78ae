import type { LlamaContextSequence, LlamaModel, Token } from "node-llama-cpp";
import { throwIfAborted } from "../failure.ts";
import type { ThreadPace } from "./thread-pace.ts";

/**
 * Tokens evaluated in one step. Between two steps an abort is noticed; a step also decides how the
 * processor rounds, so prompts are cut into steps at the same places every time.
 */
export const stepTokens = 128;

const smallestSlot = 512;
/** The library shifts what a slot holds when the last cell but one is taken; it never may. */
const spareCells = 2;
const mostSlots = 8;

/** Memory of the model with an evaluated prefix in it. */
interface Slot {
  readonly sequence: LlamaContextSequence;
  /** Whether the prefix was there from an earlier call. */
  readonly reused: boolean;
}

/**
 * Evaluated prefixes of the last few tasks. Calls must come one after the other.
 *
 * A prefix is always evaluated from its first token in steps of its own, and what follows it in
 * steps after it. So a call computes the same numbers whether its prefix was kept or not, and
 * whatever else is kept.
 */
export interface SlotPool {
  /** The pace at which prompts are evaluated. */
  readonly pace: ThreadPace;
  /**
   * Gives a slot that holds exactly `prefix` and has room for `tokens` in all. The prefix is kept
   * for later calls until it has gone unused for longest.
   */
  acquire(prefix: readonly Token[], tokens: number, signal: AbortSignal | undefined): Promise<Slot>;
  close(): Promise<void>;
}

interface Entry {
  sequence: LlamaContextSequence;
  room: number;
  /** What is evaluated for sure; null while it is not known. */
  prefix: readonly Token[] | null;
}

/** Creates an empty pool; it holds at most twice `contextTokens` and eight prefixes. */
export function createSlotPool(options: {
  model: LlamaModel;
  contextTokens: number;
  threads: number;
  pace: ThreadPace;
}): SlotPool {
  const { model, contextTokens, threads, pace } = options;
  const mostRoom = Math.ceil((contextTokens + spareCells) / 256) * 256;
  // The one used last is at the end.
  const entries: Entry[] = [];

  const drop = async (entry: Entry): Promise<void> => {
    entries.splice(entries.indexOf(entry), 1);
    await entry.sequence.context.dispose();
  };

  const open = async (room: number): Promise<Entry> => {
    const isFull = (): boolean =>
      entries.length >= mostSlots ||
      entries.reduce((sum, entry) => sum + entry.room, room) > 2 * mostRoom;
    for (let oldest = entries[0]; oldest !== undefined && isFull(); oldest = entries[0]) {
      await drop(oldest);
    }
    const context = await model.createContext({
      contextSize: room,
      sequences: 1,
      batchSize: stepTokens,
      threads,
      // With it, sums depend on the number of threads.
      flashAttention: false,
      failedCreationRemedy: false,
      ignoreMemorySafetyChecks: true,
    });
    const entry: Entry = { sequence: context.getSequence(), room, prefix: [] };
    entries.push(entry);
    return entry;
  };

  /** An entry that holds the prefix or that may be overwritten. */
  const choose = async (prefix: readonly Token[], tokens: number): Promise<Entry> => {
    const needed = tokens + spareCells;
    const kept = entries.find((entry) => entry.prefix !== null && isSame(entry.prefix, prefix));
    if (kept !== undefined && kept.room >= needed) return kept;
    if (kept !== undefined) await drop(kept);
    const unknown = entries.find((entry) => entry.prefix === null && entry.room >= needed);
    if (unknown !== undefined) return unknown;
    const oldest = entries[0];
    const room = Math.min(roomFor(needed), mostRoom);
    if (entries.length >= mostSlots && oldest !== undefined && oldest.room === room) return oldest;
    return open(room);
  };

  return {
    pace,
    async acquire(prefix, tokens, signal) {
      throwIfAborted(signal);
      const entry = await choose(prefix, tokens);
      entries.push(...entries.splice(entries.indexOf(entry), 1));
      const { sequence } = entry;
      const reused = prefix.length > 0 && entry.prefix !== null && isSame(entry.prefix, prefix);
      entry.prefix = null;
      // Models with a sliding window or a running state cannot forget; they start over.
      const canForget = !sequence.needsCheckpoints;
      if (reused && canForget) {
        const { nextTokenIndex } = sequence;
        await sequence.eraseContextTokenRanges([{ start: prefix.length, end: nextTokenIndex }]);
      } else {
        await sequence.clearHistory();
        await evaluateInSteps(sequence, prefix, pace, signal);
      }
      entry.prefix = prefix;
      return { sequence, reused: reused && canForget };
    },
    async close() {
      for (const entry of [...entries]) await drop(entry);
    },
  };
}

/** Evaluates tokens after what a sequence holds; throws `engine_aborted` between two steps. */
export async function evaluateInSteps(
  sequence: LlamaContextSequence,
  tokens: readonly Token[],
  pace: ThreadPace,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let start = 0; start < tokens.length; start += stepTokens) {
    throwIfAborted(signal);
    const step = tokens.slice(start, start + stepTokens);
    await pace.step(() => sequence.evaluateWithoutGeneratingNewTokens(step));
  }
  throwIfAborted(signal);
}

/** Room in powers of two, so that slots fit again. */
function roomFor(needed: number): number {
  let room = smallestSlot;
  while (room < needed) room *= 2;
  return room;
}

function isSame(one: readonly Token[], other: readonly Token[]): boolean {
  return one.length === other.length && one.every((token, index) => token === other[index]);
}
