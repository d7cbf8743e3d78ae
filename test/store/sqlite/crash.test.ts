import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { openSqliteStore } from "../../../src/store/sqlite/index.ts";
import { sampleRun, saveRuns } from "../../../src/testing/store-case/script.ts";
import { startChild } from "./child.ts";
import { checkIntegrity } from "./inspect.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** Saves runs of up to 90 kB without end, and says the id of each that was acknowledged. */
const writeForever = `
  const [path, name] = args;
  const store = await openSqliteStore(path);
  for (let index = 0; ; index += 1) {
    const id = name + "-" + String(index).padStart(6, "0");
    const text = id.repeat(1 + (index * 2654435761) % 6000);
    await store.runs.saveRun(run(id, { inputs: { text }, result: { text } }));
    say(id);
  }
`;

it("keeps every acknowledged run when the writer is killed, 20 times over", async () => {
  const path = join(createTemporaryFolder(), "runs.db");
  const acknowledged: string[] = [];
  for (let round = 0; round < 20; round += 1) {
    const child = startChild(writeForever, [path, `round-${round}`]);
    acknowledged.push(String(await child.nextLine()));
    await sleep((round * 37) % 80);
    child.process.kill("SIGKILL");
    acknowledged.push(...(await child.finish()));
    expect(child.process.signalCode).toBe("SIGKILL");

    expect(checkIntegrity(path)).toBe("ok");
    const store = await openSqliteStore(path);
    for (const id of acknowledged) {
      const run = await store.runs.getRun(id);
      expect(run?.inputs, id).toEqual(run?.result);
      expect(JSON.stringify(run?.inputs)).toMatch(new RegExp(`^{"text":"(${id})+"}$`));
    }
    await store.close();
  }
}, 120_000);

it("leaves a file that opens when killed while it creates the store, 10 times over", async () => {
  const folder = createTemporaryFolder();
  const script = `
    // Loaded before, so that the time goes into creating.
    await (await openSqliteStore(args[1])).close();
    say("creating");
    await openSqliteStore(args[0]);
    await lines.next();
  `;
  for (let round = 0; round < 10; round += 1) {
    const path = join(folder, `home-${round}`, "runs.db");
    const child = startChild(script, [path, join(folder, `other-${round}.db`)]);
    expect(await child.nextLine()).toBe("creating");
    await sleep(round);
    child.process.kill("SIGKILL");
    await child.finish();
    const store = await openSqliteStore(path);
    await store.runs.saveRun(sampleRun());
    expect(await store.runs.listRuns()).toHaveLength(1);
    await store.close();
    expect(checkIntegrity(path)).toBe("ok");
  }
}, 60_000);

it("has pruned all or nothing when killed while it prunes, 6 times over", async () => {
  const path = join(createTemporaryFolder(), "runs.db");
  const store = await openSqliteStore(path);
  await saveRuns(store, 200, () => ({ result: "x".repeat(20_000) }));
  await store.close();
  const script = `
    const store = await openSqliteStore(args[0]);
    await store.runs.listRuns();
    say("pruning");
    await store.runs.pruneRuns({ keep: 0 });
    await lines.next();
  `;
  for (let round = 0; round < 6; round += 1) {
    const copy = `${path}-${round}`;
    copyFileSync(path, copy);
    const child = startChild(script, [copy]);
    expect(await child.nextLine()).toBe("pruning");
    await sleep(round % 3);
    child.process.kill("SIGKILL");
    await child.finish();
    const after = await openSqliteStore(copy);
    expect([0, 200]).toContain((await after.runs.listRuns({ limit: 1000 })).length);
    await after.close();
    expect(checkIntegrity(copy)).toBe("ok");
  }
}, 60_000);

it("keeps a run whose process ends right after the acknowledgement, without closing", async () => {
  const path = join(createTemporaryFolder(), "runs.db");
  const script = `
    const store = await openSqliteStore(args[0]);
    await store.runs.saveRun(run("run-000001"));
    process.exit(0);
  `;
  await startChild(script, [path]).finish();
  const store = await openSqliteStore(path, { readOnly: true });
  expect((await store.runs.getRun("run-000001"))?.id).toBe("run-000001");
  await store.close();
});
