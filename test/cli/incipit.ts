import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect } from "vitest";

/** The root of the repository. */
export const root: string = fileURLToPath(new URL("../..", import.meta.url));

const binary = join(root, "dist", "cli", "main.js");

export interface Called {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

export interface CallOptions {
  readonly home: string;
  /** What is piped in; nothing (the null device) when not given. */
  readonly input?: string | Buffer;
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
  /** Put before the command, such as `setpriv …`. */
  readonly before?: readonly string[];
  /** Called with all of stderr so far whenever more arrives; may send a signal. */
  readonly onStderr?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
  /** Called when it has been started; may send it a signal. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
}

/**
 * Calls the built command line in a process of its own and waits for its end. No call may print a
 * stack trace, whatever it is given.
 */
export async function incipit(args: readonly string[], options: CallOptions): Promise<Called> {
  if (!existsSync(binary)) throw new Error(`${binary} is missing: run \`npm run build\` first.`);
  const { home, input, environment = {}, folder = root, before = [], onStderr, onStart } = options;
  const [command = process.execPath, ...rest] = [...before, process.execPath, binary, ...args];
  const startedAt = performance.now();
  const child = spawn(command, rest, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: home, INCIPIT_HOME: home, ...environment },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  onStart?.((signal) => child.kill(signal));
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    onStderr?.(stderr, (signal) => child.kill(signal));
  });
  // A command that refuses its arguments ends before it has read what is piped in.
  child.stdin?.on("error", () => undefined).end(input);
  const [exitCode, signal] = await new Promise<[number | null, NodeJS.Signals | null]>(
    (resolve, reject) => {
      child.on("error", reject).on("close", (code, name) => resolve([code, name]));
    },
  );
  expect(stderr).not.toMatch(/\n\s+at /);
  return { exitCode, signal, stdout, stderr, milliseconds: performance.now() - startedAt };
}

/** Put before a command on Linux, root runs it as an ordinary user. */
export const asOrdinaryUser: readonly string[] = [
  "setpriv",
  "--reuid=65534",
  "--regid=65534",
  "--clear-groups",
];

/**
 * Why a test as an ordinary user is left out, or null: it takes root on Linux, and a checkout that
 * others may read.
 */
export function noOrdinaryUserReason(): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "not root on Linux";
  const [command = "", ...rest] = [...asOrdinaryUser, process.execPath, binary, "--version"];
  const { status } = spawnSync(command, rest, { stdio: "ignore" });
  return status === 0 ? null : "an ordinary user cannot read this checkout";
}

/** A folder of its own for the tests of a file; removed after them. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "incipit-cli-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The error that a command printed with `--json`. */
export function readError(called: Called): {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  readonly findings: readonly { readonly code: string; readonly message: string }[];
} {
  const lines = called.stderr.trimEnd().split("\n");
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? "").error;
}
