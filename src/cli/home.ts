import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Terminal } from "./terminal.ts";

/** The folder of all data: `INCIPIT_HOME`, or `.incipit` in the user's own folder. */
export function toHome({ environment, workingFolder }: Terminal): string {
  const { INCIPIT_HOME } = environment;
  if (INCIPIT_HOME === undefined || INCIPIT_HOME === "") return join(homedir(), ".incipit");
  return resolve(workingFolder, INCIPIT_HOME);
}

/** The file that runs are recorded in. */
export function toStorePath(home: string): string {
  return join(home, "incipit.db");
}
