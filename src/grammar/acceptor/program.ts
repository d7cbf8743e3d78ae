import { type BodyNode, type CharacterRange, type Grammar, toRuleTable } from "../ast.ts";
import { toAppliedBounds } from "../bounds.ts";
import { isTextCharacter } from "../characters.ts";
import { foldBody, visitBody } from "../fold-body.ts";
import { requireTextGrammar } from "../text-grammar.ts";
import { type Alphabet, type ClassSets, createAlphabet, createClassSets } from "./alphabet.ts";
import { createToStart, joinStarts, type Start, toRanges } from "./start.ts";

/** Steps one after the other; `starts[i]` is the start of all from the i-th on. */
export interface Steps extends Start {
  readonly kind: "steps";
  readonly id: number;
  readonly steps: readonly Step[];
  readonly starts: readonly Start[];
}

/** Characters to be read one after the other; class -1 is of no character. */
export interface TextStep extends Start {
  readonly kind: "text";
  readonly id: number;
  readonly codePoints: readonly number[];
  readonly classes: readonly number[];
}

/** One character of the first set to be read. */
export interface SetStep extends Start {
  readonly kind: "set";
  readonly node: BodyNode;
}

/** A rule to be matched. */
interface CallStep extends Start {
  readonly kind: "call";
  readonly routine: Routine;
}

/** One of several branches to be matched. */
interface ChoiceStep extends Start {
  readonly kind: "choice";
  readonly branches: readonly Steps[];
}

/** A step to be repeated. */
export interface LoopStep extends Start {
  readonly kind: "loop";
  readonly id: number;
  readonly step: Step;
  readonly min: number;
  readonly max: number | null;
}

export type Step = TextStep | SetStep | CallStep | ChoiceStep | LoopStep;

/** A rule, ready to be run. */
export interface Routine {
  readonly name: string;
  branches: readonly Steps[];
}

/** A grammar, ready to be run. */
export interface Program {
  readonly alphabet: Alphabet;
  readonly sets: ClassSets;
  readonly root: Routine;
}

/** Compiles a grammar. Throws where it has no start rule, an undefined one, or a token. */
export function compileGrammar(grammar: Grammar, root: string): Program {
  requireTextGrammar(grammar, root);
  const table = toRuleTable(grammar);
  const ranges: CharacterRange[] = [];
  for (const { body } of table.values()) {
    visitBody(body, (node) => {
      for (const range of toRanges(node)) ranges.push(range);
    });
  }
  const alphabet = createAlphabet(ranges);
  const sets = createClassSets(alphabet);
  const toStart = createToStart(grammar, sets);
  const routines = new Map<string, Routine>();
  for (const name of table.keys()) routines.set(name, { name, branches: [] });
  const toRoutine = (name: string): Routine => routines.get(name) ?? { name, branches: [] };

  let id = 0;
  const toPart = (node: BodyNode, parts: readonly Part[]): Part => {
    id += 1;
    const start = toStart(node, parts);
    switch (node.kind) {
      case "alternatives":
        return { kind: "branches", ...start, branches: parts.filter(isSteps) };
      case "sequence": {
        const steps = parts.filter(isStep);
        return { kind: "steps", ...start, id, steps, starts: toSuffixStarts(steps, sets) };
      }
      case "group":
        return { kind: "choice", ...start, branches: toBranches(parts[0]) };
      case "repetition": {
        const step = parts.find(isStep);
        if (step === undefined) throw new TypeError("A repetition has an item.");
        return { kind: "loop", ...start, id, step, ...toAppliedBounds(node) };
      }
      case "rule-reference":
        return { kind: "call", ...start, routine: toRoutine(node.name) };
      case "literal": {
        const { codePoints } = node;
        const classes = codePoints.map((point) =>
          isTextCharacter(point) ? alphabet.toClass(point) : -1,
        );
        return { kind: "text", ...start, id, codePoints, classes };
      }
      default:
        return { kind: "set", ...start, node };
    }
  };
  for (const { name, body } of table.values()) {
    toRoutine(name).branches = toBranches(foldBody<Part>(body, toPart));
  }
  return { alphabet, sets, root: toRoutine(root) };
}

interface Branches extends Start {
  readonly kind: "branches";
  readonly branches: readonly Steps[];
}

type Part = Step | Steps | Branches;

function isSteps(part: Part): part is Steps {
  return part.kind === "steps";
}

function isStep(part: Part): part is Step {
  return part.kind !== "steps" && part.kind !== "branches";
}

function toBranches(part: Part | undefined): readonly Steps[] {
  return part?.kind === "branches" ? part.branches : [];
}

function toSuffixStarts(steps: readonly Step[], sets: ClassSets): readonly Start[] {
  let rest: Start = { first: sets.empty, isNullable: true };
  const starts = [rest];
  for (const step of steps.toReversed()) {
    rest = joinStarts(step, rest, sets);
    starts.push(rest);
  }
  return starts.reverse();
}
