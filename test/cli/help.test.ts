import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commands } from "../../src/cli/program.ts";
import { incipit, makeFolder, readError, root } from "./incipit.ts";

const home = makeFolder();

describe("help", () => {
  it("lists every command, with examples and exit codes, on stdout", async () => {
    const called = await incipit(["--help"], { home });
    expect(called.exitCode).toBe(0);
    expect(called.stderr).toBe("");
    for (const word of ["run", "show", "demo", "model", "runs", "Examples:", "Exit codes:"]) {
      expect(called.stdout).toContain(word);
    }
    expect(Math.max(...called.stdout.split("\n").map((line) => line.length))).toBeLessThan(101);
  });

  it("of every command gives its two examples", async () => {
    for (const command of commands) {
      expect(command.examples).toHaveLength(2);
      for (const { line } of command.examples) {
        expect(line.startsWith(`incipit ${command.name}`)).toBe(true);
      }
    }
    const called = await incipit(["runs", "prune", "--help"], { home });
    expect(called.exitCode).toBe(0);
    expect(called.stdout).toContain("Usage: incipit runs prune [options]");
    expect(called.stdout).toContain("incipit runs prune --keep 1000");
    expect(called.stdout).toContain("incipit runs prune --before 2026-01-31");
  });

  it("goes to stderr with exit code 2 when no command is named", async () => {
    for (const args of [[], ["runs"]]) {
      const called = await incipit(args, { home });
      expect(called.exitCode).toBe(2);
      expect(called.stdout).toBe("");
      expect(called.stderr).toContain("Usage: incipit");
    }
  });

  it("tells the package's version", async () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const called = await incipit(["--version"], { home });
    expect(called).toMatchObject({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
  });
});

describe("a wrong command line", () => {
  it.each([
    [["runn"], "cli_unknown_command", '"runn" is not a command of `incipit`.', '"run"'],
    [["model", "pul"], "cli_unknown_command", '"pul" is not a command of', '"pull"'],
    [["run", "a/b", "--fil", "x"], "cli_unknown_option", '"--fil" is not a flag of', '"--file"'],
    [["runs", "list", "--lmit", "3"], "cli_unknown_option", '"--lmit" is not', '"--limit"'],
    [["run"], "cli_missing_argument", "`incipit run` needs <task>.", "incipit run --help"],
    [["runs", "delete"], "cli_missing_argument", "needs <id>", "incipit runs delete --help"],
    [["show", "a/b", "c"], "cli_too_many_arguments", "too many arguments", "quote texts"],
  ])("%j is refused with a suggestion", async (args, code, message, hint) => {
    const called = await incipit([...args, "--json"], { home });
    expect(called).toMatchObject({ exitCode: 2, stdout: "" });
    const error = readError(called);
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
  });

  it("that ends where a flag needs a value is refused", async () => {
    const called = await incipit(["run", "--json", "a/b", "-f"], { home });
    expect(called).toMatchObject({ exitCode: 2, stdout: "" });
    expect(readError(called)).toMatchObject({
      code: "cli_missing_value",
      message: '"--file" needs a value.',
      hint: "see `incipit run --help`",
    });
  });

  it("is told to people as one error and one hint", async () => {
    const called = await incipit(["shw"], { home });
    expect(called.stderr).toBe(
      'error: "shw" is not a command of `incipit`.\nhint: did you mean "show"?\n',
    );
  });

  it.each([
    [["--seed", "-1"], '"--seed" is "-1", expected a whole number from 0 to 4294967295.'],
    [["--seed", "1.5"], '"--seed" is "1.5"'],
    [["--temperature", "3"], '"--temperature" is "3", expected a number from 0 to 2.'],
    [["--max-tokens", "0"], '"--max-tokens" is "0", expected a whole number from 1'],
  ])("with %j names the flag, its value and what was expected", async (flags, message) => {
    const task = "dictation/content-tags";
    const called = await incipit(["show", task, "-i", "transcript=hi", "--json", ...flags], {
      home,
    });
    expect(called).toMatchObject({ exitCode: 2, stdout: "" });
    expect(readError(called)).toMatchObject({ code: "cli_bad_value" });
    expect(readError(called).message).toContain(message);
  });
});

describe("colours", () => {
  const start = "\u001b[";

  it("are not written where there is no terminal", async () => {
    const called = await incipit(["shw"], { home, environment: { CI: "1" } });
    expect(called.stderr).not.toContain(start);
  });

  it("are written when FORCE_COLOR asks for them, and never with NO_COLOR", async () => {
    const forced = await incipit(["shw"], { home, environment: { FORCE_COLOR: "1" } });
    expect(forced.stderr).toContain(start);
    const environment = { FORCE_COLOR: "1", NO_COLOR: "1" };
    const none = await incipit(["shw"], { home, environment });
    expect(none.stderr).not.toContain(start);
  });
});
