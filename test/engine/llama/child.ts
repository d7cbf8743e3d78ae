import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** What a child process wrote and how it ended. */
export interface ChildResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
  /** What the script reported. */
  readonly reported: unknown;
}

/**
 * Runs a script in a process of its own, with `openLlamaEngine` and `report` at hand: `report`
 * keeps a value for the parent.
 */
export async function runChild(script: string): Promise<ChildResult> {
  const source = `
    import { createServer } from ${JSON.stringify(import.meta.resolve("vite"))};
    let reported = null;
    const report = (value) => { reported = value; };
    const server = await createServer({
      root: ${JSON.stringify(root)},
      configFile: false,
      logLevel: "silent",
      appType: "custom",
      optimizeDeps: { noDiscovery: true },
      server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    });
    const { openLlamaEngine } = await server.ssrLoadModule("/src/engine/llama/index.ts");
    ${script}
    process.send(reported, () => process.exit(0));
  `;
  const folder = await mkdtemp(join(tmpdir(), "incipit-child-"));
  const file = join(folder, "child.mjs");
  await writeFile(file, source);
  return new Promise<ChildResult>((resolve, reject) => {
    const child = spawn(process.execPath, [file], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    let stdout = "";
    let stderr = "";
    let reported: unknown = null;
    child.stdout?.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on("message", (message) => {
      reported = message;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ stdout, stderr, code, reported }));
  }).finally(() => rm(folder, { recursive: true }));
}
