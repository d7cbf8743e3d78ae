import { type Kysely, Migrator } from "kysely";
import { migrations } from "./migration/migrations.ts";

/** How a database's schema stands to the one we know. */
export type SchemaState =
  | { readonly kind: "current" }
  | { readonly kind: "older" }
  /** It has migrations that we do not know. */
  | { readonly kind: "newer"; readonly unknown: readonly string[] };

/** Reads which migrations a database has had; writes nothing. */
export async function readSchemaState(db: Kysely<unknown>): Promise<SchemaState> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === "kysely_migration")) return { kind: "older" };
  const rows = await (db as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom("kysely_migration")
    .select("name")
    .orderBy("name")
    .execute();
  const applied = rows.map(({ name }) => name);
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0) return { kind: "newer", unknown };
  return {
    kind: Object.keys(migrations).every((name) => applied.includes(name)) ? "current" : "older",
  };
}

/** Runs the migrations that are missing; throws what the first failing one threw. */
export async function migrate(db: Kysely<unknown>): Promise<void> {
  const provider = { getMigrations: async () => ({ ...migrations }) };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error !== undefined) throw error;
}
