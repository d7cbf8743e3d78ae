import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { checkBuild } from "./child.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

const root = join(import.meta.dirname, "../../..");

/** The built package with everything it needs but better-sqlite3. */
function installWithoutSqlite(): string {
  checkBuild();
  const folder = createTemporaryFolder();
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  cpSync(join(root, "dist/store"), join(folder, "dist/store"), { recursive: true });
  cpSync(join(root, "dist/text"), join(folder, "dist/text"), { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  for (const name of ["kysely", "@noble", "bindings"]) {
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name), "junction");
  }
  return folder;
}

/** What a process says that imports the store and then opens one. */
function openThere(folder: string): { code: string; message: string; hint: string } {
  const entry = pathToFileURL(join(folder, "dist/store/sqlite/index.js"));
  const script = `
    import { openSqliteStore } from ${JSON.stringify(entry)};
    await openSqliteStore(${JSON.stringify(join(folder, "runs.db"))}).catch(
      ({ code, message, hint }) => console.log(JSON.stringify({ code, message, hint })),
    );
  `;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script]);
  return JSON.parse(String(output));
}

it("names the package and the command when better-sqlite3 is not installed", () => {
  expect(openThere(installWithoutSqlite())).toEqual({
    code: "store_package_missing",
    message: 'The package "better-sqlite3" is not installed, expected it for a SQLite store.',
    hint: "npm install better-sqlite3",
  });
});

it("names the package and the command when its native part is not built", () => {
  const folder = installWithoutSqlite();
  const copy = join(folder, "node_modules/better-sqlite3");
  cpSync(join(root, "node_modules/better-sqlite3"), copy, { recursive: true });
  rmSync(join(copy, "build"), { recursive: true });
  expect(openThere(folder)).toEqual({
    code: "store_package_missing",
    message: `The package "better-sqlite3" has no native part that works with Node.js ${process.version}.`,
    hint: "npm rebuild better-sqlite3",
  });
});
