import { join } from "node:path";
import { describe, it } from "vitest";
import { openSqliteStore } from "../../../src/store/sqlite/index.ts";
import { storeCases } from "../../../src/testing/store-suite.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

describe("SQLite store", () => {
  const openStore = () => openSqliteStore(join(createTemporaryFolder(), "runs.db"));
  for (const { name, run } of storeCases(openStore)) it(name, run);
});
