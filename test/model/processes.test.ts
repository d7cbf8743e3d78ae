import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listModels } from "../../src/model/index.ts";
import { type Child, startChild } from "./support/child.ts";
import { createEntry, createModelFile, toDigest } from "./support/made-up-model.ts";
import { createFolder, useHub } from "./support/temporary.ts";

const file = createModelFile(2_000_000);
const catalogue = [createEntry(file)];
const digest = toDigest(file);

function hasProgress(child: Child): Promise<unknown> {
  return child.waitFor((event) => event.kind === "progress" && event.receivedBytes > 100_000);
}

describe("processes that pull the same model", () => {
  test("at once fetch it once: the second waits, shows progress, and finds it", async () => {
    const hub = await useHub(() => ({ file, pause: 15 }));
    const home = await createFolder();
    const task = { reference: "made-up", home, endpoint: hub.endpoint, catalogue };
    const first = startChild(task);
    await hasProgress(first);
    const second = startChild(task);
    const waiting = await second.waitFor(
      (event) => event.kind === "waiting" && event.receivedBytes > 0,
    );
    expect(waiting).toMatchObject({ processId: first.process.pid, totalBytes: file.length });
    expect(await first.ended).toEqual({
      kind: "pulled",
      digest,
      source: "Hugging Face maker/made-up",
    });
    expect(await second.ended).toEqual({ kind: "pulled", digest, source: null });
    expect(hub.requests).toHaveLength(1);
    expect(second.events.some(({ kind }) => kind === "source")).toBe(false);
    expect(await readdir(join(home, "models", "partial"))).toEqual([]);
  });

  test("after one was killed in the middle go on from what it left", async () => {
    const hub = await useHub((_path, count) => (count === 1 ? { file, pause: 15 } : { file }));
    const home = await createFolder();
    const task = { reference: "made-up", home, endpoint: hub.endpoint, catalogue };
    const first = startChild(task);
    await hasProgress(first);
    first.process.kill("SIGKILL");
    expect(await first.ended).toBe(null);
    expect((await listModels({ home, catalogue }))[0]).toMatchObject({ state: "partial" });

    const begun = performance.now();
    const second = startChild(task);
    expect(await second.ended).toMatchObject({ kind: "pulled", digest });
    expect(performance.now() - begun).toBeLessThan(12_000);
    expect(Number(/^bytes=(\d+)-$/.exec(hub.requests[1]?.range ?? "")?.[1])).toBeGreaterThan(
      100_000,
    );
    const [listed] = await listModels({ home, catalogue });
    expect(listed?.state).toBe("present");
    expect(file.equals(await readFile(listed?.path ?? ""))).toBe(true);
    expect(await readdir(join(home, "models", "partial"))).toEqual([]);
  });
});
