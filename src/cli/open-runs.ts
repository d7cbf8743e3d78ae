import type { Store } from "../store/index.ts";
import { IncipitError } from "../text/index.ts";
import { toHome, toStorePath } from "./home.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Opens the store of this user for a command that needs recorded runs, calls it, and closes the
 * store. Nothing is created: where there is no store yet, `none` gives the answer.
 */
export async function withRuns<Value>(
  terminal: Terminal,
  options: { readonly readOnly: boolean },
  use: (store: Store) => Promise<Value>,
  none: () => Value,
): Promise<Value> {
  const { openSqliteStore } = await import("../store/sqlite/index.ts");
  const path = toStorePath(toHome(terminal));
  let store: Store;
  try {
    // Looked at first, since opening to write would begin a store.
    if (!options.readOnly) await (await openSqliteStore(path, { readOnly: true })).close();
    store = await openSqliteStore(path, options);
  } catch (error) {
    if (IncipitError.isInstance(error) && error.code === "store_missing") return none();
    throw addHint(error, "name another folder with INCIPIT_HOME");
  }
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** A failure of opening the store with another way out of it. */
export function addHint(error: unknown, ways: string): unknown {
  if (!IncipitError.isInstance(error)) return error;
  const hint = error.hint === undefined ? ways : `${error.hint}; or ${ways}`;
  return new IncipitError(error.code, error.message, { hint, cause: error });
}

/** The error of an id that no run has. */
export function toRunNotFound(id: string): IncipitError {
  return new IncipitError("cli_run_not_found", `There is no run "${id}".`, {
    hint: "list them with `incipit runs list`",
  });
}
