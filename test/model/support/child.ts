import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CatalogueEntry, PullEvent } from "../../../src/model/index.ts";

const built = new URL("../../../dist/model/index.js", import.meta.url);

/** What a process of its own is to pull. */
export interface ChildTask {
  readonly reference: string;
  readonly home: string;
  readonly endpoint: string;
  readonly catalogue: readonly CatalogueEntry[];
}

/** How a pull in a process of its own ended. */
type ChildReport =
  | { readonly kind: "pulled"; readonly digest: string; readonly source: string | null }
  | { readonly kind: "failed"; readonly code: string; readonly message: string; hint?: string };

export interface Child {
  readonly process: ChildProcess;
  readonly events: PullEvent[];
  /** Resolves when an event satisfies the condition. */
  readonly waitFor: (condition: (event: PullEvent) => boolean) => Promise<PullEvent>;
  /** The report; null if the process was killed before it had one. */
  readonly ended: Promise<ChildReport | null>;
}

const program = `
  const [url, text] = process.argv.slice(1);
  const { pullModel } = await import(url);
  const { reference, home, endpoint, catalogue } = JSON.parse(text);
  const say = (value) => process.stdout.write(JSON.stringify(value) + "\\n");
  try {
    const environment = { ...process.env, HF_ENDPOINT: endpoint };
    const onProgress = (event) => say({ event });
    const model = await pullModel(reference, { home, environment, catalogue, onProgress });
    say({ report: { kind: "pulled", digest: model.digest, source: model.source } });
  } catch (error) {
    const { code, message, hint } = error;
    say({ report: { kind: "failed", code: code ?? "none", message, hint } });
  }
`;

/**
 * Runs a pull in a process of its own, from the built code. `shell` is a POSIX shell command to be
 * run before it in the same process environment, such as one that mounts a small disk, and `prefix`
 * the program that starts it.
 */
export function startChild(
  task: ChildTask,
  options: { readonly prefix?: readonly string[]; readonly shell?: string } = {},
): Child {
  if (!existsSync(built)) {
    throw new Error(`${fileURLToPath(built)} is missing: run \`npm run build\` before this test`);
  }
  const node = [process.execPath, "--input-type=module", "-e", program, built.href];
  const plain = [...node, JSON.stringify(task)];
  const inner =
    options.shell === undefined
      ? plain
      : ["/bin/sh", "-c", `${options.shell} && exec "$@"`, "sh", ...plain];
  const [command = "", ...args] = [...(options.prefix ?? []), ...inner];
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  const events: PullEvent[] = [];
  const listeners = new Set<(event: PullEvent) => void>();
  let report: ChildReport | null = null;
  let rest = "";
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const said = JSON.parse(line) as { event?: PullEvent; report?: ChildReport };
      if (said.report !== undefined) report = said.report;
      if (said.event === undefined) continue;
      events.push(said.event);
      for (const listener of listeners) listener(said.event);
    }
  });
  const ended = new Promise<ChildReport | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => {
      if (report === null && exitCode !== null) reject(new Error(`exit ${exitCode}: ${errors}`));
      else resolve(report);
    });
  });
  const waitFor = (condition: (event: PullEvent) => boolean): Promise<PullEvent> =>
    new Promise((resolve, reject) => {
      const seen = events.find(condition);
      if (seen !== undefined) resolve(seen);
      listeners.add((event) => {
        if (condition(event)) resolve(event);
      });
      ended.then(() => reject(new Error(`it ended before: ${errors}`)), reject);
    });
  return { process: child, events, waitFor, ended };
}
