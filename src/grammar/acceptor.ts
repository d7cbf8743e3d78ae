import { endOfText, hasClass } from "./acceptor/alphabet.ts";
import { type Configuration, createMachine, type Terminal } from "./acceptor/machine.ts";
import { compileGrammar } from "./acceptor/program.ts";
import type { Grammar } from "./ast.ts";
import { printBody, printLiteral } from "./print-grammar.ts";

/** Tells which texts a grammar matches, character by character. */
export interface Acceptor {
  /** The state before the first character. */
  start(): AcceptorState;
}

/** What was accepted so far. A state never changes, so any number of texts can go on from it. */
export interface AcceptorState {
  readonly kind: "accepting";
  /** UTF-16 units accepted so far. */
  readonly position: number;
  /** The text may end here. */
  readonly isComplete: boolean;
  /** Goes on with more text, cut anywhere, even within a surrogate pair. */
  accept(text: string): AcceptorState | Rejection;
  /** What may come next, each as a literal, a class or a dot of GBNF. */
  expected(): readonly string[];
}

/** The text cannot go on to match. */
export interface Rejection {
  readonly kind: "rejected";
  /** UTF-16 offset, from the start of everything, of the first character that does not fit. */
  readonly position: number;
  /** What would have fitted there. */
  readonly expected: readonly string[];
  /** The text might have ended there. */
  readonly wasComplete: boolean;
}

export interface AcceptorOptions {
  /** Name of the start rule; `root` when left out. */
  readonly root?: string;
}

/**
 * Makes an acceptor. It matches by code point as llama.cpp does, left-recursive rules included,
 * and a lone surrogate counts as U+FFFD. Throws `grammar_missing_root`, `grammar_undefined_rule`,
 * or `grammar_token_unsupported`.
 */
export function createAcceptor(grammar: Grammar, options: AcceptorOptions = {}): Acceptor {
  const program = compileGrammar(grammar, options.root ?? "root");
  const { toClass } = program.alphabet;
  const machine = createMachine(program);

  const toExpected = (configuration: Configuration): readonly string[] => [
    ...new Set(machine.toTerminals(configuration).map(printTerminal)),
  ];

  const toState = (
    configuration: Configuration,
    position: number,
    /** The first half of a surrogate pair, or nothing. */
    half: string,
  ): AcceptorState => ({
    kind: "accepting",
    position: position + half.length,
    isComplete: half === "" && hasClass(configuration.first, endOfText),
    expected: () => toExpected(configuration),
    accept(text) {
      const whole = half + text;
      let current = configuration;
      for (let at = 0; at < whole.length; ) {
        let codePoint = whole.codePointAt(at) ?? 0;
        const isHalf = codePoint >= 0xd800 && codePoint <= 0xdfff;
        if (isHalf && codePoint <= 0xdbff && at + 1 === whole.length) {
          return toState(current, position + at, whole.slice(at));
        }
        if (isHalf) codePoint = 0xfffd;
        const next = machine.advance(current, toClass(codePoint));
        if (next === null) {
          return {
            kind: "rejected",
            position: position + at,
            expected: toExpected(current),
            wasComplete: hasClass(current.first, endOfText),
          };
        }
        current = next;
        at += codePoint > 0xffff ? 2 : 1;
      }
      return toState(current, position + whole.length, "");
    },
  });

  const start = toState(machine.start, 0, "");
  return { start: () => start };
}

/** Whether a text matches. */
export interface Acceptance {
  readonly accepted: boolean;
  /** Where the text stopped fitting; its length when it fits, or only ends too early. */
  readonly position: number;
}

/** Tells whether a grammar matches a whole text. */
export function acceptsText(
  grammar: Grammar,
  text: string,
  options: AcceptorOptions = {},
): Acceptance {
  const whole = text.replace(/\p{Surrogate}/gu, "\ufffd");
  const state = createAcceptor(grammar, options).start().accept(whole);
  if (state.kind === "rejected") return { accepted: false, position: state.position };
  return { accepted: state.isComplete, position: state.position };
}

function printTerminal(terminal: Terminal): string {
  if (terminal.kind === "set") return printBody(terminal.step.node);
  return printLiteral(terminal.codePoints);
}
