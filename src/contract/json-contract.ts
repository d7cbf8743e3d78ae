import { printGrammar } from "../grammar/index.ts";
import { digestParts, type Json, printCanonicalJson } from "../text/index.ts";
import type { CheckedOutput, Contract } from "./contract.ts";
import { refuseNonText } from "./refuse-non-text.ts";
import { describeShape } from "./schema/describe-shape.ts";
import { orderMembers } from "./schema/order-members.ts";
import { readSchema } from "./schema/read-schema.ts";
import { repairArray } from "./schema/repair-array.ts";
import { createSchemaCheck, type SchemaCheck } from "./schema/schema-check.ts";
import { toShapeGrammar } from "./schema/shape-grammar.ts";
import { toShapeType } from "./schema/shape-type.ts";
import { refuseDefinition, requireContract, type TriedContract } from "./tried-contract.ts";

/** Makes a contract from a JSON Schema; throws `contract_invalid` with the findings. */
export function jsonContract(schema: Json): Contract {
  return requireContract(tryJsonContract(schema));
}

/** Makes a contract from a JSON Schema, or collects why not. */
export function tryJsonContract(schema: Json): TriedContract {
  const own = copyJson(schema);
  if (own === undefined) {
    const message = "The schema is no JSON value.";
    const hint = "give JSON that does not contain itself and does not nest without end";
    return refuseDefinition("", message, hint);
  }
  const { shape, findings, notCarried } = readSchema(own);
  if (shape === null) return { contract: null, findings };
  const checkSchema = createSchemaCheck(own);
  const check = (text: string): CheckedOutput => {
    const refusal = refuseNonText(text);
    if (refusal !== null) return refusal;
    const checked = checkSchema(text);
    if (checked.kind === "refused") return checked;
    return { ...checked, value: orderMembers(shape, checked.value) };
  };
  let checkItem: SchemaCheck | null = null;
  let grammar: string | null = null;
  const contract: Contract = {
    kind: "json",
    digest: digestParts("contract/1", [printCanonicalJson(own)]),
    toGrammar() {
      grammar ??= printGrammar(toShapeGrammar(shape));
      return grammar;
    },
    toJsonSchema: () => own,
    check,
    repair(text) {
      if (check(text).kind === "accepted") return text;
      if (shape.kind !== "array" || typeof text !== "string") return null;
      checkItem ??= createSchemaCheck((own as { readonly items: Json }).items);
      return repairArray(text, shape, { check, checkItem });
    },
    describe: () => describeShape(shape),
    toType: () => toShapeType(shape),
    notCarried,
  };
  return { contract, findings };
}

/** A frozen copy, so that a caller's later change reaches no face; undefined when it is no JSON. */
function copyJson(value: Json): Json | undefined {
  try {
    return JSON.parse(JSON.stringify(value), (_key, member: unknown) => Object.freeze(member));
  } catch {
    return undefined;
  }
}
