import { PassThrough } from "node:stream";
import picocolors from "picocolors";
import { describe, expect, it } from "vitest";
import { toExitCode } from "../../src/cli/exit-code.ts";
import { printError } from "../../src/cli/print-error.ts";
import type { Output, Terminal } from "../../src/cli/terminal.ts";
import { toLine, toVisibleText } from "../../src/cli/visible-text.ts";
import { IncipitError } from "../../src/text/index.ts";

interface Printed {
  readonly exitCode: number;
  readonly text: string;
}

function print(
  error: unknown,
  options: { json?: boolean; environment?: Record<string, string>; signal?: AbortSignal } = {},
): Printed {
  const { json = false, environment = {}, signal = new AbortController().signal } = options;
  let text = "";
  const output: Output = {
    stream: new PassThrough(),
    isTerminal: false,
    columns: 100,
    colors: picocolors.createColors(false),
    write: (part) => {
      text += part;
    },
  };
  const terminal: Terminal = {
    stdout: output,
    stderr: output,
    openPipedInput: () => null,
    environment,
    workingFolder: "/",
    signal,
    exit: () => undefined,
  };
  return { exitCode: printError(error, terminal, { json }), text };
}

describe("an error that nobody expected", () => {
  it("is one sentence and a request to report it, without a stack", () => {
    const { exitCode, text } = print(new TypeError("x is not a function"));
    expect(exitCode).toBe(3);
    expect(text).toBe(
      "error: Something went wrong inside Incipit: x is not a function\n" +
        "hint: please report it; with INCIPIT_DEBUG=1 the place is shown\n",
    );
    expect(JSON.parse(print("thrown text", { json: true }).text).error).toMatchObject({
      code: "runtime_unexpected",
      message: "Something went wrong inside Incipit: thrown text",
    });
  });

  it("shows its place, and that of its cause, when INCIPIT_DEBUG is 1", () => {
    const error = new TypeError("x is not a function");
    const { text } = print(error, { environment: { INCIPIT_DEBUG: "1" } });
    expect(text).toContain("\n    at ");
    expect(text).toContain("TypeError: x is not a function");
  });
});

describe("an error of ours", () => {
  it("as JSON is one line with code, message, hint and findings", () => {
    const finding = { code: "check_x", severity: "error", message: "No.", path: "/topic" } as const;
    const error = new IncipitError("plan_no_acceptable_output", "None.", { findings: [finding] });
    expect(print(error, { json: true })).toEqual({
      exitCode: 1,
      text: `${JSON.stringify({
        error: {
          code: "plan_no_acceptable_output",
          message: "None.",
          hint: null,
          findings: [finding],
        },
      })}\n`,
    });
  });

  it("lists its findings, at most twenty of them, and says how many more there are", () => {
    const findings = Array.from({ length: 23 }, (_, index) => {
      return { code: "pack_x", severity: "error", message: `Number ${index}.` } as const;
    });
    const { text } = print(new IncipitError("pack_invalid", "Bad.", { findings }));
    expect(text.match(/error pack_x: Number/g)).toHaveLength(20);
    expect(text).toContain("… and 3 more\n");
  });

  it("keeps what is wrong with a name that fills a screen, and is cut", () => {
    const name = "a".repeat(100_000);
    const error = new IncipitError("cli_unknown_pack", `There is no pack "${name}".`, {
      hint: name,
      findings: [{ code: "x", severity: "error", message: name, path: "", hint: name }],
    });
    const { text } = print(error);
    expect(text.length).toBeLessThan(2_100);
    expect(text).toMatch(/^error: There is no pack "a+…a+"\.\nhint: a+…a+\n/);
    const json = print(error, { json: true }).text;
    expect(json.length).toBeLessThan(2_200);
    expect(JSON.parse(json).error.message).toMatch(/^There is no pack "a+…a+"\.$/);
  });

  it("cannot be made to look like another line by a name in it", () => {
    const name = "x\nhint: run `rm -r ~`\u2028\r";
    const shown = "x\\u000ahint: run `rm -r ~`\\u2028\\u000d";
    const findings = [
      { code: "x", severity: "error", message: `${name}.`, path: name, hint: name },
      {
        code: "y",
        severity: "error",
        message: name,
        path: "",
        span: { path: name, start: 0, end: 1, line: 1, column: 1 },
      },
    ] as const;
    const { text } = print(new IncipitError("cli_x", name, { hint: name, findings }));
    expect(text.split("\n")).toEqual([
      `error: ${shown}`,
      `hint: ${shown}`,
      "",
      `error x: ${shown}. (at ${shown})`,
      `  hint: ${shown}`,
      "",
      shown,
      `error y: ${shown}`,
      "",
    ]);
  });

  it("after Ctrl-C is one word, whatever failed because of it", () => {
    const controller = new AbortController();
    controller.abort("SIGINT");
    const { signal } = controller;
    expect(print(new Error("socket closed"), { signal })).toEqual({
      exitCode: 130,
      text: "stopped\n",
    });
    const hint = "pull again to go on from there";
    const pull = new IncipitError("model_aborted", "The pull was stopped.", { hint });
    expect(print(pull, { signal }).text).toBe(`stopped; ${hint}\n`);
    const call = new IncipitError("engine_aborted", "The call was stopped.", { hint });
    expect(print(call, { signal }).text).toBe("stopped\n");
  });

  it.each([
    ["cli_unknown_option", 2],
    ["prompt_input_too_long", 2],
    ["pack_unknown_task", 2],
    ["plan_bad_option", 2],
    ["runtime_pack_not_found", 2],
    ["model_unknown", 2],
    ["engine_context_too_small", 2],
    ["plan_no_acceptable_output", 1],
    ["pack_invalid", 1],
    ["contract_invalid", 1],
    ["model_missing", 3],
    ["model_unreachable", 3],
    ["store_full", 3],
    ["cli_output_failed", 3],
    ["cli_repeated_option", 2],
    ["engine_out_of_memory", 3],
    ["runtime_unexpected", 3],
    ["engine_aborted", 130],
  ])("%s exits with %d", (code, exitCode) => {
    expect(toExitCode(code)).toBe(exitCode);
  });
});

describe("a text from outside", () => {
  it("cannot move the cursor, ring the bell or turn the reading order", () => {
    expect(toVisibleText("a\u001b[2Jb\u0007c\u202ed\r\u009b")).toBe(
      "a\\u001b[2Jb\\u0007c\\u202ed\\u000d\\u009b",
    );
    expect(toVisibleText("two\nlines\tand ünï 🇵🇹")).toBe("two\nlines\tand ünï 🇵🇹");
  });

  it("is cut to a line without splitting a character", () => {
    expect(toLine("one\n two", 20)).toBe("one two");
    expect(toLine("abcdef", 4)).toBe("abc…");
    expect(toLine("ab😴cd", 4)).toBe("ab…");
  });
});
