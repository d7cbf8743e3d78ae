import type { Json } from "../text/index.ts";
import type { PerformedRun } from "./perform-run.ts";
import type { Note } from "./read-notes.ts";
import { type Column, printTable } from "./table.ts";
import type { Output } from "./terminal.ts";
import { toVisibleText } from "./visible-text.ts";

/** What came of one note: the runs of both tasks. */
export interface DemoRow {
  readonly note: Note;
  readonly tags: PerformedRun;
  readonly tasks: PerformedRun;
}

/** What the demo says at its end. */
export interface DemoTotals {
  readonly model: string | null;
  readonly milliseconds: number;
  readonly storePath: string | null;
}

/** The value of a run that has one; undefined for a refused answer. */
function toValue({ result }: PerformedRun): Json | undefined {
  return result.kind === "success" ? result.value : undefined;
}

function toTagCells(value: Json | undefined): [string, string] {
  if (value === undefined) return ["no answer", "–"];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return ["–", "–"];
  const { topic, intent } = value as { readonly [name: string]: Json };
  return [String(topic ?? "–"), String(intent ?? "–")];
}

function toTaskCells(value: Json | undefined): [string, string] {
  if (value === undefined) return ["–", "no answer"];
  if (!Array.isArray(value) || value.length === 0) return ["0", "–"];
  return [String(value.length), String(value[0])];
}

function toRow({ note, tags, tasks }: DemoRow): string[] {
  const attempts = [tags, tasks].map(({ result }) => String(result.attempts.length));
  return [
    note.name,
    String(note.words),
    ...toTagCells(toValue(tags)),
    ...toTaskCells(toValue(tasks)),
    String(tags.milliseconds + tasks.milliseconds),
    attempts.join("+"),
  ];
}

const head: readonly Column[] = [
  { title: "note", most: 22 },
  { title: "words", align: "right" },
  { title: "topic", most: 18 },
  { title: "intent" },
  { title: "tasks", align: "right" },
  { title: "first task" },
  { title: "ms", align: "right" },
  { title: "tries", align: "right" },
];

/** The place of the column that takes what room is left. */
const widest = 5;

function toColumns(rows: readonly (readonly string[])[], width: number): Column[] {
  const others = head.map(({ title, most = Number.POSITIVE_INFINITY }, index) => {
    const longest = Math.max(title.length, ...rows.map((row) => row[index]?.length ?? 0));
    return index === widest ? 0 : Math.min(most, longest);
  });
  const used = others.reduce((sum, each) => sum + each, 2 * (head.length - 1));
  const most = Math.max(12, Math.min(60, width - used));
  return head.map((column, index) => (index === widest ? { ...column, most } : column));
}

/** What a reader should know of single runs: refused answers and warnings. */
function toNotices(rows: readonly DemoRow[]): string[] {
  return rows.flatMap(({ note, tags, tasks }) =>
    [tags, tasks].flatMap(({ result }) => {
      const label = `${note.name} · ${result.task.replace(/^.*\//, "")}`;
      const refused = result.kind === "failure" ? [`${label}: ${result.message}`] : [];
      return [...refused, ...result.warnings.map(({ message }) => `${label}: ${message}`)];
    }),
  );
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** What a table of valid answers must not suggest. */
const caveat = "Valid is not right: the contract holds, but a model of this size writes poorly.";

function printTotals(rows: readonly DemoRow[], totals: DemoTotals): string {
  const runs = rows.flatMap(({ tags, tasks }) => [tags, tasks]);
  const refused = runs.filter(({ result }) => result.kind === "failure").length;
  const unasked = runs.filter(({ result }) => result.attempts.length === 0).length;
  const parts = [
    count(rows.length, "note", "notes"),
    `${count(runs.length, "run", "runs")}, ${unasked} of them needed no model`,
    refused === 0 ? "every answer satisfies its contract" : `${refused} without an answer`,
    `${(totals.milliseconds / 1000).toFixed(1)} s`,
  ];
  const model = totals.model === null ? "" : `model ${totals.model} · `;
  const place = totals.storePath === null ? "not recorded" : `recorded in ${totals.storePath}`;
  const more = totals.storePath === null ? "" : " (see `incipit runs list`)";
  return `${parts.join(" · ")}\n${model}${place}${more}\n${caveat}\n`;
}

/** Prints the demo's table, its notices and its totals. */
export async function printDemo(
  rows: readonly DemoRow[],
  totals: DemoTotals,
  output: Output,
): Promise<string> {
  const cells = rows.map(toRow);
  const table = await printTable(toColumns(cells, output.columns), cells, output);
  const notices = toNotices(rows).map((notice) => `! ${toVisibleText(notice)}\n`);
  const between = notices.length === 0 ? "" : `${notices.join("")}\n`;
  return `\n${table}\n${between}${printTotals(rows, totals)}`;
}
