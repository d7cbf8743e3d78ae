import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { incipit, makeFolder } from "./incipit.ts";

const home = join(makeFolder(), "home");
const note = "examples/notes/standup.txt";

async function show(...args: string[]) {
  const called = await incipit(["show", ...args, "--json"], { home });
  expect(called.stderr).toBe("");
  expect(called.exitCode).toBe(0);
  return JSON.parse(called.stdout);
}

describe("show", () => {
  it("gives the request, its constraint and all digests, without a model and a home", async () => {
    const shown = await show("dictation/content-tags", "--file", note, "--seed", "7");
    expect(Object.keys(shown)).toEqual([
      "file",
      "task",
      "version",
      "description",
      "empty",
      "value",
      "request",
      "digests",
    ]);
    expect(shown).toMatchObject({
      file: note,
      task: "dictation/content-tags",
      version: "1.0",
      empty: false,
      value: null,
      request: {
        stableMessages: 1,
        sampling: { temperature: 0, seed: 7 },
        maxTokens: 96,
        stop: [],
      },
    });
    expect(shown.request.constraint.kind).toBe("gbnf");
    expect(shown.request.constraint.grammar).toMatch(/^root ::= /m);
    expect(Object.keys(shown.digests)).toEqual([
      "pack",
      "task",
      "prompt",
      "protected",
      "contract",
      "grammar",
    ]);
    for (const { short, full } of Object.values<{ short: string; full: string }>(shown.digests)) {
      expect(full).toMatch(/^[0-9a-f]{64}$/);
      expect(short).toBe(full.slice(0, 16));
    }
    expect(existsSync(home)).toBe(false);
  });

  it("tells where every character of every message came from", async () => {
    const { request } = await show("dictation/cleanup", "-f", note, "-i", "terms=kubectl");
    expect(request.messages.map(({ role }: { role: string }) => role)).toEqual(["system", "user"]);
    for (const { text, spans } of request.messages) {
      let at = 0;
      for (const { start, end } of spans) {
        expect(start).toBe(at);
        at = end;
      }
      expect(at).toBe(text.length);
    }
    const [system, user] = request.messages;
    const term = system.spans.find(({ ref }: { ref: string }) => ref === "terms");
    expect(system.text.slice(term.start, term.end)).toBe('- "kubectl"');
    expect(term).toMatchObject({ kind: "input", trust: "untrusted", version: null, tier: null });
    expect(user.spans.at(-1)).toMatchObject({
      kind: "template",
      ref: "templates/transcript.json#cleanup",
      tier: "protected",
      trust: "trusted",
    });
  });

  it("reads a list from a file, one item a line, and adds what other flags give", async () => {
    const both = ["-i", "terms=@examples/terms.txt", "-i", "terms=Zürich"];
    const { request } = await show("dictation/cleanup", "-f", note, ...both);
    const system = request.messages[0].text;
    for (const term of ["kubectl", "Chidi Okafor", "Zürich"]) expect(system).toContain(`"${term}"`);
  });

  it("says that an empty input needs no model, and what its value is", async () => {
    const shown = await show("dictation/extract-tasks", "-i", "transcript=um uh");
    expect(shown).toMatchObject({ empty: true, value: [], request: null });
    expect(shown.digests.grammar).toBeNull();
    const people = await incipit(["show", "dictation/content-tags", "-i", "transcript= "], {
      home,
    });
    expect(people.stdout).toContain("no model is asked, and the value is null.");
  });

  it("gives one line of JSON for each of several files", async () => {
    const files = ["-f", note, "-f", "examples/notes/emoji.txt"];
    const called = await incipit(["show", "dictation/content-tags", ...files, "--json"], { home });
    const lines = called.stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).file)).toEqual([note, "examples/notes/emoji.txt"]);
  });

  it("marks for people each line of a message with the number of its origin", async () => {
    const called = await incipit(["show", "dictation/content-tags"], { home, input: "call Ana\n" });
    expect(called.exitCode).toBe(0);
    expect(called.stdout).toContain(" 1 │ TOPIC is a 1 to 3 token lowercase hyphen-joined noun");
    expect(called.stdout).toContain(" 3 │ call Ana\n");
    expect(called.stdout).toContain(" 3   input transcript untrusted\n");
    expect(called.stdout).toContain(" 4   template templates/transcript.json#tags 1.0 protected\n");
    expect(called.stdout).toContain("temperature 0 · seed 0 · at most 96 tokens");
  });

  it("writes control characters of a text as escapes for people, and as they are in JSON", async () => {
    const text = "before \u001b[31mred\u202e after";
    const options = { home, input: text };
    const people = await incipit(["show", "dictation/content-tags"], options);
    expect(people.stdout).toContain("before \\u001b[31mred\\u202e after");
    const data = await incipit(["show", "dictation/content-tags", "--json"], options);
    expect(JSON.parse(data.stdout).request.messages[1].text).toContain(text);
  });

  it("takes a pack's own folder, and then a task without the pack's name", async () => {
    const folder = ["--pack", "packs/dictation"];
    const input = ["-i", "transcript=call Ana"];
    const short = await show("content-tags", ...folder, ...input);
    const long = await show("dictation/content-tags", ...folder, ...input);
    expect(short).toEqual(long);
    expect(short).toEqual(await show("dictation/content-tags", ...input));
  });

  it("takes a value that begins with @ when it is doubled", async () => {
    const { request } = await show("dictation/content-tags", "-i", "transcript=@@ana is late");
    expect(request.messages[1].text).toContain("\n@ana is late\n");
  });
});
