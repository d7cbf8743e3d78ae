import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "../../..");
const entry = join(root, "dist/store/sqlite/index.js");

/** Another process that uses the built store. */
interface Child {
  readonly process: ChildProcess;
  /** Writes a line to its standard input. */
  send(line: string): void;
  /** The next line of its standard output, or null at its end. */
  nextLine(): Promise<string | null>;
  /** Every line not yet taken, once it has ended; rejects with its standard error if it failed. */
  finish(): Promise<string[]>;
}

/**
 * Starts a process that runs a script, with the arguments in `args`. The script finds
 * `openSqliteStore`, `run(id, fields)`, which makes a record, `say(line)`, which has written when it
 * returns, and `lines`, its standard input.
 *
 * `bound`: permissions hold for it even if we are root.
 */
export function startChild(
  script: string,
  args: readonly string[],
  { bound = false }: { readonly bound?: boolean } = {},
): Child {
  checkBuild();
  const source = `
    import { writeSync } from "node:fs";
    import { createInterface } from "node:readline";
    import { openSqliteStore } from ${JSON.stringify(pathToFileURL(entry))};
    const args = process.argv.slice(1);
    const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const say = (line) => writeSync(1, line + "\\n");
    const run = (id, fields) => ({
      id, startedAt: "2026-01-31T08:05:00.000Z", durationMs: 1, task: "dictation/cleanup",
      status: "ok", inputs: null, result: null, stampId: null, promptDigest: null, model: null,
      ...fields,
    });
    ${script}
    process.stdin.destroy();
  `;
  const command = [process.execPath, "--input-type=module", "-e", source, ...args];
  const drop = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];
  const [program = "", ...rest] =
    bound && process.getuid?.() === 0 ? [...drop, ...command] : command;
  const child = spawn(program, rest, { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => undefined);

  let problems = "";
  child.stderr.on("data", (data) => {
    problems += data;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const closed = new Promise<void>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => resolve());
  });
  // Whoever waits for the end sees it; a test that fails before does not wait.
  closed.catch(() => undefined);
  const nextLine = async () => {
    const { done, value } = await lines.next();
    return done ? null : value;
  };
  return {
    process: child,
    nextLine,
    send: (line) => child.stdin.write(`${line}\n`),
    finish: async () => {
      const rest: string[] = [];
      for (let line = await nextLine(); line !== null; line = await nextLine()) rest.push(line);
      await closed;
      if (problems !== "") throw new Error(`The child process failed:\n${problems}`);
      return rest;
    },
  };
}

/** Runs a script to its end and gives what it said. */
export function runChild(
  script: string,
  args: readonly string[],
  options: { readonly bound?: boolean } = {},
): Promise<string[]> {
  return startChild(script, args, options).finish();
}

/** Throws unless the built store is there and newer than its sources. */
export function checkBuild(): void {
  if (!existsSync(entry)) {
    throw new Error(`${entry} is missing: this test uses the built store, run "npm run build".`);
  }
  const source = join(root, "src/store");
  for (const path of readdirSync(source, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".ts")) continue;
    const built = join(root, "dist/store", path.replace(/\.ts$/, ".js"));
    if (existsSync(built) && statSync(built).mtimeMs >= statSync(join(source, path)).mtimeMs)
      continue;
    throw new Error(`${built} is older than its source: run "npm run build".`);
  }
}
