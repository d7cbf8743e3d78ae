import { type Finding, IncipitError } from "../text/index.ts";
import type { Contract } from "./contract.ts";

/** A contract, or null and the reasons; beside a contract no finding is an error. */
export interface TriedContract {
  readonly contract: Contract | null;
  readonly findings: readonly Finding[];
}

/** The contract, or the failure `contract_invalid` with the findings. */
export function requireContract({ contract, findings }: TriedContract): Contract {
  if (contract !== null) return contract;
  const first = findings.find(({ severity }) => severity === "error");
  const place = first?.path === undefined || first.path === "" ? "" : ` at ${first.path}`;
  throw new IncipitError(
    "contract_invalid",
    `The definition makes no contract${place}: ${first?.message ?? "it is not understood"}.`,
    { hint: first?.hint, findings },
  );
}
