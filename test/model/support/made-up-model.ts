import { createHash } from "node:crypto";
import type { CatalogueEntry, SourceAddress } from "../../../src/model/index.ts";

/** A small file that is whole by the GGUF format: one tensor of bytes that look random. */
export function createModelFile(dataBytes: number, seed = 1): Buffer {
  const name = Buffer.from("made.up");
  const header = Buffer.alloc(24 + 8 + name.length + 4 + 8 + 4 + 8);
  header.write("GGUF", 0, "latin1");
  header.writeUInt32LE(3, 4);
  header.writeBigUInt64LE(1n, 8);
  header.writeBigUInt64LE(0n, 16);
  header.writeBigUInt64LE(BigInt(name.length), 24);
  name.copy(header, 32);
  const at = 32 + name.length;
  header.writeUInt32LE(1, at);
  header.writeBigUInt64LE(BigInt(dataBytes), at + 4);
  header.writeUInt32LE(24, at + 12); // I8: one byte per element
  header.writeBigUInt64LE(0n, at + 16);
  const start = Math.ceil(header.length / 32) * 32;
  const file = Buffer.alloc(start + dataBytes);
  header.copy(file);
  let state = seed >>> 0 || 1;
  for (let index = start; index < file.length; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    file[index] = state & 255;
  }
  return file;
}

/** SHA-256 of bytes. */
export function toDigest(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The address of a made-up model on a hub. */
export const madeUpAddress: SourceAddress = {
  kind: "hugging-face",
  repository: "maker/made-up",
  file: "made-up.gguf",
  revision: "main",
};

/** A catalogue entry for a made-up model. */
export function createEntry(
  file: Buffer,
  sources: readonly SourceAddress[] = [madeUpAddress],
): CatalogueEntry {
  return {
    name: "made-up",
    description: "a made-up model",
    file: "made-up.gguf",
    bytes: file.length,
    digest: toDigest(file),
    license: "CC0-1.0",
    contextTokens: 16,
    sources,
  };
}
