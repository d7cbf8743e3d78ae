import type { ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = {
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/setup/model.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: process.env.CI
      ? ["default", ["json", { outputFile: "coverage/results.json" }]]
      : ["default"],
  },
};

export default config;
