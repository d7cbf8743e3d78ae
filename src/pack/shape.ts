import { z } from "zod";
import type { Json, Tier, Trust } from "../text/index.ts";

/** `incipit.yaml`. */
export interface RawManifest {
  name: string;
  version: string;
  description: string;
  /** Version of each hand-written grammar, by its path. */
  grammars: Record<string, string>;
}

/** One module of a `system/*.yaml` file. */
export interface RawModule {
  tier: Tier;
  description: string;
  version?: string | undefined;
  when?: string | undefined;
  variables: string[];
  content: string;
}

/** The keys of a `system/*.yaml` file that are not modules. */
export interface RawSystem {
  version: string;
  description: string;
  composition: { module_order: string[] };
}

/** An entry of a `templates/*.json` file. */
export interface RawTemplate {
  version: string;
  description?: string | undefined;
  variables: string[];
  base_template: string;
}

/** An entry of a `fragments/*.json` or `compositions/*.json` file. */
export interface RawFragment {
  version: string;
  description?: string | undefined;
  variables: string[];
  content: string;
}

/** A `languages/*.yaml` file. */
export interface RawLanguage {
  version: string;
  language: string;
  name: string;
  fillers: string[];
}

interface RawInputCommon {
  description: string;
  optional: boolean;
}

export type RawInput = RawInputCommon &
  (
    | { type: "text"; trust: Trust; maxLength: number }
    | { type: "list"; maxItems: number; maxLength: number }
    | { type: "fragment"; from: string }
  );

/** A `tasks/*.yaml` file. */
export interface RawTask {
  version: string;
  description: string;
  system: string;
  user: string;
  inputs: Record<string, RawInput>;
  whenEmpty?: Json | undefined;
  output:
    | { kind: "json"; schema: Json }
    | { kind: "text"; minLength?: number | undefined; maxLength?: number | undefined };
  checks: Json[];
  sampling: {
    temperature: number;
    topK?: number | undefined;
    topP?: number | undefined;
    minP?: number | undefined;
  };
  limits: { maxTokens: number; tokensPerInputCharacter?: number | undefined };
  retry: {
    attempts: number;
    temperatureStep: number;
    reinforce: { on: string; use: string }[];
  };
}

const version = z.string().regex(/^\d+\.\d+(\.\d+)?$/, 'a version is a text like "1.0"');
const name = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, "a name has letters, digits, - and _");
const text = z.string();

/** Whether a text has a character that can be seen. */
const isVisible = (content: string): boolean => /[\p{L}\p{N}\p{P}\p{S}]/u.test(content);
const variables = z.array(name).default([]);

/** Shape of a {@link RawManifest}. */
export const manifestShape: z.ZodType<RawManifest> = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,63}$/, "a pack's name has lower-case letters, digits and -"),
  version,
  description: text,
  grammars: z.record(text, version).default({}),
});

/** Shape of a {@link RawModule}. */
export const moduleShape: z.ZodType<RawModule> = z.strictObject({
  tier: z.enum(["protected", "customizable"]),
  description: text,
  version: version.optional(),
  when: name.optional(),
  variables,
  content: text.refine(isVisible, "a module has text"),
});

/** Shape of a {@link RawSystem}. */
export const systemShape: z.ZodType<RawSystem> = z.object({
  version,
  description: text,
  composition: z.strictObject({ module_order: z.array(name).min(1) }),
});

/** Shape of a {@link RawTemplate}. */
export const templateShape: z.ZodType<RawTemplate> = z.strictObject({
  version,
  description: text.optional(),
  variables,
  base_template: text.refine(isVisible, "a template has text"),
});

/** Shape of a {@link RawFragment}. */
export const fragmentShape: z.ZodType<RawFragment> = z.strictObject({
  version,
  description: text.optional(),
  variables,
  content: text.refine(isVisible, "a fragment has text"),
});

/** Shape of a {@link RawLanguage}. */
export const languageShape: z.ZodType<RawLanguage> = z.strictObject({
  version,
  language: z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "a language tag like en"),
  name: text,
  fillers: z.array(text.min(1)).default([]),
});

const count = z.int().min(1);
const inputCommon = { description: text.default(""), optional: z.boolean().default(false) };
const trust = z.enum(["trusted", "untrusted"]).default("untrusted");

const inputShape = z.discriminatedUnion("type", [
  z.strictObject({
    ...inputCommon,
    type: z.literal("text"),
    trust,
    maxLength: count.default(20_000),
  }),
  z.strictObject({
    ...inputCommon,
    type: z.literal("list"),
    maxItems: count.default(100),
    maxLength: count.default(200),
  }),
  z.strictObject({ ...inputCommon, type: z.literal("fragment"), from: text }),
]);

/** Shape of a {@link RawTask}. */
export const taskShape: z.ZodType<RawTask> = z.strictObject({
  version,
  description: text,
  system: text,
  user: text,
  inputs: z.record(name, inputShape),
  whenEmpty: z.json().optional(),
  output: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("json"), schema: z.json() }),
    z.strictObject({
      kind: z.literal("text"),
      minLength: z.int().min(0).optional(),
      maxLength: z.int().min(1).optional(),
    }),
  ]),
  checks: z.array(z.json()).default([]),
  sampling: z
    .strictObject({
      temperature: z.number().min(0).max(2),
      topK: z.int().min(1).optional(),
      topP: z.number().gt(0).max(1).optional(),
      minP: z.number().min(0).max(1).optional(),
    })
    .default({ temperature: 0 }),
  limits: z.strictObject({
    maxTokens: z.int().min(1).max(131_072),
    tokensPerInputCharacter: z.number().gt(0).optional(),
  }),
  retry: z
    .strictObject({
      attempts: z.int().min(1).max(10).default(1),
      temperatureStep: z.number().min(0).max(1).default(0.15),
      reinforce: z.array(z.strictObject({ on: text, use: text })).default([]),
    })
    .default({ attempts: 1, temperatureStep: 0.15, reinforce: [] }),
});
