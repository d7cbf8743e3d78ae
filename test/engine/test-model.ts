import { IncipitError } from "../../src/text/index.ts";

/** Environment variable with the path of the SmolLM2 file that tests of a real model use. */
const testModelVariable = "INCIPIT_TEST_MODEL";

const path = process.env[testModelVariable];

/** Why tests of a real model are left out, or null when the model is there. */
export const noModelReason: string | null =
  path === undefined || path === "" ? `${testModelVariable} names no model file` : null;

if (noModelReason !== null && process.env.CI) {
  throw new IncipitError("test_no_model", `CI runs every test, but ${noModelReason}.`);
}

/** Path of the model file; throws where there is none. */
export function testModelPath(): string {
  if (path === undefined || noModelReason !== null) throw new Error(noModelReason ?? "no model");
  return path;
}

/** A title that says why its tests are left out, when they are. */
export function modelTitle(title: string): string {
  return noModelReason === null ? title : `${title} (left out: ${noModelReason})`;
}
