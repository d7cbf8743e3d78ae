import type { Output } from "./terminal.ts";
import { toVisibleText } from "./visible-text.ts";

/** A column of a table. */
export interface Column {
  readonly title: string;
  /** Numbers stand to the right. */
  readonly align?: "left" | "right";
  /** The most characters of a cell; longer ones are cut with `…`. */
  readonly most?: number;
}

const noBorders = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  ",
};

/** Prints rows under a head, without borders, each column as wide as its widest cell. */
export async function printTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  output: Output,
): Promise<string> {
  const { default: Table } = await import("cli-table3");
  const table = new Table({
    head: columns.map(({ title }) => output.colors.dim(title)),
    chars: noBorders,
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true },
    colAligns: columns.map(({ align = "left" }) => align),
  });
  for (const row of rows) {
    table.push(row.map((cell, index) => cut(toVisibleText(cell), columns[index]?.most)));
  }
  const lines = table.toString().split("\n");
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

function cut(cell: string, most: number | undefined): string {
  const characters = [...new Intl.Segmenter().segment(cell)];
  if (most === undefined || characters.length <= most) return cell;
  const kept = characters.slice(0, most - 1).map(({ segment }) => segment);
  return `${kept.join("").trimEnd()}…`;
}
