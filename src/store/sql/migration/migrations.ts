import type { Migration } from "kysely";
import { createRun } from "./0001-run.ts";

/** Every migration by name, in the order of their names. A released one is never edited. */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001-run": createRun,
};
