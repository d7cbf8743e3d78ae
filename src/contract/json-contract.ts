import { printGrammar } from "../grammar/index.ts";
import { digestParts, type Json, printCanonicalJson } from "../text/index.ts";
import type { CheckedOutput, Contract } from "./contract.ts";
import { repairArray } from "./json/repair-array.ts";
import { describeShape } from "./schema/describe-shape.ts";
import { orderMembers } from "./schema/order-members.ts";
import { readSchema } from "./schema/read-schema.ts";
import { createSchemaCheck } from "./schema/schema-check.ts";
import { toShapeGrammar } from "./schema/shape-grammar.ts";
import { toShapeType } from "./schema/shape-type.ts";
import { requireContract, type TriedContract } from "./tried-contract.ts";

/** Makes a contract from a JSON Schema; throws `contract_invalid` with the findings. */
export function jsonContract(schema: Json): Contract {
  return requireContract(tryJsonContract(schema));
}

/** Makes a contract from a JSON Schema, or collects why not. */
export function tryJsonContract(schema: Json): TriedContract {
  const own = copyJson(schema);
  if (own === undefined) {
    const message = "the schema is not JSON: it is undefined or contains itself";
    const hint = "give a JSON value";
    return {
      contract: null,
      findings: [{ code: "contract_schema_value", severity: "error", message, path: "", hint }],
    };
  }
  const { shape, findings, notCarried } = readSchema(own);
  if (shape === null) return { contract: null, findings };
  const checkSchema = createSchemaCheck(own);
  const check = (text: string): CheckedOutput => {
    const checked = checkSchema(text);
    if (checked.kind === "refused") return checked;
    return { ...checked, value: orderMembers(shape, checked.value) };
  };
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
    repair: (text) => repairArray(text, check),
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
