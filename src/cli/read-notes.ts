import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { IncipitError } from "../text/index.ts";
import { readTextFile } from "./read-input.ts";
import type { Terminal } from "./terminal.ts";

/** The folder of the notes that come with Incipit. */
const shippedNotesPath = fileURLToPath(new URL("../../examples/notes", import.meta.url));

/** A text to try things on. */
export interface Note {
  /** File name without its end. */
  readonly name: string;
  readonly text: string;
  readonly words: number;
}

/** Reads the `.txt` files of a folder, by name; the shipped notes when none is given. */
export async function readNotes(
  folder: string | undefined,
  terminal: Terminal,
): Promise<readonly Note[]> {
  const place = folder === undefined ? shippedNotesPath : resolve(terminal.workingFolder, folder);
  const names = await readdir(place).catch((cause: unknown) => {
    throw new IncipitError("cli_notes_not_found", `The folder "${place}" cannot be read.`, {
      hint: "name a folder of .txt files with --notes",
      cause,
    });
  });
  const files = names.filter((name) => name.endsWith(".txt")).sort();
  if (files.length === 0) {
    throw new IncipitError("cli_notes_not_found", `"${place}" has no .txt files.`, {
      hint: "name a folder of .txt files with --notes",
    });
  }
  const notes: Note[] = [];
  for (const file of files) {
    const text = await readTextFile(join(place, file), terminal);
    const words = text.split(/\s+/).filter((word) => word !== "").length;
    notes.push({ name: file.slice(0, -".txt".length), text, words });
  }
  return notes;
}
