import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { asOrdinaryUser, incipit, makeFolder, noOrdinaryUserReason, readError } from "./incipit.ts";

const folder = makeFolder();
const home = join(folder, "home");
const task = "dictation/content-tags";

beforeAll(() => {
  writeFileSync(join(folder, "note.txt"), "call Ana");
  writeFileSync(join(folder, "marked.txt"), "\ufeffcall Ana");
  writeFileSync(join(folder, "nul.bin"), Buffer.from([0x89, 0x50, 0, 0x47]));
  writeFileSync(join(folder, "latin1.txt"), Buffer.from("Jürgen", "latin1"));
  writeFileSync(join(folder, "utf16.txt"), Buffer.from("\ufeffcall Ana", "utf16le"));
  writeFileSync(join(folder, "ten.txt"), "word ".repeat(2_000_000));
  writeFileSync(join(folder, "huge.txt"), "");
  truncateSync(join(folder, "huge.txt"), 65 * 1024 * 1024);
  mkdirSync(join(folder, "notes"));
  symlinkSync("loop.txt", join(folder, "loop.txt"));
});

async function refuse(args: readonly string[], input?: string | Buffer) {
  const options = input === undefined ? { home, folder } : { home, folder, input };
  const called = await incipit([...args, "--json"], options);
  expect(called).toMatchObject({ exitCode: 2, stdout: "" });
  return readError(called);
}

describe("a task that cannot be found", () => {
  it.each([
    ["content-tags", "cli_task_without_pack", 'did you mean "dictation/content-tags"?'],
    ["nothing", "cli_task_without_pack", "write it as dictation/nothing"],
    ["dictatoin/cleanup", "cli_unknown_pack", 'did you mean "dictation"?'],
    ["../dictation/cleanup", "cli_unknown_pack", "--pack takes the folder"],
    ["dictation/contents-tags", "pack_unknown_task", 'did you mean "content-tags"?'],
  ])("%s is refused with a suggestion", async (name, code, hint) => {
    const error = await refuse(["run", name, "-i", "transcript=x"]);
    expect(error.code).toBe(code);
    expect(error.hint).toContain(hint);
  });

  it("is refused when --pack names no pack", async () => {
    const error = await refuse(["show", "cleanup", "--pack", "notes", "-i", "transcript=x"]);
    expect(error).toMatchObject({ code: "runtime_pack_not_found" });
  });
});

describe("an input", () => {
  it("that is missing is asked for by its name, and by how to give it", async () => {
    const error = await refuse(["run", task]);
    expect(error).toMatchObject({
      code: "cli_missing_input",
      message: 'The input "transcript" of "dictation/content-tags" is missing.',
      hint: "give it with --file note.txt, with --input transcript=…, or pipe it",
    });
  });

  it("that the task does not have is refused with a suggestion", async () => {
    const flags = ["-f", "note.txt", "--input", "term=kubectl"];
    const error = await refuse(["run", "dictation/cleanup", ...flags]);
    expect(error).toMatchObject({ code: "prompt_unknown_input", hint: 'did you mean "terms"?' });
  });

  it("that is none of the pack's fragments is refused with a suggestion", async () => {
    const error = await refuse([
      "run",
      "dictation/cleanup",
      "-f",
      "note.txt",
      "-i",
      "preset=emial",
    ]);
    expect(error).toMatchObject({ code: "prompt_input_choice", hint: 'did you mean "email"?' });
  });

  it("without an equals sign is refused", async () => {
    const error = await refuse(["run", task, "--input", "hello"]);
    expect(error).toMatchObject({ code: "cli_bad_input" });
    expect(error.message).toContain('"--input hello" is not name=value.');
  });

  it.each([
    [["-f", "note.txt", "-i", "transcript=x"]],
    [["-i", "transcript=x", "-i", "transcript=y"]],
    [["-f", "-", "-f", "-"]],
    [["-f", "-", "-i", "terms=@-"]],
    [["-i", "transcript=@-", "-i", "terms=@-"]],
  ])("that is given twice is refused: %j", async (flags) => {
    const error = await refuse(["run", task, ...flags], "piped");
    expect(error).toMatchObject({ code: "cli_repeated_input" });
  });

  it("is not taken from a pipe that another input has been read from", async () => {
    const error = await refuse(["run", "dictation/cleanup", "-i", "terms=@-"], "kubectl");
    expect(error).toMatchObject({ code: "cli_missing_input" });
  });

  it("that is asked of a pipe, where nothing is piped, is refused", async () => {
    const error = await refuse(["run", task, "--file", "-"]);
    expect(error).toMatchObject({ code: "cli_nothing_piped" });
  });

  it("with a byte order mark is read without it", async () => {
    const flags = ["--file", "marked.txt", "--json"];
    const called = await incipit(["show", task, ...flags], { home, folder });
    expect(JSON.parse(called.stdout).request.messages[1].text).toContain("\ncall Ana\n");
  });
});

describe("a file", () => {
  it.each([
    ["not.txt", "cli_input_not_found", 'The file "not.txt" does not exist.', '"note.txt"'],
    ["", "cli_input_is_folder", "is a folder, expected a file", "--file"],
    ["notes", "cli_input_is_folder", '"notes" is a folder', "--file may stand several times"],
    ["loop.txt", "cli_input_unreadable", '"loop.txt" cannot be read (ELOOP).', "may read it"],
    ["nul.bin", "cli_input_not_text", "is not a text: it has a NUL byte.", "UTF-8"],
    ["latin1.txt", "cli_input_not_text", "it is not valid UTF-8.", "UTF-8"],
    ["utf16.txt", "cli_input_not_text", "it has a NUL byte.", "looks like UTF-16"],
    ["huge.txt", "cli_input_too_large", "has 68157440 bytes, expected at most 67108864.", "split"],
    ["ten.txt", "prompt_input_too_long", "10000000 characters; at most 100000", "shorten or split"],
  ])("%j is refused with %s", async (file, code, message, hint) => {
    const error = await refuse(["run", task, "--file", file]);
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
  });

  it("that this user may not read is refused", async (test) => {
    const reason = noOrdinaryUserReason();
    if (reason !== null) return test.skip(reason);
    chmodSync(folder, 0o755);
    const path = join(folder, "secret.txt");
    writeFileSync(path, "call Ana", { mode: 0o600 });
    const args = ["show", task, "--file", path, "--json"];
    const called = await incipit(args, { home, before: asOrdinaryUser });
    expect(called).toMatchObject({ exitCode: 2, stdout: "" });
    expect(readError(called)).toMatchObject({
      code: "cli_input_unreadable",
      message: `The file "${path}" cannot be read (EACCES).`,
    });
  });

  it("among several is named in the error, before any is run", async () => {
    const error = await refuse(["run", task, "-f", "note.txt", "-f", "ten.txt"]);
    expect(error.message).toMatch(/^"ten.txt": The input "transcript" has 10000000 characters/);
  });

  it("that is piped is refused like any other", async () => {
    const binary = Buffer.from([0xff, 0xfe, 0x00, 0x41]);
    expect(await refuse(["run", task], binary)).toMatchObject({ code: "cli_input_not_text" });
    const long = await refuse(["run", task], "word ".repeat(2_000_000));
    expect(long).toMatchObject({ code: "prompt_input_too_long" });
    const huge = await refuse(["run", task], Buffer.alloc(65 * 1024 * 1024, "a"));
    expect(huge).toMatchObject({ code: "cli_input_too_large" });
    expect(huge.message).toContain("The piped input has more than 67108864 bytes");
  });
});
