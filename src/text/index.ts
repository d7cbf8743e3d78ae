export { type Json, printCanonicalJson, printSortedJson, toCanonicalText } from "./canonical.ts";
export { type Digest, digestParts, sha256, toShortId } from "./digest.ts";
export { type FailureOptions, IncipitError } from "./failure.ts";
export { type Finding, hasError, type Severity } from "./finding.ts";
export {
  type Message,
  type Origin,
  type Role,
  type Span,
  type Tier,
  type Trust,
  toMessageText,
} from "./message.ts";
export { toSkeleton } from "./skeleton.ts";
export {
  type Position,
  printExcerpt,
  type Source,
  type SourceSpan,
  toPosition,
} from "./source.ts";
export { editDistance, suggest, toHint } from "./suggestion.ts";
