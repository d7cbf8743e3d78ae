import { digestParts, type Finding } from "../text/index.ts";
import type { CheckedOutput, Contract } from "./contract.ts";
import { quoteAny } from "./json/quote.ts";
import { refuseNonText } from "./refuse-non-text.ts";
import { plural, printBounds } from "./schema/explain-error.ts";
import { refuseDefinition, requireContract, type TriedContract } from "./tried-contract.ts";

/** Bounds of a text, in code points. */
export interface TextContractOptions {
  /** 0 allows an empty or blank text; without it a text must have a visible character. */
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
}

/** Makes the contract of a plain text; throws `contract_invalid` on wrong bounds. */
export function textContract(options: TextContractOptions = {}): Contract {
  return requireContract(tryTextContract(options));
}

/** Makes the contract of a plain text, or collects why not. */
export function tryTextContract(options: TextContractOptions = {}): TriedContract {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    const message = `The bounds of the text are ${quoteAny(options)} where an object was expected.`;
    return refuseDefinition("", message, 'give an object with "minLength", "maxLength" or neither');
  }
  const { minLength = null, maxLength = null } = options;
  const findings = [
    ...checkCount("minLength", minLength),
    ...checkCount("maxLength", maxLength),
    ...(minLength !== null && maxLength !== null && minLength > maxLength
      ? [
          report("contract_unsatisfiable", "/minLength", {
            message: `"minLength" is ${minLength} and "maxLength" is ${maxLength}.`,
            hint: "loosen one of the two",
          }),
        ]
      : []),
  ];
  if (findings.length > 0) return { contract: null, findings };
  const bounds = {
    ...(minLength === null ? {} : { minLength }),
    ...(maxLength === null ? {} : { maxLength }),
  };
  const contract: Contract = {
    kind: "text",
    digest: digestParts("contract/1", ["text", JSON.stringify(bounds)]),
    toGrammar: () => null,
    toJsonSchema: () => ({ type: "string", ...bounds }),
    check: (text) => checkText(text, minLength, maxLength),
    // A text cut short lost what stood after the cut: that is no success.
    repair: () => null,
    describe: () => describeText(minLength, maxLength),
    toType: () => "string",
    notCarried: [
      ...(minLength === 0
        ? []
        : [{ pointer: "", reason: "no grammar is used, so a blank text is refused afterwards" }]),
      ...Object.keys(bounds)
        .filter((keyword) => keyword === "maxLength" || minLength !== 0)
        .map((keyword) => ({
          pointer: `/${keyword}`,
          reason: "no grammar is used, so the length is judged afterwards",
        })),
    ],
  };
  return { contract, findings };
}

/** Whether a text has no visible character: only white space, controls and invisible marks. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

function checkText(
  text: string,
  minLength: number | null,
  maxLength: number | null,
): CheckedOutput {
  const refusal = refuseNonText(text);
  if (refusal !== null) return refusal;
  const lone = /\p{Surrogate}/u.exec(text);
  if (lone !== null) {
    const hint = "write well-formed text";
    const finding = report("contract_lone_surrogate", "", {
      message: "A lone surrogate stands in the text.",
      hint,
    });
    const span = { path: "output", start: lone.index, end: lone.index + 1 };
    return { kind: "refused", findings: [{ ...finding, span }] };
  }
  const length = countCodePoints(text);
  const isShort = minLength !== null && length < minLength;
  if (isShort || (maxLength !== null && length > maxLength)) {
    const wanted = printBounds(minLength, maxLength, "character");
    const message = `The text has ${plural(length, "character")}.`;
    const hint = `write ${wanted}`;
    return { kind: "refused", findings: [report("contract_text_length", "", { message, hint })] };
  }
  if (minLength !== 0 && isBlank(text)) {
    const words = { message: "The text is blank.", hint: "write the text" };
    return { kind: "refused", findings: [report("contract_text_blank", "", words)] };
  }
  return { kind: "accepted", value: text, warnings: [] };
}

function describeText(minLength: number | null, maxLength: number | null): string {
  const min = minLength === 0 ? null : minLength;
  const bounds =
    min === null && maxLength === null ? "" : `, ${printBounds(min, maxLength, "character")}`;
  return `Write the text alone${bounds}: no title, no comment, no quotation marks around it.`;
}

/** Code points without a copy of the text: pairs count once. */
function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function checkCount(keyword: string, value: unknown): readonly Finding[] {
  if (value === null || (typeof value === "number" && Number.isSafeInteger(value) && value >= 0)) {
    return [];
  }
  const message = `The value of "${keyword}" is ${quoteAny(value)}.`;
  const hint = "give a whole number, 0 or more";
  return [report("contract_schema_value", `/${keyword}`, { message, hint })];
}

function report(
  code: string,
  path: string,
  words: { readonly message: string; readonly hint: string },
): Finding {
  return { code, severity: "error", ...words, path };
}
