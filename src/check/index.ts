export { type Check, type CheckName, checkNames } from "./check.ts";
export { findFenceLeak } from "./fence-leak.ts";
export { type ParsedCheck, parseCheck } from "./parse-check.ts";
export { findPromptEcho } from "./prompt-echo.ts";
export { type Judged, runChecks } from "./run-checks.ts";
