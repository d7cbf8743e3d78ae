import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What a case says of its grammar, or of a text under it. */
type Expectation =
  | { readonly kind: "accepts"; readonly text: string }
  | { readonly kind: "rejects"; readonly text: string; readonly position: number }
  | {
      readonly kind: "finding";
      readonly severity: string;
      readonly code: string;
      /** The text the finding points at; null where it points nowhere. */
      readonly place: string | null;
    };

/** One grammar with all its findings and some texts. */
export interface GrammarCase {
  readonly title: string;
  readonly grammar: string;
  readonly expectations: readonly Expectation[];
}

/**
 * Reads a case file. A case is a title after `##`, the grammar as it stands (or `@path` of a file
 * of the repository, or one JSON string), a line `--`, and one expectation a line:
 *
 *     accepts "text"                       texts are JSON strings
 *     rejects "text" at 3                  the offset where it stops fitting, or its length
 *     error grammar_undefined_rule "foo"   a finding, and the text it points at
 *
 * The findings listed are all there are: a case without any says that there are none.
 */
export function readCases(name: string): readonly GrammarCase[] {
  const text = readFileSync(new URL(`cases/${name}`, import.meta.url), "utf8");
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [head = "", expected] = part.split(/^--\n/m);
      const title = head.slice(0, head.indexOf("\n"));
      if (expected === undefined) throw new Error(`${name}: "${title}" expects nothing`);
      const expectations = expected
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => readExpectation(line, `${name}: "${title}"`));
      return { title, grammar: readGrammar(head.slice(title.length + 1)), expectations };
    });
}

/** The names of all case files. */
export function listCaseFiles(): readonly string[] {
  const folder = fileURLToPath(new URL("cases", import.meta.url));
  return readdirSync(folder).filter((name) => name.endsWith(".txt"));
}

function readGrammar(written: string): string {
  if (written.startsWith("@")) {
    return readFileSync(new URL(`../../${written.slice(1).trim()}`, import.meta.url), "utf8");
  }
  return written.startsWith('"') ? String(JSON.parse(written)) : written;
}

function readExpectation(line: string, place: string): Expectation {
  const accepts = /^accepts (".*")$/.exec(line);
  if (accepts !== null) return { kind: "accepts", text: JSON.parse(accepts[1] ?? "") };
  const rejects = /^rejects (".*") at (\d+)$/.exec(line);
  if (rejects !== null) {
    return { kind: "rejects", text: JSON.parse(rejects[1] ?? ""), position: Number(rejects[2]) };
  }
  const finding = /^(error|warning|info) (\w+)(?: (".*"))?$/.exec(line);
  if (finding === null) throw new Error(`${place}: cannot read "${line}"`);
  const [, severity = "", code = "", quoted] = finding;
  return {
    kind: "finding",
    severity,
    code,
    place: quoted === undefined ? null : JSON.parse(quoted),
  };
}
