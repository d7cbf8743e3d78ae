import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import {
  asOrdinaryUser,
  incipit,
  makeFolder,
  noOrdinaryUserReason,
  readError,
  root,
} from "./incipit.ts";

const folder = makeFolder();
/** A run that needs no model, so that only the store can fail. */
const run = ["run", "dictation/extract-tasks", "-i", "transcript=um"];

describe("a home that cannot be written", () => {
  it("gives an ordinary user one clear error", async (test) => {
    const reason = noOrdinaryUserReason();
    if (reason !== null) return test.skip(reason);
    chmodSync(folder, 0o755);
    const home = join(folder, "read-only");
    mkdirSync(home, { mode: 0o755 });
    const before = asOrdinaryUser;
    const called = await incipit([...run, "--json"], { home, before });
    expect(called).toMatchObject({ exitCode: 3, stdout: "" });
    const error = readError(called);
    expect(error.code).toBe("store_not_writable");
    expect(error.message).toContain(join(home, "incipit.db"));
    expect(error.hint).toContain("INCIPIT_HOME, or run with --no-store");
    const without = await incipit([...run, "--no-store"], { home, before });
    expect(without).toMatchObject({ exitCode: 0, stdout: "[]\n" });
  });

  it("gives one clear error when its place is a file", async () => {
    const home = join(folder, "file");
    writeFileSync(home, "not a folder");
    const called = await incipit(run, { home });
    expect(called).toMatchObject({ exitCode: 3, stdout: "" });
    expect(called.stderr).toMatch(/^error: .*\nhint: .*--no-store\n$/);
  });
});

describe("a store that fails", () => {
  it("with a file that is none gives one clear error and leaves it as it is", async () => {
    const home = join(folder, "broken");
    mkdirSync(home);
    writeFileSync(join(home, "incipit.db"), "this is a text and not a database ".repeat(50));
    const called = await incipit([...run, "--json"], { home });
    expect(called).toMatchObject({ exitCode: 3, stdout: "" });
    expect(readError(called).code).toBe("store_corrupt");
    expect(statSync(join(home, "incipit.db")).size).toBe(1700);
  });

  it("at the end of a run costs the record and not the answer, and exits with 3", async () => {
    const home = join(folder, "refusing");
    expect((await incipit(run, { home })).exitCode).toBe(0);
    const other = new Database(join(home, "incipit.db"));
    other.exec("CREATE TRIGGER refuse BEFORE INSERT ON run BEGIN SELECT RAISE(FAIL, 'no'); END");
    other.close();
    const called = await incipit(run, { home });
    expect(called).toMatchObject({ exitCode: 3, stdout: "[]\n" });
    expect(called.stderr).toContain("error runtime_not_recorded: The run ");
    expect(called.stderr).toContain("no model was asked · not recorded");
    const data = await incipit([...run, "--json"], { home });
    expect(data).toMatchObject({ exitCode: 3, stderr: "" });
    expect(JSON.parse(data.stdout)).toMatchObject({
      value: [],
      runId: null,
      warnings: [{ code: "runtime_not_recorded" }],
    });
  });

  it("because another process keeps it locked gives one clear error", async () => {
    const home = join(folder, "locked");
    expect((await incipit(run, { home })).exitCode).toBe(0);
    const other = new Database(join(home, "incipit.db"));
    other.exec("BEGIN IMMEDIATE");
    const called = await incipit([...run, "--json"], { home }).finally(() => other.close());
    expect(called).toMatchObject({ exitCode: 3, stdout: "" });
    expect(readError(called).code).toBe("store_busy");
  }, 60_000);

  it("on a full disk gives one clear error", async (test) => {
    const home = join(folder, "full");
    mkdirSync(home);
    const mount = ["-c", 'mount -t tmpfs -o size=16k tmpfs "$0"', home];
    const { status } = spawnSync("/bin/sh", mount, { stdio: "ignore" });
    if (status !== 0) return test.skip("this user cannot mount a small disk");
    const unmount = () => execFileSync("/bin/sh", ["-c", 'umount "$0"', home]);
    const called = await incipit([...run, "--json"], { home }).finally(unmount);
    expect(called).toMatchObject({ exitCode: 3, stdout: "" });
    expect(readError(called).code).toBe("store_full");
  });
});

describe("a reader that goes away", () => {
  it.runIf(existsSync("/bin/sh"))("ends the command quietly", async () => {
    const home = join(folder, "reader");
    writeFileSync(join(folder, "long.txt"), "word ".repeat(19_000));
    const binary = join(root, "dist", "cli", "main.js");
    const show = `"${process.execPath}" "${binary}" show dictation/cleanup -f long.txt --json`;
    const child = spawn("/bin/sh", ["-c", `${show} | head -c 10`], {
      cwd: folder,
      env: { PATH: process.env.PATH, INCIPIT_HOME: home },
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const exitCode = await new Promise((resolve) => child.on("close", resolve));
    expect([exitCode, stderr]).toEqual([0, ""]);
  });
});
