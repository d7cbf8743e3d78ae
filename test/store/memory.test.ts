import { describe, it } from "vitest";
import { createMemoryStore } from "../../src/store/memory/index.ts";
import { storeCases } from "../../src/testing/store-suite.ts";

describe("memory store", () => {
  for (const { name, run } of storeCases(async () => createMemoryStore())) it(name, run);
});
