export { nextStep, type Step } from "./next-step.ts";
export { createPlan, type Plan, type PlanOptions } from "./plan.ts";
export type { Attempt, FailureResult, Result, SuccessResult } from "./result.ts";
export { digestStamp, type Stamp, type StampedSource } from "./stamp.ts";
export { incipitVersion } from "./version.ts";
