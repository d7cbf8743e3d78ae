import type { Json } from "../text/index.ts";
import type { Contract } from "./contract.ts";
import { tryJsonContract } from "./json-contract.ts";
import { tryTextContract } from "./text-contract.ts";
import { requireContract, type TriedContract } from "./tried-contract.ts";

/** A contract as a task file writes it. */
export type ContractDefinition =
  | { readonly kind: "json"; readonly schema: Json }
  | {
      readonly kind: "text";
      readonly minLength?: number | undefined;
      readonly maxLength?: number | undefined;
    };

/** Makes the contract of a definition, or collects why not. */
export function tryContract(definition: ContractDefinition): TriedContract {
  return definition.kind === "json"
    ? tryJsonContract(definition.schema)
    : tryTextContract(definition);
}

/** Makes the contract of a definition; throws `contract_invalid` with the findings. */
export function toContract(definition: ContractDefinition): Contract {
  return requireContract(tryContract(definition));
}
