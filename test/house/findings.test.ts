import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Every code in the sources: a snake_case text that begins with the name of a room. */
function readCodes(): Set<string> {
  const rooms =
    "text|grammar|template|contract|check|guard|pack|prompt|plan|engine|model|store|runtime|cli";
  const code = new RegExp(`"((?:${rooms})_[a-z0-9]+(?:_[a-z0-9]+)*)"`, "g");
  const codes = new Set<string>();
  for (const path of readdirSync(join(root, "src"), { recursive: true }).map(String)) {
    if (!path.endsWith(".ts") || /^(testing|store.sql.migration)/.test(path)) continue;
    const text = readFileSync(join(root, "src", path), "utf8");
    for (const match of text.matchAll(code)) codes.add(match[1] ?? "");
  }
  return codes;
}

function readRows(): string[] {
  const text = readFileSync(join(root, "docs", "findings.md"), "utf8");
  return [...text.matchAll(/^\| `([a-z0-9_]+)` \|/gm)].map((match) => match[1] ?? "");
}

it("every code has exactly one row in docs/findings.md, and every row a code", () => {
  const rows = readRows();
  expect(rows.length).toBeGreaterThan(50);
  expect([...rows].sort()).toEqual([...new Set(rows)].sort());
  expect([...rows].sort()).toEqual([...readCodes()].sort());
});
