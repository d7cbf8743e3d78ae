export {
  type Acceptance,
  type Acceptor,
  type AcceptorOptions,
  type AcceptorState,
  acceptsText,
  createAcceptor,
  type Rejection,
} from "./acceptor.ts";
export { type AnalyzeOptions, analyzeGrammar, grammarChecks } from "./analysis/analyze-grammar.ts";
export type { Check, CheckContext } from "./analysis/check.ts";
export {
  type Alternatives,
  type AnyCharacter,
  type BodyNode,
  type CharacterClass,
  type CharacterRange,
  type Grammar,
  type Group,
  type Item,
  type Literal,
  type Repetition,
  type Rule,
  type RuleReference,
  type Sequence,
  type TokenItem,
  toRuleTable,
} from "./ast.ts";
export {
  alternatives,
  anyCharacter,
  type ClassMember,
  characterClass,
  grammar,
  literal,
  optional,
  type Part,
  reference,
  repeat,
  rule,
  sequence,
} from "./build.ts";
export { checkGrammar } from "./check-grammar.ts";
export { foldBody, visitBody } from "./fold-body.ts";
export {
  type ParsedGrammar,
  type ParseOptions,
  parseGrammar,
  tryParseGrammar,
} from "./parse-grammar.ts";
export { printBody, printGrammar, printLiteral, printRule } from "./print-grammar.ts";
export { type SampleOptions, sampleGrammar } from "./sample.ts";
