import { open } from "node:fs/promises";
import { findMetadataProblem, type MetadataValue } from "./gguf-metadata.ts";

/**
 * Walks the header of a GGUF file and says what is wrong with it, or null. Readers of such files
 * believe the counts in it; a damaged one can keep them busy for ever, so it is walked within the
 * bounds of the file first. Tensors that lie beyond its end are found as well, and values that
 * native code would stop the process for.
 *
 * The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 */
export async function findHeaderProblem(path: string): Promise<string | null> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    // Headers are megabytes of vocabulary; the window grows until the header fits into it.
    for (let window = 1 << 20; ; window *= 4) {
      const length = Math.min(window, size, largestHeader);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
      const problem = walkHeader(buffer.subarray(0, bytesRead), size);
      const isCut = problem === endOfHeader && length < Math.min(size, largestHeader);
      if (!isCut) return problem;
    }
  } finally {
    await file.close();
  }
}

const largestHeader = 512 << 20;
const endOfHeader = "its header goes on past the end of the file";

/** A header that is read from front to back. */
interface Walk {
  readonly bytes: Buffer;
  at: number;
}

/** Thrown inside this file where a header leads past the bytes at hand, or makes no sense. */
class Problem {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

function walkHeader(bytes: Buffer, size: number): string | null {
  const walk: Walk = { bytes, at: 0 };
  try {
    if (bytes.length < 4 || bytes.toString("latin1", 0, 4) !== "GGUF") {
      return "it does not begin with the letters GGUF";
    }
    walk.at = 4;
    const version = readNumber(walk, 4);
    if (version !== 2 && version !== 3) {
      return `its GGUF version is ${version}, and 2 or 3 was expected`;
    }
    const { end, tensors, metadata } = readHeader(walk);
    if (end > size) return `it has ${size} bytes, and its tensors end at byte ${end}`;
    return findMetadataProblem(metadata, tensors);
  } catch (error) {
    if (error instanceof Problem) return error.reason;
    throw error;
  }
}

interface Header {
  /** Where the last tensor ends. */
  readonly end: number;
  /** How many tensors there are. */
  readonly tensors: number;
  readonly metadata: ReadonlyMap<string, MetadataValue>;
}

function readHeader(walk: Walk): Header {
  const tensors = readNumber(walk, 8);
  const values = readNumber(walk, 8);
  const metadata = new Map<string, MetadataValue>();
  for (let index = 0; index < values; index += 1) {
    const key = readText(walk);
    const type = readNumber(walk, 4);
    const start = walk.at;
    skipValue(walk, type, 0);
    metadata.set(key, toMetadataValue(walk.bytes, type, start));
  }
  const given = metadata.get("general.alignment");
  const alignment = typeof given === "number" && given >= 1 ? given : 32;
  let end = 0;
  for (let index = 0; index < tensors; index += 1) {
    readText(walk);
    let elements = 1;
    for (let axes = readNumber(walk, 4); axes > 0; axes -= 1) elements *= readNumber(walk, 8);
    const [perBlock, blockBytes] = blocks[readNumber(walk, 4)] ?? [1, 0];
    end = Math.max(end, readNumber(walk, 8) + (elements / perBlock) * blockBytes);
  }
  return { end: Math.ceil(walk.at / alignment) * alignment + end, tensors, metadata };
}

/** The value that was just passed over, as far as it is looked at. */
function toMetadataValue(bytes: Buffer, type: number, start: number): MetadataValue {
  if (type === 8) {
    const length = Number(bytes.readBigUInt64LE(start));
    return bytes.toString("utf8", start + 8, start + 8 + Math.min(length, 200));
  }
  if (type === 9) return { length: Number(bytes.readBigUInt64LE(start + 4)) };
  return readScalar[type]?.(bytes, start) ?? 0;
}

/** Readers of single values by their type; what is true is 1. */
const readScalar: Readonly<Record<number, (bytes: Buffer, at: number) => number>> = {
  0: (bytes, at) => bytes.readUInt8(at),
  1: (bytes, at) => bytes.readInt8(at),
  2: (bytes, at) => bytes.readUInt16LE(at),
  3: (bytes, at) => bytes.readInt16LE(at),
  4: (bytes, at) => bytes.readUInt32LE(at),
  5: (bytes, at) => bytes.readInt32LE(at),
  6: (bytes, at) => bytes.readFloatLE(at),
  7: (bytes, at) => bytes.readUInt8(at),
  10: (bytes, at) => Number(bytes.readBigUInt64LE(at)),
  11: (bytes, at) => Number(bytes.readBigInt64LE(at)),
  12: (bytes, at) => bytes.readDoubleLE(at),
};

/** Bytes of a value by its type; strings (8) and arrays (9) say their length themselves. */
const valueBytes: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};

/** Elements and bytes of a block by tensor type (`ggml_type`); of others only the start counts. */
const blocks: Readonly<Record<number, readonly [elements: number, bytes: number]>> = {
  0: [1, 4],
  1: [1, 2],
  2: [32, 18],
  3: [32, 20],
  6: [32, 22],
  7: [32, 24],
  8: [32, 34],
  10: [256, 84],
  11: [256, 110],
  12: [256, 144],
  13: [256, 176],
  14: [256, 210],
  20: [32, 18],
  23: [256, 136],
  30: [1, 2],
};

function skipValue(walk: Walk, type: number, depth: number): void {
  const bytes = valueBytes[type];
  if (bytes !== undefined) skip(walk, bytes);
  else if (type === 8) skip(walk, readNumber(walk, 8));
  else if (type === 9 && depth < 4) skipArray(walk, depth);
  else throw new Problem(`its header has a value of the type ${type}`);
}

function skipArray(walk: Walk, depth: number): void {
  const type = readNumber(walk, 4);
  const count = readNumber(walk, 8);
  const bytes = valueBytes[type];
  if (bytes !== undefined) {
    skip(walk, count * bytes);
    return;
  }
  for (let index = 0; index < count; index += 1) skipValue(walk, type, depth + 1);
}

function readText(walk: Walk): string {
  const length = readNumber(walk, 8);
  const start = walk.at;
  skip(walk, length);
  return walk.bytes.toString("latin1", start, walk.at);
}

/** A whole number without a sign, little-endian, of four or eight bytes. */
function readNumber(walk: Walk, bytes: 4 | 8): number {
  const start = walk.at;
  skip(walk, bytes);
  const low = walk.bytes.readUInt32LE(start);
  return bytes === 4 ? low : low + walk.bytes.readUInt32LE(start + 4) * 2 ** 32;
}

function skip(walk: Walk, bytes: number): void {
  if (walk.at + bytes > walk.bytes.length) throw new Problem(endOfHeader);
  walk.at += bytes;
}
