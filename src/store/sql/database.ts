/**
 * The tables of a store, as its latest migration leaves them.
 *
 * JSON is kept as text, never in a JSON column type: those reorder members, round numbers and
 * refuse U+0000.
 */
export interface StoreDatabase {
  readonly run: RunTable;
}

interface RunTable {
  readonly id: string;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly task: string;
  readonly status: string;
  readonly stamp_id: string | null;
  readonly prompt_digest: string | null;
  readonly model: string | null;
  readonly inputs: string;
  readonly result: string;
}
