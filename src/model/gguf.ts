import { open } from "node:fs/promises";
import { IncipitError } from "../text/index.ts";
import { printBytes } from "./failure.ts";

/**
 * Elements and bytes per block of the tensor types in use, by their number in the file
 * (`ggml_type` of ggml.h). A type that is not listed has its start checked but not its end.
 */
const blocks: ReadonlyMap<number, readonly [elements: number, bytes: number]> = new Map([
  [0, [1, 4]], // F32
  [1, [1, 2]], // F16
  [2, [32, 18]], // Q4_0
  [3, [32, 20]], // Q4_1
  [6, [32, 22]], // Q5_0
  [7, [32, 24]], // Q5_1
  [8, [32, 34]], // Q8_0
  [10, [256, 84]], // Q2_K
  [11, [256, 110]], // Q3_K
  [12, [256, 144]], // Q4_K
  [13, [256, 176]], // Q5_K
  [14, [256, 210]], // Q6_K
  [20, [32, 18]], // IQ4_NL
  [23, [256, 136]], // IQ4_XS
  [24, [1, 1]], // I8
  [25, [1, 2]], // I16
  [26, [1, 4]], // I32
  [27, [1, 8]], // I64
  [28, [1, 8]], // F64
  [30, [1, 2]], // BF16
]);

/** Bytes of a metadata value by its type; 8 is a string and 9 an array. */
const valueBytes: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 4],
  [5, 4],
  [6, 4],
  [7, 1],
  [10, 8],
  [11, 8],
  [12, 8],
]);

const firstWindow = 1 << 20;
const largestHeader = 256 << 20;

/** Thrown inside this file when the header goes on past the bytes read so far. */
const needMore = Symbol("need more");

/**
 * Checks that a file is a whole GGUF model: the magic number, a header that can be read to its
 * end, and every tensor inside the file. Throws `model_not_gguf` or `model_truncated`. The format:
 * https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 */
export async function checkGguf(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    for (let window = firstWindow; ; window *= 4) {
      const length = Math.min(window, size, largestHeader);
      const header = Buffer.alloc(length);
      const { bytesRead } = await handle.read(header, 0, length, 0);
      const end = findEnd(header.subarray(0, bytesRead), path);
      if (end === needMore && length < size && length < largestHeader) continue;
      if (end === needMore) throw truncated(path, size, null);
      if (end > size) throw truncated(path, size, end);
      return;
    }
  } finally {
    await handle.close();
  }
}

/** The offset at which the last tensor ends, as the header has it. */
function findEnd(header: Buffer, path: string): number | typeof needMore {
  if (header.length < 4 || header.toString("latin1", 0, 4) !== "GGUF") {
    throw notGguf(path, "it does not begin with the four letters GGUF");
  }
  if (header.length < 8) return needMore;
  const version = header.readUInt32LE(4);
  if (version !== 2 && version !== 3) {
    throw notGguf(path, `its version is ${version}, and 2 or 3 can be read`);
  }
  const cursor: Cursor = { bytes: header, at: 8 };
  try {
    return readTensorEnd(cursor, path);
  } catch (error) {
    if (error === needMore) return needMore;
    throw error;
  }
}

function readTensorEnd(cursor: Cursor, path: string): number {
  const tensors = readU64(cursor);
  const values = readU64(cursor);
  let alignment = 32;
  for (let index = 0; index < values; index += 1) {
    const key = readString(cursor);
    const type = readU32(cursor);
    const start = cursor.at;
    skipValue(cursor, type, path, 0);
    if (key === "general.alignment" && type === 4) alignment = cursor.bytes.readUInt32LE(start);
  }
  let dataBytes = 0;
  for (let index = 0; index < tensors; index += 1) {
    skip(cursor, readU64(cursor));
    const dimensions = readU32(cursor);
    let elements = 1;
    for (let axis = 0; axis < dimensions; axis += 1) elements *= readU64(cursor);
    const [perBlock, blockBytes] = blocks.get(readU32(cursor)) ?? [1, 0];
    const offset = readU64(cursor);
    dataBytes = Math.max(dataBytes, offset + (elements / perBlock) * blockBytes);
  }
  if (tensors === 0) return cursor.at;
  return Math.ceil(cursor.at / alignment) * alignment + dataBytes;
}

interface Cursor {
  readonly bytes: Buffer;
  at: number;
}

function skip(cursor: Cursor, count: number): number {
  const start = cursor.at;
  if (start + count > cursor.bytes.length) throw needMore;
  cursor.at = start + count;
  return start;
}

function readU32(cursor: Cursor): number {
  return cursor.bytes.readUInt32LE(skip(cursor, 4));
}

function readU64(cursor: Cursor): number {
  return Number(cursor.bytes.readBigUInt64LE(skip(cursor, 8)));
}

function readString(cursor: Cursor): string {
  const length = readU64(cursor);
  const start = skip(cursor, length);
  return cursor.bytes.toString("utf8", start, start + length);
}

function skipValue(cursor: Cursor, type: number, path: string, depth: number): void {
  if (type === 8) {
    skip(cursor, readU64(cursor));
    return;
  }
  const bytes = valueBytes.get(type);
  if (bytes !== undefined) {
    skip(cursor, bytes);
    return;
  }
  if (type !== 9 || depth > 4) throw notGguf(path, `its metadata has a value of type ${type}`);
  const elementType = readU32(cursor);
  const count = readU64(cursor);
  const elementBytes = valueBytes.get(elementType);
  if (elementBytes !== undefined) {
    skip(cursor, elementBytes * count);
    return;
  }
  for (let index = 0; index < count; index += 1) {
    skipValue(cursor, elementType, path, depth + 1);
  }
}

function notGguf(path: string, reason: string): IncipitError {
  return new IncipitError("model_not_gguf", `"${path}" is not a GGUF model: ${reason}.`, {
    hint: "give the path of a model in GGUF format",
  });
}

function truncated(path: string, size: number, end: number | null): IncipitError {
  // Rounded, a file that lacks a few bytes looks whole.
  const isClose = end !== null && printBytes(size) === printBytes(end);
  const print = (bytes: number): string => (isClose ? `${bytes} bytes` : printBytes(bytes));
  const goal = end === null ? "its header is cut off" : `its header speaks of ${print(end)}`;
  return new IncipitError(
    "model_truncated",
    `"${path}" is not complete: it has ${print(size)}, and ${goal}.`,
    { hint: "download the file again" },
  );
}
