import { foldBody, type Grammar, toRuleTable } from "../../src/grammar/index.ts";

/**
 * All texts over an alphabet, up to a length, that a grammar matches: by the meaning of the
 * constructs alone, as sets that grow until they hold. Slow, and independent of the acceptor.
 */
export function enumerateTexts(
  grammar: Grammar,
  alphabet: string,
  longest: number,
): ReadonlySet<string> {
  const rules = toRuleTable(grammar);
  const languages = new Map<string, ReadonlySet<string>>();
  const join = (heads: ReadonlySet<string>, tails: ReadonlySet<string>): ReadonlySet<string> =>
    new Set([...heads].flatMap((head) => [...tails].map((tail) => head + tail)).filter(isShort));
  const isShort = (text: string): boolean => text.length <= longest;
  for (let size = -1; ; ) {
    for (const { name, body } of rules.values()) {
      const language = foldBody<ReadonlySet<string>>(body, (node, parts) => {
        switch (node.kind) {
          case "alternatives":
            return new Set(parts.flatMap((part) => [...part]));
          case "sequence":
            return parts.reduce(join, new Set([""]));
          case "group":
            return parts[0] ?? new Set();
          case "repetition": {
            const item = parts[0] ?? new Set();
            let rounds: ReadonlySet<string> = new Set([""]);
            for (let round = 0; round < node.min; round += 1) rounds = join(rounds, item);
            const all = new Set(rounds);
            // Beyond the length in rounds only the empty text can still come, and adds nothing.
            const extra = Math.min((node.max ?? Number.POSITIVE_INFINITY) - node.min, longest);
            for (let round = 0; round < extra; round += 1) {
              rounds = join(rounds, item);
              for (const text of rounds) all.add(text);
            }
            return all;
          }
          case "rule-reference":
            return languages.get(node.name) ?? new Set();
          case "literal":
            return new Set([String.fromCodePoint(...node.codePoints)].filter(isShort));
          case "any-character":
            return new Set(alphabet);
          case "character-class": {
            const isMember = (character: string): boolean =>
              node.ranges.some(([from, to]) => {
                const codePoint = character.codePointAt(0) ?? 0;
                return codePoint >= from && codePoint <= to;
              });
            return new Set([...alphabet].filter((one) => isMember(one) !== node.negated));
          }
          case "token":
            return new Set();
        }
      });
      languages.set(name, language);
    }
    const total = [...languages.values()].reduce((sum, language) => sum + language.size, 0);
    if (total === size) return languages.get("root") ?? new Set();
    size = total;
  }
}

/** All texts over an alphabet, up to a length. */
export function listTexts(alphabet: string, longest: number): readonly string[] {
  let last = [""];
  const all = [""];
  for (let length = 1; length <= longest; length += 1) {
    last = last.flatMap((text) => Array.from(alphabet, (character) => text + character));
    all.push(...last);
  }
  return all;
}
