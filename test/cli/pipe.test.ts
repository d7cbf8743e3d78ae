import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, openSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Called, incipit, makeFolder, readError, root } from "./incipit.ts";

const folder = makeFolder();
const home = join(folder, "home");
const show = ["show", "dictation/content-tags", "--json"];
const binary = join(root, "dist", "cli", "main.js");
let count = 0;

function makePipe(): string {
  count += 1;
  const path = join(folder, `pipe-${count}`);
  execFileSync("mkfifo", [path]);
  return path;
}

function readShown(called: Called): string {
  expect(called).toMatchObject({ exitCode: 0, stderr: "" });
  return JSON.parse(called.stdout).request.messages[1].text;
}

/** Sends a signal when the process has had time to begin, and how long it then went on. */
async function stop(
  path: string,
  signals: readonly NodeJS.Signals[],
): Promise<Called & { readonly after: number }> {
  let killedAt = 0;
  const called = await incipit([...show, "--file", path], {
    home,
    onStart: (kill) => {
      for (const [index, signal] of signals.entries()) {
        setTimeout(
          () => {
            killedAt = performance.now();
            kill(signal);
          },
          2_000 + index * 300,
        );
      }
    },
  });
  return { ...called, after: performance.now() - killedAt };
}

describe.skipIf(process.platform === "win32")("a pipe as a file", () => {
  it("is read to its end, however late its writer comes", async () => {
    const path = makePipe();
    const reading = incipit([...show, "--file", path], { home });
    setTimeout(() => void writeFile(path, "call Ana\n"), 1_500);
    expect(readShown(await reading)).toContain("\ncall Ana\n");
  }, 30_000);

  it.skipIf(!existsSync("/bin/bash"))("may be the output of a command", () => {
    const line = `"${process.execPath}" "${binary}" ${show.join(" ")} -f <(sleep 1; echo call Bo)`;
    const { stdout, status } = spawnSync("/bin/bash", ["-c", line], {
      cwd: root,
      encoding: "utf8",
      env: { PATH: process.env.PATH, INCIPIT_HOME: home },
    });
    expect(status).toBe(0);
    expect(JSON.parse(stdout).request.messages[1].text).toContain("\ncall Bo\n");
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "without a writer is left at %s",
    async (signal, exitCode) => {
      const called = await stop(makePipe(), [signal]);
      expect(called).toMatchObject({ exitCode, signal: null, stdout: "" });
      expect(readError(called).code).toBe("cli_aborted");
      expect(called.after).toBeLessThan(1_500);
    },
    30_000,
  );

  it("whose writer is silent is left as well", async () => {
    const path = makePipe();
    const writer = openSync(path, "r+");
    expect(writer).toBeGreaterThan(0);
    const called = await stop(path, ["SIGINT"]);
    expect(called).toMatchObject({ exitCode: 130, signal: null, stdout: "" });
  }, 30_000);
});

describe.skipIf(!existsSync("/dev/ptmx"))("a device that a thread waits at", () => {
  it.each([
    ["two seconds after Ctrl-C", ["SIGINT"]],
    ["at the second Ctrl-C", ["SIGINT", "SIGINT"]],
  ] as const)(
    "does not keep the process, %s",
    async (_, signals) => {
      const called = await stop("/dev/ptmx", signals);
      expect(called).toMatchObject({ exitCode: null, signal: "SIGINT", stdout: "" });
      expect(called.after).toBeLessThan(signals.length === 1 ? 4_000 : 1_500);
    },
    30_000,
  );

  it("gives a shell the exit code 130", async () => {
    const line = `"${process.execPath}" "${binary}" ${show.join(" ")} -f /dev/ptmx; echo "code $?"`;
    // In the background, a shell that is not interactive has its commands ignore Ctrl-C.
    const child = spawn("/bin/sh", ["-c", `(sleep 2; pkill -INT -P $$ node) & ${line}`], {
      cwd: root,
      env: { PATH: process.env.PATH, INCIPIT_HOME: home },
      stdio: ["ignore", "pipe", "ignore"],
    });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    await new Promise((resolve) => child.on("close", resolve));
    expect(stdout).toBe("code 130\n");
  }, 30_000);
});

describe.skipIf(!existsSync("/dev/full"))("an output that is full", () => {
  it("is one sentence, and the exit code 3", () => {
    const call = (flags: readonly string[]) =>
      spawnSync(process.execPath, [binary, ...flags], {
        cwd: root,
        encoding: "utf8",
        env: { PATH: process.env.PATH, INCIPIT_HOME: home },
        stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
      });
    const people = call(show.slice(0, 2).concat("-i", "transcript=call Ana"));
    expect([people.status, people.stderr]).toEqual([
      3,
      "error: The output cannot be written (ENOSPC).\n" +
        "hint: check the disk or the program that it goes to\n",
    ]);
    const data = call(["run", "dictation/extract-tasks", "-i", "transcript=", "--json"]);
    expect(data.status).toBe(3);
    expect(JSON.parse(data.stderr).error.code).toBe("cli_output_failed");
    const help = call(["--help"]);
    expect(help.status).toBe(3);
    expect(help.stderr).toContain("error: The output cannot be written (ENOSPC).\n");
  });
});

describe("a flag that may stand once", () => {
  it.each([
    [["--seed", "1", "--seed", "2"], "cli_repeated_option", '"--seed" is given more than once.'],
    [["--pack", "a", "--pack", "b"], "cli_repeated_option", '"--pack" is given more than once.'],
    [["--pack", ""], "cli_bad_value", '"--pack" is "", expected <folder>.'],
  ])("is refused as %j", async (flags, code, message) => {
    const called = await incipit([...show, ...flags, "-i", "transcript=x"], { home });
    expect(called).toMatchObject({ exitCode: 2, stdout: "" });
    expect(readError(called)).toMatchObject({ code, message });
  });

  it("may stand twice where it is no value, or a list", async () => {
    const flags = ["--json", "-i", "transcript=x", "--seed", "1"];
    expect(readShown(await incipit([...show, ...flags], { home }))).toContain("\nx\n");
  });
});
