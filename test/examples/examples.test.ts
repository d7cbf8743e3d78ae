import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { createScriptedEngine } from "../../src/engine/scripted/index.ts";
import { tryLoadPack } from "../../src/pack/index.ts";
import { createRuntime } from "../../src/runtime/index.ts";
import { modelTitle, noModelReason, testModelPath } from "../engine/test-model.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What an example prints, run by itself from another folder. */
async function runExample(file: string, environment: Record<string, string> = {}): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), "incipit-examples-"));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, "examples", file)], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, INCIPIT_HOME: home, ...environment },
    });
    return stdout;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

describe("the examples", () => {
  beforeAll(() => {
    if (existsSync(join(root, "dist", "index.js"))) return;
    throw new Error("dist/index.js is missing: run `npm run build` first.");
  });

  it("scripted.mjs shows a retry whose request says what was wrong", async () => {
    const printed = await runExample("scripted.mjs");
    const [before = "", after = ""] = printed.split(/<transcript-[a-z]{8}>/);
    expect(before.split("\n")).toEqual([
      'attempt 1: {"topic":"Sourdough","intent":"asking"}',
      '  contract_schema: "topic" is "Sourdough" (pattern).',
      '  contract_schema: "intent" is "asking" (oneOf).',
      'attempt 2: {"topic":"sourdough","intent":"question"}',
      "",
      "the user message of attempt 2:",
      'The last answer was not the JSON object that was asked for. Answer with one JSON object that has a "topic" and an "intent".',
      "",
      "",
    ]);
    expect(after).toContain("how long does a sourdough starter keep in the fridge");
    expect(after.trimEnd().split("\n").at(-1)).toBe(
      "value: { topic: 'sourdough', intent: 'question' }",
    );
  });

  it.skipIf(noModelReason !== null)(
    modelTitle("library.mjs prints a value and the same stamp each time"),
    async () => {
      const environment = { INCIPIT_MODEL: testModelPath() };
      const printed = await runExample("library.mjs", environment);
      expect(printed).toMatch(
        /^\{ topic: '[a-z0-9]{1,24}(-[a-z0-9]{1,24}){0,2}', intent: '(planning|reflection|venting|capture|decision|question)' \}\nstamp [0-9a-f]{16}\n$/,
      );
      expect(await runExample("library.mjs", environment)).toBe(printed);
    },
    120_000,
  );

  it("library.mjs without a model names the command that fetches it", async () => {
    const failed = await runExample("library.mjs").catch((error: { stderr: string }) => error);
    expect(typeof failed === "string" ? failed : failed.stderr).toContain("incipit model pull");
  });
});

describe("docs/packs.md", () => {
  const text = readFileSync(join(root, "docs", "packs.md"), "utf8");

  /** The files of "The smallest pack": a path on a line of its own, then a block with its text. */
  function readSmallestPack(): Map<string, string> {
    const section = /\n## The smallest pack\n(.*?)\n## /s.exec(text)?.[1] ?? "";
    const blocks = section.matchAll(/^`([^`\n]+)`\n\n```(?:yaml|json)\n(.*?\n)```$/gms);
    return new Map([...blocks].map(([, path = "", content = ""]) => [path, content]));
  }

  it("has a smallest pack that loads without a finding and runs", async () => {
    const files = readSmallestPack();
    expect([...files.keys()]).toEqual([
      "incipit.yaml",
      "system/urgency.yaml",
      "templates/message.json",
      "tasks/urgency.yaml",
    ]);
    const { pack, findings } = tryLoadPack(files);
    expect(findings).toEqual([]);
    if (pack === null) throw new Error("no pack");
    const engine = createScriptedEngine({ replies: ['{"urgency":"high"}'] });
    const { value } = await createRuntime({ pack, engine }).run("urgency", { message: "help" });
    expect(value).toEqual({ urgency: "high" });
    for (const path of files.keys()) {
      const fewer = new Map([...files].filter(([other]) => other !== path));
      const left = tryLoadPack(fewer);
      expect(left.pack?.tasks.size ?? 0).toBe(0);
    }
  });

  it("has a row for every finding of the pack and template rooms", () => {
    const codes = new Set<string>();
    for (const room of ["pack", "template"]) {
      const folder = join(root, "src", room);
      for (const file of readdirSync(folder)) {
        const source = readFileSync(join(folder, file), "utf8");
        for (const [, code = ""] of source.matchAll(/code: "([a-z_]+)"/g)) codes.add(code);
      }
    }
    codes.add("pack_bad_reference");
    const rows = [...text.matchAll(/^\| `((?:pack|template)_[a-z_]+)` \|/gm)].map(
      ([, code]) => code,
    );
    expect(codes.size).toBeGreaterThan(15);
    expect(rows.sort()).toEqual([...codes].sort());
  });

  it("names every key of every file kind but those inside a task's keys", async () => {
    const shapes = await import("../../src/pack/shape.ts");
    const keys = Object.values(shapes).flatMap((shape) =>
      typeof shape === "object" && "shape" in shape ? Object.keys(shape.shape as object) : [],
    );
    expect(keys.length).toBeGreaterThan(30);
    const documented = new Set(text.match(/(?<=^\| `)[A-Za-z_]+|(?<=^\| `[a-z]+\.)[a-z_]+/gm));
    const missing = [...new Set(keys)].filter((key) => !documented.has(key));
    expect(missing).toEqual([]);
  });
});
