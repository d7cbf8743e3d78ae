import type { Store } from "../store/index.ts";
import { deletingCases } from "./store-case/deleting.ts";
import { findingCases } from "./store-case/finding.ts";
import { listingCases } from "./store-case/listing.ts";
import { savingCases } from "./store-case/saving.ts";
import type { StoreScript } from "./store-case/script.ts";

/** One promise that every store keeps; `run` rejects with an `AssertionError` if this one does not. */
export interface StoreCase {
  readonly name: string;
  run(): Promise<void>;
}

const scripts: readonly StoreScript[] = [
  ...savingCases,
  ...findingCases,
  ...listingCases,
  ...deletingCases,
];

/**
 * The conformance suite of stores, for any test runner:
 *
 * ```ts
 * describe("my store", () => {
 *   for (const { name, run } of storeCases(openMyStore)) it(name, run);
 * });
 * ```
 *
 * `openStore` gives an empty store; every case opens one and closes it.
 */
export function storeCases(openStore: () => Promise<Store>): readonly StoreCase[] {
  return scripts.map(({ name, script }) => ({
    name,
    run: async () => {
      const store = await openStore();
      try {
        await script(store);
      } finally {
        await store.close();
      }
    },
  }));
}
