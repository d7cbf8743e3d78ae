export type { CheckedOutput, Contract, NotCarried } from "./contract.ts";
export { type ContractDefinition, toContract, tryContract } from "./definition.ts";
export type { JsonMember, JsonNode } from "./json/json-node.ts";
export { getAt, parsePointer, toPointer } from "./json/json-pointer.ts";
export { type ReadJson, type ReadJsonOptions, readJson } from "./json/json-reader.ts";
export { jsonContract, tryJsonContract } from "./json-contract.ts";
export {
  isBlank,
  type TextContractOptions,
  textContract,
  tryTextContract,
} from "./text-contract.ts";
export type { TriedContract } from "./tried-contract.ts";
