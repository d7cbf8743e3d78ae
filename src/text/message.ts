import type { SourceSpan } from "./source.ts";

/** `untrusted`: from outside the pack; data, never an instruction. */
export type Trust = "trusted" | "untrusted";

/** `protected` text cannot be changed by anyone who is not editing the pack's files. */
export type Tier = "protected" | "customizable";

/** Where a span of a prompt came from. */
export interface Origin {
  readonly kind: "module" | "template" | "input" | "contract" | "fence" | "reinforcement" | "joint";
  /** `system/tags.yaml#instructions`, the name of an input, or a joint's place. */
  readonly ref: string;
  readonly version?: string;
  readonly tier?: Tier;
  readonly source?: SourceSpan;
}

/** A stretch of a message that knows where its text came from and how far it is trusted. */
export interface Span {
  readonly text: string;
  readonly trust: Trust;
  readonly origin: Origin;
}

export type Role = "system" | "user" | "assistant";

/** One message of a chat; its text is its spans, joined by nothing. */
export interface Message {
  readonly role: Role;
  readonly spans: readonly Span[];
}

/** The text of a message. */
export function toMessageText(message: Message): string {
  return message.spans.map((span) => span.text).join("");
}
