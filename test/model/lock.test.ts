import { spawnSync } from "node:child_process";
import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { withLock } from "../../src/model/lock.ts";
import { createFolder, toFailure } from "./support/temporary.ts";

const times = { heartbeat: 40, deadHolder: 200, silentHolder: 500, poll: 10 };

function findDeadProcess(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}

describe("a lock", () => {
  test("lets one piece of work after the other in and leaves nothing behind", async () => {
    const folder = await createFolder();
    const path = join(folder, "a.lock");
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await delay(15);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => withLock(path, work, { times })));
    expect(most).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  test("is let go of when the work fails", async () => {
    const path = join(await createFolder(), "a.lock");
    await expect(withLock(path, () => Promise.reject(new Error("no")), { times })).rejects.toThrow(
      "no",
    );
    expect(await withLock(path, async () => 7, { times })).toBe(7);
  });

  test("of a process that is gone is taken over soon, of one that lives is not", async () => {
    const path = join(await createFolder(), "a.lock");
    const dead = { processId: findDeadProcess(), host: hostname(), id: "x" };
    await writeFile(path, JSON.stringify(dead));
    const begun = performance.now();
    await withLock(path, async () => undefined, { times });
    expect(performance.now() - begun).toBeGreaterThan(150);
    expect(performance.now() - begun).toBeLessThan(450);

    let seen: number | null = null;
    const stop = new AbortController();
    const holding = withLock(path, () => delay(900), { times });
    await delay(30);
    setTimeout(() => stop.abort(), 700);
    const failure = await toFailure(
      withLock(path, async () => undefined, {
        times,
        signal: stop.signal,
        onWait: (processId) => {
          seen = processId;
        },
      }),
    );
    expect(failure.code).toBe("model_aborted");
    expect(seen).toBe(process.pid);
    await holding;
  });

  test("of another computer is taken over only after nobody touched it for long", async () => {
    const path = join(await createFolder(), "a.lock");
    await writeFile(path, JSON.stringify({ processId: 1, host: "elsewhere", id: "x" }));
    const old = new Date(2001, 1, 1);
    await utimes(path, old, old);
    const begun = performance.now();
    await withLock(path, async () => undefined, { times });
    expect(performance.now() - begun).toBeGreaterThan(450);
  });

  test("that was cut off while it was written is taken over", async () => {
    const path = join(await createFolder(), "a.lock");
    await writeFile(path, '{"processId":');
    expect(await withLock(path, async () => "in", { times })).toBe("in");
  });

  test("that another process took away stops the work", async () => {
    const path = join(await createFolder(), "a.lock");
    const failure = await toFailure(
      withLock(
        path,
        async (signal) => {
          await writeFile(path, JSON.stringify({ processId: 1, host: "elsewhere", id: "thief" }));
          await delay(2000, undefined, { signal }).catch(() => {
            throw signal.reason;
          });
        },
        { times },
      ),
    );
    expect(failure.code).toBe("model_lock_lost");
    expect(await readFile(path, "utf8")).toContain("thief");
  });
});
