import { readFileSync } from "node:fs";

/** The version in the package's own package.json; reading it is cheaper than loading `plan`. */
export function readPackageVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
