import { randomUUID } from "node:crypto";
import { readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { IncipitError } from "../text/index.ts";
import { throwIfAborted, toErrno, toStorageFailure } from "./failure.ts";

/** Times of a lock, in milliseconds. */
export interface LockTimes {
  /** How often the holder touches its lock. */
  readonly heartbeat: number;
  /** A lock of a process that is gone from this computer is free after this long without a touch. */
  readonly deadHolder: number;
  /** A lock whose holder cannot be looked up is free after this long without a touch. */
  readonly silentHolder: number;
  /** How often a waiting process looks again. */
  readonly poll: number;
}

export interface LockOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called at every look while another process holds the lock. */
  readonly onWait?: ((processId: number | null) => void | Promise<void>) | undefined;
  readonly times?: Partial<LockTimes> | undefined;
}

const usualTimes: LockTimes = {
  heartbeat: 1000,
  deadHolder: 3500,
  silentHolder: 30_000,
  poll: 250,
};

interface Holder {
  readonly processId: number | null;
  readonly host: string | null;
  /** The lock file's text, which tells one holder from the next. */
  readonly text: string;
}

/**
 * Does work while holding a lock file, waiting for another process to let go of it. The file is
 * made exclusively and names its holder, who touches it all the time; one left by a killed process
 * is taken over. The work's signal is aborted by `signal`, and with `model_lock_lost` if another
 * process took the lock because this one stood still for too long.
 */
export async function withLock<T>(
  path: string,
  work: (signal: AbortSignal) => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const times = { ...usualTimes, ...options.times };
  const text = JSON.stringify({ processId: process.pid, host: hostname(), id: randomUUID() });
  await acquire(path, text, times, options);
  const lost = new AbortController();
  const heartbeat = setInterval(() => {
    touch(path, text, lost).catch(() => undefined);
  }, times.heartbeat);
  heartbeat.unref();
  try {
    const { signal } = options;
    return await work(signal === undefined ? lost.signal : AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(heartbeat);
    if ((await readHolder(path))?.text === text) await rm(path, { force: true });
  }
}

async function acquire(
  path: string,
  text: string,
  times: LockTimes,
  { signal, onWait }: LockOptions,
): Promise<void> {
  let watched = { text: "", touched: 0, since: 0 };
  for (;;) {
    throwIfAborted(signal);
    try {
      await writeFile(path, text, { flag: "wx" });
      return;
    } catch (cause) {
      const errno = toErrno(cause);
      // The file was made but its text found no room.
      if (errno === "ENOSPC" || errno === "EDQUOT") await rm(path, { force: true });
      if (errno !== "EEXIST") throw toStorageFailure(cause, path);
    }
    const holder = await readHolder(path);
    const touched = await stat(path).then(
      (found) => found.mtimeMs,
      () => null,
    );
    if (holder === null || touched === null) continue;
    const now = performance.now();
    if (watched.text !== holder.text || watched.touched !== touched) {
      watched = { text: holder.text, touched, since: now };
    }
    // The same computer has the same clock; for any other, only what was watched counts.
    const untouched =
      holder.host === hostname()
        ? Math.max(Date.now() - touched, now - watched.since)
        : now - watched.since;
    const patience = isGone(holder) ? times.deadHolder : times.silentHolder;
    if (untouched > patience) {
      await takeAway(path, holder.text);
      continue;
    }
    await onWait?.(holder.processId);
    await delay(times.poll, undefined, signal === undefined ? {} : { signal }).catch(() =>
      throwIfAborted(signal),
    );
  }
}

/** Whether the holder certainly no longer runs; a file cut off while being written names nobody. */
function isGone(holder: Holder): boolean {
  if (holder.processId === null) return true;
  if (holder.host !== hostname()) return false;
  try {
    process.kill(holder.processId, 0);
    return false;
  } catch (cause) {
    return toErrno(cause) === "ESRCH";
  }
}

/**
 * Removes a stale lock. Of several processes only one succeeds in renaming it; one that finds it
 * took a lock made meanwhile puts it back.
 */
async function takeAway(path: string, staleText: string): Promise<void> {
  const aside = `${path}.${process.pid}.${randomUUID()}.stale`;
  try {
    await rename(path, aside);
  } catch (cause) {
    if (toErrno(cause) === "ENOENT") return;
    throw toStorageFailure(cause, path);
  }
  const taken = await readHolder(aside);
  if (taken !== null && taken.text !== staleText) {
    await writeFile(path, taken.text, { flag: "wx" }).catch(() => undefined);
  }
  await rm(aside, { force: true }).catch(() => undefined);
}

async function touch(path: string, text: string, lost: AbortController): Promise<void> {
  const holder = await readHolder(path);
  if (holder?.text === text) {
    const now = new Date();
    await utimes(path, now, now);
  } else if (holder !== null) {
    lost.abort(
      new IncipitError("model_lock_lost", `"${path}" was taken over by another process.`, {
        hint: "pull again",
      }),
    );
  }
}

async function readHolder(path: string): Promise<Holder | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    if (toErrno(cause) === "ENOENT") return null;
    throw toStorageFailure(cause, path);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && "processId" in value && "host" in value) {
      const { processId, host } = value;
      return {
        processId: typeof processId === "number" ? processId : null,
        host: typeof host === "string" ? host : null,
        text,
      };
    }
  } catch {
    // Cut off while it was written.
  }
  return { processId: null, host: null, text };
}
