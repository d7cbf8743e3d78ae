import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { RunRecord } from "../../src/store/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { incipit, makeFolder, readError } from "./incipit.ts";

const folder = makeFolder();
let home = "";
let count = 0;

/** Ids as the runtime makes them: of one day, so that a short beginning fits several. */
function toRun(day: number, status: RunRecord["status"] = "ok"): RunRecord {
  return {
    id: `01m8n7${day}aaaaaaaaaaaaa`,
    startedAt: `2026-01-0${day}T08:05:00.000Z`,
    durationMs: 420,
    task: day === 3 ? "dictation/cleanup" : "dictation/content-tags",
    status,
    inputs: { transcript: "call Ana \u001b[31m", terms: ["kubectl", "Redis"] },
    result: {
      kind: "success",
      value: { topic: "ana", intent: "planning" },
      attempts: [
        {
          number: 1,
          text: '{"topic":"ana","intent":"planning"}',
          finishReason: "stop",
          usage: { inputTokens: 200, cachedInputTokens: 0, outputTokens: 12 },
          sampling: { temperature: 0, seed: 0 },
          findings: [],
        },
      ],
      warnings: [{ code: "plan_length_stop", severity: "warning", message: "It was cut." }],
    },
    stampId: "a".repeat(64),
    promptDigest: "b".repeat(64),
    model: "smollm2-135m-instruct",
  };
}

beforeEach(async () => {
  count += 1;
  home = join(folder, `home-${count}`);
  const store = await openSqliteStore(join(home, "incipit.db"));
  for (const day of [1, 2, 3]) await store.runs.saveRun(toRun(day, day === 2 ? "failed" : "ok"));
  await store.close();
});

async function list(...flags: string[]): Promise<string[]> {
  const called = await incipit(["runs", "list", "--json", ...flags], { home });
  expect(called).toMatchObject({ exitCode: 0, stderr: "" });
  return JSON.parse(called.stdout).map(({ id }: { id: string }) => id[6]);
}

describe("runs list", () => {
  it("gives the newest first, and only those asked for", async () => {
    expect(await list()).toEqual(["3", "2", "1"]);
    expect(await list("--limit", "1")).toEqual(["3"]);
    expect(await list("--status", "failed")).toEqual(["2"]);
    expect(await list("--task", "dictation/content-tags")).toEqual(["2", "1"]);
  });

  it("prints a line for each run, within 100 columns", async () => {
    const called = await incipit(["runs", "list"], { home });
    const lines = called.stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(
      /^01m8n73a{13} {2}2026-01-03 08:05 {2}dictation\/cleanup +ok +420 {2}smollm2-135m-in…$/,
    );
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(101);
  });

  it("begins no store where there is none", async () => {
    const none = join(folder, "none");
    const called = await incipit(["runs", "list", "--json"], { home: none });
    expect(called).toMatchObject({ exitCode: 0, stdout: "[]\n", stderr: "" });
    const people = await incipit(["runs", "list"], { home: none });
    expect(people).toMatchObject({ exitCode: 0, stdout: "", stderr: "no runs are recorded\n" });
    const pruned = await incipit(["runs", "prune", "--keep", "0"], { home: none });
    expect(pruned.stdout).toBe("deleted 0 runs\n");
    expect(existsSync(none)).toBe(false);
  });

  it("refuses a status that there is not", async () => {
    const called = await incipit(["runs", "list", "--status", "good", "--json"], { home });
    expect(called).toMatchObject({ exitCode: 2, stdout: "" });
    expect(readError(called)).toMatchObject({
      code: "store_invalid_filter",
      hint: "known: ok, failed, aborted",
    });
  });
});

describe("a store that cannot be one", () => {
  it.each([
    ["a folder", (path: string) => mkdirSync(path, { recursive: true })],
    ["not a regular file", (path: string) => execFileSync("mkfifo", [path])],
  ])("for %s is in its place, is refused with a mend", async (kind, make) => {
    if (process.platform === "win32" && kind !== "a folder") return;
    const place = join(home, "other");
    mkdirSync(place);
    make(join(place, "incipit.db"));
    for (const args of [
      ["runs", "list"],
      ["runs", "prune", "--keep", "1"],
      ["run", "dictation/content-tags", "-i", "transcript="],
    ]) {
      const called = await incipit([...args, "--json"], { home: place });
      expect(called).toMatchObject({ exitCode: 3, stdout: "" });
      const error = readError(called);
      expect(error.code).toBe("store_invalid_path");
      expect(error.message).toContain(`is ${kind}, expected a file.`);
      expect(error.hint).toContain("name another folder with INCIPIT_HOME");
    }
  });

  it("for its folder is a file, is refused with a mend", async () => {
    const place = join(home, "incipit.db");
    for (const [command, code] of [
      ["runs", "store_invalid_path"],
      ["model", "model_storage_failed"],
    ] as const) {
      const called = await incipit([command, "list", "--json"], { home: place });
      expect(called).toMatchObject({ exitCode: 3, stdout: "" });
      const error = readError(called);
      expect(error.code).toBe(code);
      expect(error.hint).toContain("INCIPIT_HOME");
    }
  });
});

