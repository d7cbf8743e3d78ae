import { type Finding, IncipitError } from "../text/index.ts";
import type { Contract } from "./contract.ts";

/** A contract, or null and the reasons; beside a contract no finding is an error. */
export interface TriedContract {
  readonly contract: Contract | null;
  readonly findings: readonly Finding[];
}

/** No contract, because a part of the definition has a wrong value. */
export function refuseDefinition(path: string, message: string, hint: string): TriedContract {
  const code = "contract_schema_value";
  return { contract: null, findings: [{ code, severity: "error", message, path, hint }] };
}

/** The contract, or the failure `contract_invalid` with the findings. */
export function requireContract({ contract, findings }: TriedContract): Contract {
  if (contract !== null) return contract;
  const first = findings.find(({ severity }) => severity === "error");
  const place = first?.path === undefined || first.path === "" ? "" : ` at ${first.path}`;
  throw new IncipitError(
    "contract_invalid",
    `The definition makes no contract${place}: ${first?.message ?? "It is not understood."}`,
    { hint: first?.hint, findings },
  );
}
