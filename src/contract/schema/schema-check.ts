import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import { type Finding, IncipitError, type Json } from "../../text/index.ts";
import type { CheckedOutput } from "../contract.ts";
import { findNode, type JsonNode, toJson } from "../json/json-node.ts";
import { parsePointer, toPointer } from "../json/json-pointer.ts";
import { maxFindings, readJson } from "../json/json-reader.ts";
import { toWholeExpression } from "../pattern/expression.ts";
import { matchesWhole } from "../pattern/match-expression.ts";
import { parsePattern } from "../pattern/parse-pattern.ts";
import { explainError } from "./explain-error.ts";
import { addUniqueItems } from "./unique-items.ts";

/** Checks a text: the strict JSON reader, then the schema. */
export type SchemaCheck = (text: string) => CheckedOutput;

/**
 * Makes the checker of a schema. The validator is compiled when it is first needed; it judges
 * every keyword, those that a grammar does not carry included, and counts lengths in code points.
 */
export function createSchemaCheck(schema: Json): SchemaCheck {
  let validateAll: ValidateFunction | null = null;
  let validateFirst: ValidateFunction | null = null;
  const toValidator = (text: string): ValidateFunction => {
    if (text.length <= longestForAll) {
      validateAll ??= compileSchema(schema, { allErrors: true });
      return validateAll;
    }
    validateFirst ??= compileSchema(schema, { allErrors: false });
    return validateFirst;
  };
  return (text) => {
    const read = readJson(text);
    if (read.kind === "unreadable") return { kind: "refused", findings: read.findings };
    const value = toJson(read.node);
    const validate = toValidator(text);
    const findings = [...read.findings, ...findOverflow(read.node)];
    if (validate(value) !== true) findings.push(...toFindings(validate.errors ?? [], read.node));
    if (findings.length === 0) return { kind: "accepted", value, warnings: [] };
    return { kind: "refused", findings: findings.slice(0, maxFindings) };
  };
}

/** In a longer text the first fault is enough: a million wrong items would be a million errors. */
const longestForAll = 100_000;

function compileSchema(schema: Json, options: { allErrors: boolean }): ValidateFunction {
  // The schema has been read keyword by keyword; `$schema` may name a draft that is not loaded.
  const { $schema: _, ...rest } = schema as { readonly [keyword: string]: Json };
  const ajv = new Ajv2020({
    ...options,
    verbose: true,
    strict: false,
    logger: false,
    ownProperties: true,
    validateSchema: false,
    code: { regExp: createPatternEngine() },
  });
  addUniqueItems(ajv);
  try {
    return ajv.compile(rest);
  } catch (cause) {
    // To stop at the first fault it nests its code once for every key, too deep for thousands.
    if (!options.allErrors) return compileSchema(schema, { allErrors: true });
    const message = "The schema cannot be compiled to a checker.";
    throw new IncipitError("contract_invalid", message, { cause });
  }
}

/** Patterns as the grammar has them, in a form that no text can make slow. */
function createPatternEngine(): RegExpEngine {
  const engine = (pattern: string): RegExpLike => {
    const parsed = parsePattern(pattern);
    const whole = parsed.kind === "parsed" ? toWholeExpression(parsed.expression) : null;
    if (whole === null) throw new Error(`the pattern ${pattern} was refused before`);
    // The validator keeps one matcher for each text that `toString` gives.
    return { test: (text) => matchesWhole(whole, text), toString: () => pattern };
  };
  return Object.assign(engine, { code: "patternEngine" });
}

type RegExpEngine = NonNullable<NonNullable<Options["code"]>["regExp"]>;
type RegExpLike = ReturnType<RegExpEngine> & { toString(): string };

/** Faults that ask for a reinforcement of their own have a code of their own. */
function toCode(keyword: string): string {
  if (keyword === "uniqueItems") return "contract_repeated_item";
  if (keyword === "minItems" || keyword === "maxItems") return "contract_item_count";
  return "contract_schema";
}

/** One finding for each fault; what the branches of an alternative say is folded into one. */
function toFindings(errors: readonly ErrorObject[], root: JsonNode): readonly Finding[] {
  const folds = new Set(
    errors
      .filter(({ keyword }) => keyword === "oneOf" || keyword === "anyOf")
      .map(({ instancePath, schemaPath }) => `${instancePath} ${schemaPath}`),
  );
  return errors
    .filter(({ instancePath, schemaPath }) => {
      // The path of a branch's own error: `…/oneOf/3/const`.
      const alternative = schemaPath.replace(/\/\d+\/const$/, "");
      return alternative === schemaPath || !folds.has(`${instancePath} ${alternative}`);
    })
    .slice(0, maxFindings)
    .map((error): Finding => {
      const { message, hint } = explainError(error);
      const { start, end } = findNode(root, parsePointer(error.instancePath) ?? []);
      return {
        code: toCode(error.keyword),
        severity: "error",
        message,
        span: { path: "output", start, end },
        path: error.instancePath,
        hint,
      };
    });
}

/** Whether a number comes out as it was written: finite, and a whole number to its last digit. */
function isKept(spelling: string): boolean {
  const number = Number(spelling);
  return /^-?\d+$/.test(spelling) ? Number.isSafeInteger(number) : Number.isFinite(number);
}

/** Numbers too large for a double: they would come out changed or infinite. */
function findOverflow(root: JsonNode): readonly Finding[] {
  const findings: Finding[] = [];
  const visit = (node: JsonNode, path: string): void => {
    if (node.kind === "array") {
      node.items.forEach((item, index) => {
        visit(item, `${path}/${index}`);
      });
    } else if (node.kind === "object") {
      for (const { key, value } of node.members) {
        visit(value, path + toPointer([key]));
      }
    } else if (node.kind === "number" && !isKept(node.spelling)) {
      const { start, end } = node;
      findings.push({
        code: "contract_number_range",
        severity: "error",
        message: `The number ${node.spelling.slice(0, 40)} is too large.`,
        span: { path: "output", start, end },
        path,
        hint: "write a smaller number",
      });
    }
  };
  visit(root, "");
  return findings;
}
