import { sha256 as sha256Bytes } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

/** SHA-256 as 64 lower-case hex digits. */
export type Digest = string;

/** SHA-256 of a text (as UTF-8) or of bytes. */
export function sha256(data: string | Uint8Array): Digest {
  return bytesToHex(sha256Bytes(typeof data === "string" ? utf8ToBytes(data) : data));
}

/**
 * Digest of a list of texts under a label. Each part is preceded by its length in bytes (eight
 * bytes, big-endian), so no two different lists share a digest. The label names what is digested
 * and the version of the rule, such as `prompt/1`.
 */
export function digestParts(label: string, parts: readonly string[]): Digest {
  const chunks: Uint8Array[] = [];
  for (const part of [label, ...parts]) {
    const bytes = utf8ToBytes(part);
    const length = new Uint8Array(8);
    new DataView(length.buffer).setBigUint64(0, BigInt(bytes.length));
    chunks.push(length, bytes);
  }
  return sha256(concatBytes(...chunks));
}

/** The first 16 hex digits of a digest, for people. */
export function toShortId(digest: Digest): string {
  return digest.slice(0, 16);
}
