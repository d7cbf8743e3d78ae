import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Where the GBNF test data of llama.cpp lies: the folder `gbnf` within the one that the
 * environment variable INCIPIT_DATA names; undefined when it is not set.
 */
export const dataFolder: string | undefined =
  process.env.INCIPIT_DATA === undefined ? undefined : join(process.env.INCIPIT_DATA, "gbnf");

/** What a suite that needs the data says when it is skipped. */
export const dataNote =
  "needs llama.cpp's GBNF test data: set INCIPIT_DATA to the folder that holds gbnf/";

/** One line of a data file: the members that some test reads. */
export interface DataCase {
  readonly id?: string;
  readonly name?: string;
  readonly grammar?: string;
  readonly upstreamGrammar?: string | null;
  readonly root?: string;
  readonly ok?: boolean;
  readonly tokens?: boolean;
  readonly accepts?: readonly string[];
  readonly rejects?: readonly string[];
  readonly "v0.4.0"?: "ok" | "error" | "hang";
}

/** Reads a data file, one JSON object a line. */
export function readDataCases(name: string): readonly DataCase[] {
  if (dataFolder === undefined) return [];
  const text = readFileSync(join(dataFolder, name), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** The grammars that llama.cpp ships, by file name. */
export function readShippedGrammars(): readonly (readonly [string, string])[] {
  if (dataFolder === undefined) return [];
  const folder = join(dataFolder, "grammars");
  return readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]);
}
