import { type Json, toHint } from "../text/index.ts";
import type { Contract } from "./contract.ts";
import { quoteAny } from "./json/quote.ts";
import { tryJsonContract } from "./json-contract.ts";
import { tryTextContract } from "./text-contract.ts";
import { refuseDefinition, requireContract, type TriedContract } from "./tried-contract.ts";

/** A contract as a task file writes it. */
export type ContractDefinition =
  | { readonly kind: "json"; readonly schema: Json }
  | {
      readonly kind: "text";
      readonly minLength?: number | undefined;
      readonly maxLength?: number | undefined;
    };

const kinds = ["json", "text"];

/** Makes the contract of a definition, or collects why not. */
export function tryContract(definition: ContractDefinition): TriedContract {
  if (typeof definition !== "object" || definition === null) {
    const message = `The definition is ${quoteAny(definition)} where an object was expected.`;
    return refuseDefinition("", message, 'give an object with the "kind" json or text');
  }
  switch (definition.kind) {
    case "json":
      return tryJsonContract(definition.schema);
    case "text":
      return tryTextContract(definition);
    default: {
      const { kind } = definition as { readonly kind?: unknown };
      const message = `The value of "kind" is ${quoteAny(kind)}.`;
      const hint = toHint(typeof kind === "string" ? kind : "", kinds);
      return refuseDefinition("/kind", message, hint);
    }
  }
}

/** Makes the contract of a definition; throws `contract_invalid` with the findings. */
export function toContract(definition: ContractDefinition): Contract {
  return requireContract(tryContract(definition));
}