describe("runs show", () => {
  it("gives the whole record by a beginning of its id", async () => {
    const called = await incipit(["runs", "show", "01m8n73", "--json"], { home });
    expect(called).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(called.stdout)).toEqual(toRun(3));
  });

  it("shows people inputs, attempts, value and warnings, control characters escaped", async () => {
    const called = await incipit(["runs", "show", "01m8n73"], { home });
    expect(called.stdout).toContain("run 01m8n73aaaaaaaaaaaaa · dictation/cleanup · ok\n");
    expect(called.stdout).toContain("stamp aaaaaaaaaaaaaaaa · prompt bbbbbbbbbbbbbbbb\n");
    expect(called.stdout).toContain("input transcript\n  call Ana \\u001b[31m\n");
    expect(called.stdout).toContain("input terms\n  kubectl\n  Redis\n");
    expect(called.stdout).toContain("attempt 1 · finish reason stop · 200 tokens read, 12 written");
    expect(called.stdout).toContain('value\n  {"topic":"ana","intent":"planning"}\n');
    expect(called.stdout).toContain("warning plan_length_stop: It was cut.\n");
  });

  it.each([
    ["01m8n79", "cli_run_not_found", 2],
    ["01m8n7", "store_run_ambiguous", 2],
    ["01m", "store_prefix_too_short", 2],
  ])("refuses %s as %s", async (id, code, exitCode) => {
    const called = await incipit(["runs", "show", id, "--json"], { home });
    expect(called).toMatchObject({ exitCode, stdout: "" });
    expect(readError(called).code).toBe(code);
  });
});

describe("runs delete", () => {
  it("deletes the runs that are named, and says which", async () => {
    const called = await incipit(["runs", "delete", "01m8n71", "01m8n73"], { home });
    expect(called).toMatchObject({
      exitCode: 0,
      stdout: "deleted 01m8n71aaaaaaaaaaaaa\ndeleted 01m8n73aaaaaaaaaaaaa\n",
    });
    expect(await list()).toEqual(["2"]);
  });

  it("deletes nothing when one of them is not there", async () => {
    const called = await incipit(["runs", "delete", "01m8n71", "01m8n79", "--json"], { home });
    expect(called).toMatchObject({ exitCode: 2, stdout: "" });
    expect(readError(called)).toMatchObject({ code: "cli_run_not_found" });
    expect(await list()).toEqual(["3", "2", "1"]);
  });
});

describe("runs prune", () => {
  it("needs to be told what goes", async () => {
    const called = await incipit(["runs", "prune", "--json"], { home });
    expect(called).toMatchObject({ exitCode: 2, stdout: "" });
    expect(readError(called)).toMatchObject({ code: "cli_prune_unbounded" });
    expect(await list()).toHaveLength(3);
  });

  it("deletes what is older than a date, and says how many", async () => {
    const called = await incipit(["runs", "prune", "--before", "2026-01-03"], { home });
    expect(called).toMatchObject({ exitCode: 0, stdout: "deleted 2 runs\n" });
    expect(await list()).toEqual(["3"]);
  });

  it("keeps as many of the newest as it is told", async () => {
    const called = await incipit(["runs", "prune", "--keep", "2", "--json"], { home });
    expect(called).toMatchObject({ exitCode: 0, stdout: '{"deleted":1}\n' });
    expect(await list()).toEqual(["3", "2"]);
  });

  it.each([["yesterday"], ["2026-02-31"], ["2026"]])("refuses the date %s", async (date) => {
    const called = await incipit(["runs", "prune", "--before", date, "--json"], { home });
    expect(called).toMatchObject({ exitCode: 2, stdout: "" });
    expect(readError(called)).toMatchObject({
      code: "cli_bad_value",
      message: `"--before" is "${date}", expected a date.`,
    });
    expect(await list()).toHaveLength(3);
  });
});
