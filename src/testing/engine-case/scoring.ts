import {
  deepEqual,
  type EngineScript,
  equal,
  expectFailure,
  ok,
  toMessage,
  toScoreRequest,
} from "./script.ts";

const pairs = [
  ["A note about an animal:", " The cat sleeps on the sofa."],
  ["A note about an animal:", " The cat sleeps in the garden."],
  ["A note about money:", " The cat sleeps on the sofa."],
  ["A note about an animal:", " q"],
] as const;

/** What every engine that scores promises; one that does not must say so. */
export const scoringCases: readonly EngineScript[] = [
  {
    name: "score gives one finite number per item, in order, or engine_cannot_score",
    async script({ shared }) {
      const engine = await shared();
      if (!engine.capabilities.score) {
        await expectFailure("engine_cannot_score", () => engine.score(toScoreRequest(...pairs)));
        return;
      }
      const outcome = await engine.score(toScoreRequest(...pairs));
      equal(outcome.kind, "scored");
      equal(outcome.scores.length, pairs.length);
      ok(outcome.tolerance >= 0 && outcome.tolerance < 1, "the tolerance is a few tenths at most");
      for (const [index, { logLikelihood, tokens }] of outcome.scores.entries()) {
        ok(Number.isFinite(logLikelihood) && logLikelihood <= 0, `score ${index} is finite`);
        ok(tokens >= 1, `item ${index} has tokens`);
      }
      const backwards = await engine.score(toScoreRequest(...[...pairs].reverse()));
      deepEqual([...backwards.scores].reverse(), outcome.scores);
      deepEqual((await engine.score(toScoreRequest())).scores, []);
    },
  },
  {
    name: "a score depends on its item and on nothing beside or before it",
    async script({ shared }) {
      const engine = await shared();
      if (!engine.capabilities.score) return;
      const together = await engine.score(toScoreRequest(...pairs, ...pairs));
      const alone = [];
      for (const pair of [...pairs, ...pairs]) {
        alone.push(...(await engine.score(toScoreRequest(pair))).scores);
      }
      deepEqual(together.scores, alone);
    },
  },
  {
    name: "continuations that nobody would expect have finite scores",
    async script({ shared }) {
      const engine = await shared();
      if (!engine.capabilities.score) return;
      const strange = [
        "\u0000\u0001",
        "🐖🐖🐖",
        "</s><|im_end|>",
        "ꙮ㐂\u{10FFFF}",
        " the".repeat(9),
      ];
      const items = strange.map((text) => ["The sky is", text] as const);
      for (const { logLikelihood } of (await engine.score(toScoreRequest(...items))).scores) {
        ok(Number.isFinite(logLikelihood) && logLikelihood < 0, `${logLikelihood} is finite`);
      }
    },
  },
  {
    name: "a prefix may be messages",
    async script({ shared }) {
      const engine = await shared();
      if (!engine.capabilities.score) return;
      const messages = [toMessage("user", "Which animal barks?")];
      const { scores } = await engine.score({
        kind: "score",
        items: ["A dog barks.", "Umbrella seven of."].map((continuation) => ({
          prefix: { kind: "messages", messages },
          continuation,
        })),
      });
      ok(scores.every(({ logLikelihood }) => Number.isFinite(logLikelihood)));
    },
  },
  {
    name: "an empty continuation is refused",
    async script({ shared }) {
      const engine = await shared();
      if (!engine.capabilities.score) return;
      const request = toScoreRequest(["A note:", ""]);
      await expectFailure("engine_invalid_request", () => engine.score(request));
    },
  },
];
