import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkGguf } from "../../src/model/gguf.ts";
import { IncipitError } from "../../src/text/index.ts";
import { createModelFile } from "./support/made-up-model.ts";
import { createFolder, toFailure } from "./support/temporary.ts";

const whole = createModelFile(5000);

async function write(bytes: Buffer): Promise<string> {
  const path = join(await createFolder(), "model.gguf");
  await writeFile(path, bytes);
  return path;
}

describe("a GGUF file", () => {
  test("that is whole is accepted", async () => {
    await checkGguf(await write(whole));
  });

  test("cut anywhere is incomplete, and the failure says how much is there", async () => {
    for (const length of [6, 20, 40, 70, 100, 4000, whole.length - 1]) {
      const path = await write(whole.subarray(0, length));
      const failure = await toFailure(checkGguf(path));
      expect([length, failure.code]).toEqual([length, "model_truncated"]);
      expect(failure.message).toContain(`"${path}" is not complete`);
    }
    const nearly = await write(whole.subarray(0, 4000));
    expect((await toFailure(checkGguf(nearly))).message).toBe(
      `"${nearly}" is not complete: it has 4.0 kB, and its header speaks of 5.1 kB.`,
    );
  });

  test("that lacks so little that rounded sizes are equal is told of by its bytes", async () => {
    const path = await write(whole.subarray(0, whole.length - 1));
    expect((await toFailure(checkGguf(path))).message).toBe(
      `"${path}" is not complete: it has ${whole.length - 1} bytes, ` +
        `and its header speaks of ${whole.length} bytes.`,
    );
  });

  test.each([
    ["an empty file", Buffer.alloc(0), "does not begin with the four letters GGUF"],
    ["a zip file", Buffer.from("PK\u0003\u0004 and more"), "does not begin with"],
    ["an old version", Buffer.concat([Buffer.from("GGUF"), Buffer.from([1, 0, 0, 0])]), "is 1"],
  ])("is not %s", async (_name, bytes, reason) => {
    const failure = await toFailure(checkGguf(await write(bytes)));
    expect(failure.code).toBe("model_not_gguf");
    expect(failure.message).toContain(reason);
  });

  test("with any bytes after the magic is judged with a failure of ours or accepted", async () => {
    const path = join(await createFolder(), "model.gguf");
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (tail) => {
        await writeFile(
          path,
          Buffer.concat([Buffer.from("GGUF"), Buffer.from([3, 0, 0, 0]), tail]),
        );
        try {
          await checkGguf(path);
        } catch (error) {
          expect(IncipitError.isInstance(error)).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});
