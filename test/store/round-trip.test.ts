import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Store } from "../../src/store/index.ts";
import { createMemoryStore } from "../../src/store/memory/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { sampleRun, toId } from "../../src/testing/store-case/script.ts";
import type { Json } from "../../src/text/index.ts";
import { createTemporaryFolder } from "./sqlite/temporary-folder.ts";

/** Any JSON, lone surrogates and `__proto__` included; numbers as `JSON.stringify` gives them. */
const anyJson = fc
  .jsonValue({ maxDepth: 4, stringUnit: "binary" })
  .map((value) => JSON.parse(JSON.stringify(value)) as Json);

const stores: readonly (readonly [string, () => Promise<Store>])[] = [
  ["memory", async () => createMemoryStore()],
  ["SQLite", () => openSqliteStore(join(createTemporaryFolder(), "runs.db"))],
];

describe.each(stores)("%s store", (_, open) => {
  it("gives back any JSON, any task and any model exactly", async () => {
    const store = await open();
    const name = fc.string({ minLength: 1, unit: "binary" }).filter((text) => !text.includes("\0"));
    let count = 0;
    await fc.assert(
      fc.asyncProperty(anyJson, anyJson, name, name, async (inputs, result, task, model) => {
        const run = sampleRun({ id: toId(count), inputs, result, task, model });
        count += 1;
        await store.runs.saveRun(run);
        const read = await store.runs.getRun(run.id);
        expect(read).toStrictEqual(run);
        expect(JSON.stringify(read?.result)).toBe(JSON.stringify(result));
        expect((await store.runs.listRuns({ task })).some(({ id }) => id === run.id)).toBe(true);
      }),
      { numRuns: 300 },
    );
    await store.close();
  });
});
