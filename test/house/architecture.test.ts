import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const source = fileURLToPath(new URL("../../src", import.meta.url));

/** Which rooms a room may import; `types` only as types. The table of ARCHITECTURE.md. */
const rooms: Record<string, { imports: string[]; types?: string[]; pure?: true }> = {
  text: { imports: [], pure: true },
  grammar: { imports: ["text"], pure: true },
  template: { imports: ["text"], pure: true },
  contract: { imports: ["text", "grammar", "template"], pure: true },
  check: { imports: ["text", "contract"], pure: true },
  guard: { imports: ["text"], pure: true },
  pack: { imports: ["text", "template", "contract", "grammar", "check"], pure: true },
  prompt: { imports: ["text", "template", "guard", "contract", "pack"], pure: true },
  plan: {
    imports: ["text", "grammar", "template", "contract", "check", "guard", "pack", "prompt"],
    types: ["engine"],
    pure: true,
  },
  engine: { imports: ["text"] },
  model: { imports: ["text"] },
  store: { imports: ["text"], types: ["prompt", "plan"] },
  runtime: {
    imports: [
      "text",
      "grammar",
      "template",
      "contract",
      "check",
      "guard",
      "pack",
      "prompt",
      "plan",
    ],
    types: ["engine", "store", "model"],
  },
  testing: {
    imports: [
      "text",
      "grammar",
      "template",
      "contract",
      "check",
      "guard",
      "pack",
      "prompt",
      "plan",
    ].concat(["engine", "model", "store", "runtime"]),
  },
  cli: {
    imports: [
      "text",
      "grammar",
      "template",
      "contract",
      "check",
      "guard",
      "pack",
      "prompt",
      "plan",
    ].concat(["engine", "model", "store", "runtime"]),
  },
};

interface Import {
  readonly file: string;
  readonly line: number;
  readonly target: string;
  readonly typeOnly: boolean;
  readonly lazy: boolean;
}

function listSources(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith(".ts"))
    .map((path) => join(folder, path));
}

function readImports(file: string): Import[] {
  const text = readFileSync(file, "utf8");
  const found: Import[] = [];
  const statement = /^\s*(import|export)\b([^;"']*?)\bfrom\s*"([^"]+)"|^\s*import\s*"([^"]+)"/gm;
  for (const match of text.matchAll(statement)) {
    const named = /\{([^}]*)\}/.exec(match[2] ?? "")?.[1];
    const names = named
      ?.split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "");
    const typeOnly =
      /^\s*type\b/.test(match[2] ?? "") ||
      (names !== undefined && names.length > 0 && names.every((name) => name.startsWith("type ")));
    const line = text.slice(0, match.index).split("\n").length;
    found.push({ file, line, target: match[3] ?? match[4] ?? "", typeOnly, lazy: false });
  }
  for (const match of text.matchAll(/\bimport\(\s*"([^"]+)"\s*\)/g)) {
    const line = text.slice(0, match.index).split("\n").length;
    found.push({ file, line, target: match[1] ?? "", typeOnly: false, lazy: true });
  }
  return found;
}

const imports = listSources(source).flatMap(readImports);

function roomOf(file: string): string {
  const path = relative(source, file).split(sep);
  return path.length === 1 ? "" : (path[0] ?? "");
}

function show({ file, line, target }: Import): string {
  return `${relative(source, file)}:${line} imports "${target}"`;
}

describe("the house", () => {
  it("finds the imports it judges", () => {
    expect(imports.length).toBeGreaterThan(200);
    expect(imports.some(({ lazy }) => lazy)).toBe(true);
  });

  it("has a row for every room", () => {
    const found = readdirSync(source, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    expect(found.sort()).toEqual(Object.keys(rooms).sort());
  });

  it("is drawn in ARCHITECTURE.md, room by room", () => {
    const page = readFileSync(join(source, "..", "ARCHITECTURE.md"), "utf8");
    const table = page.slice(page.indexOf("## Rooms"), page.indexOf("## Laws"));
    const drawn = [...table.matchAll(/^\| `([a-z]+)` \|/gm)].map((match) => match[1]);
    expect(drawn.sort()).toEqual(Object.keys(rooms).sort());
    // Where a row names its rooms one by one, they are the ones that the test allows.
    for (const [, room = "", allowed = ""] of table.matchAll(
      /^\| `([a-z]+)` \|[^|]*\| ([a-z, ]+) \|$/gm,
    )) {
      if (/all|everything|nothing/.test(allowed)) continue;
      expect([room, allowed.split(", ").sort()]).toEqual([
        room,
        [...(rooms[room]?.imports ?? [])].sort(),
      ]);
    }
  });

  it("lets a room import only what its row says, through an index", () => {
    const wrong = imports.filter((one) => {
      if (!one.target.startsWith(".") || roomOf(one.file) === "") return false;
      const place = resolve(dirname(one.file), one.target);
      const from = roomOf(one.file);
      const to = roomOf(place);
      if (from === to) return false;
      const row = rooms[from];
      const allowed =
        row?.imports.includes(to) || (one.typeOnly && row?.types?.includes(to)) || false;
      return !allowed || !place.endsWith(`${sep}index.ts`);
    });
    expect(wrong.map(show)).toEqual([]);
  });

  it("keeps Node out of the pure rooms", () => {
    const wrong = imports.filter(
      ({ file, target }) => rooms[roomOf(file)]?.pure && target.startsWith("node:"),
    );
    expect(wrong.map(show)).toEqual([]);
  });

  it("keeps clock, chance, process and network out of the pure rooms", () => {
    const forbidden =
      /\b(Date\.now|new Date|Math\.random|performance\.now|process\.|fetch\(|setTimeout|crypto\.|console\.)/;
    const wrong = listSources(source)
      .filter((file) => rooms[roomOf(file)]?.pure)
      .flatMap((file) =>
        readFileSync(file, "utf8")
          .split("\n")
          .map((text, index) => ({ text, place: `${relative(source, file)}:${index + 1}` })),
      )
      .filter(({ text }) => !/^\s*(\*|\/\/|\/\*)/.test(text) && forbidden.test(text));
    expect(wrong).toEqual([]);
  });

  it("loads the heavy parts lazily, each in its own adapter", () => {
    const homes: Record<string, string> = {
      "node-llama-cpp": join(source, "engine", "llama"),
      "better-sqlite3": join(source, "store", "sqlite"),
    };
    const wrong = imports.filter(({ file, target, typeOnly, lazy }) => {
      const home = homes[target];
      return home !== undefined && !(file.startsWith(home) && (typeOnly || lazy));
    });
    expect(wrong.map(show)).toEqual([]);
  });

  it("has no export of everything", () => {
    const wrong = listSources(source).filter((file) =>
      /^export \* from/m.test(readFileSync(file, "utf8")),
    );
    expect(wrong).toEqual([]);
  });
});
