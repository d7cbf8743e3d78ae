import { copyFile, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testModelPath } from "../test-model.ts";

/** A copy of the test model with some of its bytes changed, and the way to delete it. */
export interface PatchedModel {
  readonly path: string;
  remove(): Promise<void>;
}

/** Copies the test model and lets `patch` change the first megabytes of it in place. */
export async function patchModel(patch: (header: Buffer) => void): Promise<PatchedModel> {
  const folder = await mkdtemp(join(tmpdir(), "incipit-model-"));
  const path = join(folder, "patched.gguf");
  await copyFile(testModelPath(), path);
  const file = await open(path, "r+");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8 << 20), 0, 8 << 20, 0);
    const header = buffer.subarray(0, bytesRead);
    patch(header);
    await file.write(header, 0, header.length, 0);
  } finally {
    await file.close();
  }
  return { path, remove: () => rm(folder, { recursive: true }) };
}

/** Renames a metadata key to one that nobody looks for, of the same length. */
export function hideKey(header: Buffer, key: string): void {
  header.write("~", afterKey(header, key) - 1, "latin1");
}

/** Declares a token to be of another type: 1 is text, 3 control, 4 user-defined. */
export function setTokenType(header: Buffer, token: number, type: number): void {
  // After the key come the types of the value (array) and of its elements, and their count.
  const start = afterKey(header, "tokenizer.ggml.token_type") + 4 + 4 + 8;
  header.writeInt32LE(type, start + 4 * token);
}

/** Gives a metadata key, whose value is a whole number of 32 bits, another value. */
export function setNumber(header: Buffer, key: string, value: number): void {
  header.writeUInt32LE(value, afterKey(header, key) + 4);
}

/** Gives a metadata key, whose value is a decimal number of 32 bits, another value. */
export function setDecimal(header: Buffer, key: string, value: number): void {
  header.writeFloatLE(value, afterKey(header, key) + 4);
}

/** Declares the model's chat template to be another text, filled up with blanks. */
export function setTemplate(header: Buffer, template: string): void {
  const start = afterKey(header, "tokenizer.chat_template") + 4;
  const length = Number(header.readBigUInt64LE(start));
  if (template.length > length) throw new Error(`a template has at most ${length} characters`);
  header.write(template.padEnd(length), start + 8, "latin1");
}

function afterKey(header: Buffer, key: string): number {
  const at = header.indexOf(key, 0, "latin1");
  if (at < 0) throw new Error(`the header has no key ${key}`);
  return at + key.length;
}
