import { homedir } from "node:os";
import { join } from "node:path";
import { parseModelReference, printBytes, pullModel } from "../../src/model/index.ts";

/**
 * Makes the small model available to the tests that need it, as `INCIPIT_TEST_MODEL`. Without it
 * and without a source those tests are left out, and the reason is printed; in CI that is an error.
 */
export async function setup(): Promise<void> {
  if (process.env.INCIPIT_TEST_MODEL) return;
  const home = process.env.INCIPIT_HOME ?? join(homedir(), ".incipit");
  try {
    const model = await pullModel(parseModelReference("smollm2-135m-instruct"), {
      home,
      onProgress: (event) => {
        if (event.kind === "source") process.stderr.write("fetching the small model …\n");
      },
    });
    process.env.INCIPIT_TEST_MODEL = model.path;
    process.stderr.write(`model: ${model.path} (${printBytes(model.bytes)})\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (process.env.CI) throw error;
    process.stderr.write(`\nLeft out: the tests that need the small model. ${reason}\n\n`);
  }
}
