export { createFence, type Fence, toFencedSpans } from "./fence.ts";
export { quoteLine } from "./quote.ts";
