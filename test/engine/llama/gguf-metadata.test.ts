import { describe, expect, it } from "vitest";
import {
  findMetadataProblem,
  type MetadataValue,
} from "../../../src/engine/llama/gguf-metadata.ts";

const sound: Readonly<Record<string, MetadataValue>> = {
  "general.architecture": "llama",
  "llama.block_count": 2,
  "llama.embedding_length": 64,
  "llama.context_length": 128,
  "llama.feed_forward_length": 256,
  "llama.attention.head_count": 8,
  "llama.attention.head_count_kv": 4,
  "tokenizer.ggml.tokens": { length: 300 },
  "tokenizer.ggml.token_type": { length: 300 },
};

function find(changes: Readonly<Record<string, MetadataValue>>): string | null {
  return findMetadataProblem(new Map(Object.entries({ ...sound, ...changes })), 20);
}

describe("metadata", () => {
  it("of a sound model is accepted, and so is what native code judges by itself", () => {
    expect(find({})).toBeNull();
    expect(find({ "general.architecture": 7 })).toBeNull();
    expect(findMetadataProblem(new Map(), 0)).toBeNull();
  });

  it("with one value for each block in place of a number is accepted", () => {
    const perBlock = { length: 2 };
    const changes = {
      "llama.attention.head_count": perBlock,
      "llama.attention.head_count_kv": perBlock,
      "llama.feed_forward_length": perBlock,
    };
    expect(find(changes)).toBeNull();
  });

  it("may have heads of their own width, no heads beside a state, and experts", () => {
    const wide = { "llama.attention.head_count": 6, "llama.attention.head_count_kv": 3 };
    expect(find({ ...wide, "llama.attention.key_length": 32 })).toBeNull();
    expect(find(wide)).toContain("a divisor of the embedding length 64");
    const none = { "llama.attention.head_count": 0, "llama.feed_forward_length": 0 };
    expect(find({ ...none, "llama.ssm.state_size": 16 })).toBeNull();
    const experts = { "llama.expert_count": 8, "llama.feed_forward_length": 0 };
    expect(find({ ...experts, "llama.expert_used_count": 2 })).toBeNull();
  });

  it.each([
    ["llama.block_count", 21, "a whole number from 1 to 20"],
    ["llama.block_count", 1.5, "a whole number from 1 to 20"],
    ["llama.context_length", -1, "a whole number from 1 to"],
    ["llama.attention.key_length", 0, "a whole number from 1 to"],
    ["llama.expert_count", 513, "a whole number from 0 to 512"],
    ["llama.expert_used_count", 1, "a whole number from 0 to 0"],
    ["llama.attention.layer_norm_epsilon", Number.NaN, "a number from 0 to 1"],
  ])("with the %s %d is refused", (key, value, expected) => {
    expect(find({ [key]: value })).toContain(`its "${key}" is ${value}, and ${expected}`);
  });

  it("without tokens, or with types for some of them, is refused", () => {
    const types = "tokenizer.ggml.token_type";
    expect(find({ "tokenizer.ggml.tokens": { length: 0 } })).toContain("is empty");
    expect(find({ [types]: { length: 299 } })).toBe(
      `its "${types}" has 299 elements, and one for each of 300 tokens was expected`,
    );
  });
});
