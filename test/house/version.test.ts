import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { incipitVersion } from "../../src/plan/index.ts";

it("the version in a stamp is the package's", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(incipitVersion).toBe(manifest.version);
});
