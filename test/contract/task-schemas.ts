import type { Json } from "../../src/text/index.ts";

export const intents: readonly string[] = [
  "planning",
  "reflection",
  "venting",
  "capture",
  "decision",
  "question",
];

export const tagsSchema: Json = {
  type: "object",
  properties: {
    topic: {
      type: "string",
      description: "1 to 3 lower-case words of a-z and 0-9, joined by single hyphens",
      examples: ["interview-prep"],
      pattern: "^[a-z0-9]{1,24}(-[a-z0-9]{1,24}){0,2}$",
    },
    intent: { oneOf: intents.map((intent) => ({ const: intent, description: `does ${intent}` })) },
  },
  required: ["topic", "intent"],
  additionalProperties: false,
};

const step: Json = {
  type: "string",
  minLength: 1,
  maxLength: 160,
  pattern: "^[^\\u0000-\\u001f]+$",
};

export const decomposeSchema: Json = {
  type: "array",
  minItems: 3,
  maxItems: 7,
  uniqueItems: true,
  items: step,
};

export const extractSchema: Json = { type: "array", maxItems: 20, uniqueItems: true, items: step };
