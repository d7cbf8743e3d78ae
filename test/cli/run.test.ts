import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { modelTitle, noModelReason, testModelPath } from "../engine/test-model.ts";
import { type Called, type CallOptions, incipit, makeFolder, readError } from "./incipit.ts";

const folder = makeFolder();
const home = join(folder, "home");
const tags = "dictation/content-tags";
const text = "tomorrow I will call Ana about the garden fence";
/** A slow computer that does other work too needs this long for a few runs. */
const patience = 180_000;

function call(args: readonly string[], options: Partial<CallOptions> = {}): Promise<Called> {
  return incipit(args, { home, ...options });
}

async function listRuns(): Promise<readonly { id: string; status: string; model: string }[]> {
  return JSON.parse((await call(["runs", "list", "--json"])).stdout);
}

describe.skipIf(noModelReason !== null)(modelTitle("run"), () => {
  beforeAll(async () => {
    const pulled = await call(["model", "pull", testModelPath(), "--json"]);
    expect(pulled.exitCode).toBe(0);
    expect(JSON.parse(pulled.stdout)).toMatchObject({ name: "smollm2-135m-instruct" });
  }, patience);

  it(
    "prints the value and nothing else on stdout; the same again, with all of it, as JSON",
    async () => {
      const plain = await call(["run", tags, "-i", `transcript=${text}`]);
      expect(plain.exitCode).toBe(0);
      expect(plain.stdout).toMatch(/^\{"topic":"[a-z0-9-]+","intent":"[a-z]+"\}\n$/);
      expect(plain.stderr).toMatch(
        /^dictation\/content-tags: [0-9.]+ s · smollm2-135m-instruct · \d+ tokens read, \d+ written · .*run [0-9a-z]{20}\n$/,
      );

      const piped = await call(["run", tags, "--json"], { input: text });
      expect(piped).toMatchObject({ exitCode: 0, stderr: "" });
      const result = JSON.parse(piped.stdout);
      expect(Object.keys(result)).toEqual([
        "task",
        "value",
        "text",
        "stamp",
        "stampId",
        "attempts",
        "warnings",
        "usage",
        "runId",
        "durationMs",
      ]);
      expect(`${JSON.stringify(result.value)}\n`).toBe(plain.stdout);
      expect(result.stampId).toMatch(/^[0-9a-f]{64}$/);
      expect(result.stamp).toMatchObject({
        pack: { name: "dictation" },
        task: { name: "content-tags" },
        engine: { name: "llama", model: { name: "smollm2-135m-instruct" } },
        sampling: { temperature: 0, seed: 0 },
        decidedBy: "generation",
      });

      const [newest, older] = await listRuns();
      expect(newest).toMatchObject({ id: result.runId, status: "ok", stampId: result.stampId });
      expect(plain.stderr).toContain(`run ${older?.id}`);
      expect(older).toMatchObject({ stampId: result.stampId });
    },
    patience,
  );

  it(
    "runs several files in order, a line for each",
    async () => {
      writeFileSync(join(folder, "fence.txt"), `${text}\n`);
      writeFileSync(join(folder, "empty.txt"), "");
      const files = ["-f", "fence.txt", "-f", "empty.txt"];
      const called = await call(["run", tags, ...files], { folder });
      expect(called.exitCode).toBe(0);
      const [first = "", ...others] = called.stdout.split("\n");
      expect(Object.keys(JSON.parse(first))).toEqual(["topic", "intent"]);
      expect(others).toEqual(["null", ""]);
      expect(called.stderr).toMatch(
        /^fence\.txt: .*\nempty\.txt: .* no model was asked · run \S+\n$/,
      );

      const data = await call(["run", tags, ...files, "--json"], { folder });
      const lines = data.stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(lines.map(({ file }) => file)).toEqual(["fence.txt", "empty.txt"]);
      expect(JSON.stringify(lines[0].value)).toBe(first);
      expect(lines[1]).toMatchObject({ value: null, stamp: { decidedBy: "when-empty" } });
    },
    patience,
  );

  it(
    "leaves no file behind with --no-store",
    async () => {
      // A reader of the store may leave SQLite's index of it behind.
      const list = () => {
        const paths = readdirSync(home, { recursive: true }).map(String).sort();
        return paths.filter((path) => !/-(wal|shm)$/.test(path));
      };
      const before = list();
      const runs = (await listRuns()).length;
      const args = ["run", tags, "-i", `transcript=${text}`, "--no-store"];
      const called = await call([...args, "--json"]);
      expect(called.exitCode).toBe(0);
      expect(JSON.parse(called.stdout).runId).toBeNull();
      expect(list()).toEqual(before);
      expect(await listRuns()).toHaveLength(runs);
      const records = list().filter((path) => path.endsWith(".json"));
      for (const path of records)
        expect(readFileSync(join(home, path), "utf8")).not.toContain(text);
    },
    patience,
  );

  it(
    "without an acceptable output prints why, exits with 1 and records it",
    async () => {
      const called = await call([
        "run",
        "dictation/extract-tasks",
        "-i",
        `transcript=${text}`,
        "--max-tokens",
        "1",
        "--json",
      ]);
      expect(called).toMatchObject({ exitCode: 1, stdout: "" });
      expect(readError(called)).toMatchObject({
        code: "plan_no_acceptable_output",
        findings: [{ code: "plan_length_stop" }],
      });
      const { result } = JSON.parse(called.stderr);
      expect(result.attempts.length).toBeGreaterThan(1);
      expect((await listRuns())[0]).toMatchObject({ id: result.runId, status: "failed" });
    },
    patience,
  );

  it(
    "stops at Ctrl-C within a second or so, says so once, and records the run as aborted",
    async () => {
      let killedAt = 0;
      const files = ["-f", "examples/notes/empty.txt", "-f", "examples/notes/long-walk.txt"];
      const called = await call(["run", "dictation/cleanup", ...files], {
        onStderr(stderr, kill) {
          if (killedAt > 0 || !stderr.includes("no model was asked")) return;
          killedAt = Number.POSITIVE_INFINITY;
          // The model is being loaded by now, or is reading the prompt.
          setTimeout(() => {
            killedAt = performance.now();
            kill("SIGINT");
          }, 3000);
        },
      });
      expect(called).toMatchObject({ exitCode: 130, signal: null, stdout: '""\n' });
      expect(performance.now() - killedAt).toBeLessThan(3000);
      expect(called.stderr.split("\n").slice(1)).toEqual(["stopped", ""]);
      expect((await listRuns())[0]).toMatchObject({ status: "aborted" });
    },
    patience,
  );
});
