import { createReadStream, mkdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { modelTitle, noModelReason, testModelPath } from "../engine/test-model.ts";
import { incipit, makeFolder, readError, root } from "./incipit.ts";

const folder = makeFolder();
const home = join(folder, "home");
const notes = join(folder, "notes");

describe("demo", () => {
  it("refuses a folder that is not there or has no notes", async () => {
    for (const place of ["not-here", "packs"]) {
      const called = await incipit(["demo", "--notes", place, "--json"], { home, folder: root });
      expect(called).toMatchObject({ exitCode: 2, stdout: "" });
      expect(readError(called).code).toBe("cli_notes_not_found");
    }
  });
});

describe.skipIf(noModelReason !== null)(modelTitle("demo with a model"), () => {
  /** Gives the model file for any address, as Hugging Face would. */
  const server = createServer((request, response) => {
    const path = testModelPath();
    response.writeHead(200, { "content-length": statSync(path).size });
    if (request.method === "HEAD") response.end();
    else createReadStream(path).pipe(response);
  });

  beforeAll(async () => {
    mkdirSync(notes);
    writeFileSync(join(notes, "empty.txt"), "");
    writeFileSync(join(notes, "fence.txt"), "tomorrow I will call Ana about the garden fence");
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    server.close();
  });

  it("fetches the model, saying so, runs both tasks on each note, and prints a table", async () => {
    const { port } = server.address() as AddressInfo;
    const environment = { HF_ENDPOINT: `http://127.0.0.1:${port}` };
    const called = await incipit(["demo", "--notes", notes], { home, environment });
    expect([0, 1]).toContain(called.exitCode);
    expect(called.stderr).toMatch(/^The model "smollm2-135m-instruct" is not here yet/);
    expect(called.stderr).toContain("It is fetched now, once.\nfrom Hugging Face");
    expect(called.stderr).toMatch(/^fetching: 98\.4 MB of 98\.4 MB \(100 %\)$/m);
    expect(called.stderr).toContain("dictation/content-tags: 2 notes …\n");
    const lines = called.stdout.split("\n");
    expect(lines[1]).toMatch(/^note +words +topic +intent +tasks +first task +ms +tries$/);
    expect(lines[2]).toMatch(/^empty +0 +– +– +0 +– +\d+ +0\+0$/);
    expect(lines[3]).toMatch(/^fence +9 +\S.* +\d+ +\d\+\d$/);
    expect(called.stdout).toContain("2 notes · 4 runs, 2 of them needed no model · ");
    expect(called.stdout).toContain(`recorded in ${join(home, "incipit.db")}`);
    expect(Math.max(...lines.slice(0, 4).map((line) => line.length))).toBeLessThan(101);
    const runs = await incipit(["runs", "list", "--json"], { home });
    expect(JSON.parse(runs.stdout)).toHaveLength(4);
  }, 300_000);

  it("gives all of it as JSON, and records nothing when it is told so", async () => {
    const args = ["demo", "--notes", notes, "--no-store", "--json"];
    const called = await incipit(args, { home });
    expect([0, 1]).toContain(called.exitCode);
    expect(called.stderr).toBe("");
    const demo = JSON.parse(called.stdout);
    expect(demo).toMatchObject({ model: "smollm2-135m-instruct", storePath: null });
    expect(demo.notes).toHaveLength(2);
    expect(demo.notes[0]).toMatchObject({
      note: "empty",
      words: 0,
      tags: { task: "dictation/content-tags", acceptable: true, value: null, runId: null },
      tasks: { task: "dictation/extract-tasks", acceptable: true, value: [], attempts: [] },
    });
    expect(demo.notes[1].tags.attempts.length).toBeGreaterThan(0);
    const runs = await incipit(["runs", "list", "--json"], { home });
    expect(JSON.parse(runs.stdout)).toHaveLength(4);
  }, 300_000);
});
