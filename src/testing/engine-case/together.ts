import {
  deepEqual,
  type EngineScript,
  generate,
  question,
  toRequest,
  toScoreRequest,
} from "./script.ts";

/** What every engine promises of calls made at once. */
export const togetherCases: readonly EngineScript[] = [
  {
    name: "two generations at once give the bytes that they give one after the other",
    async script({ shared, rounds }) {
      const engine = await shared();
      const settings = { maxTokens: 8, sampling: { temperature: 0.8, seed: 3 } };
      const requests = [toRequest(question, settings), toRequest("Count some birds.", settings)];
      const alone: string[] = [];
      for (const request of requests) alone.push((await generate(engine, request)).text);
      for (let round = 0; round < rounds; round += 1) {
        const together = await Promise.all(requests.map((request) => generate(engine, request)));
        deepEqual(
          together.map(({ text }) => text),
          alone,
        );
      }
    },
  },
  {
    name: "a score and a generation at once give what they give one after the other",
    async script({ shared, rounds }) {
      const engine = await shared();
      if (!engine.capabilities.score) return;
      const request = toRequest(question, { maxTokens: 4 });
      const scoring = toScoreRequest(
        ["A note about a cat:", " It sleeps."],
        ["A cat:", " It eats."],
      );
      const { text } = await generate(engine, request);
      const { scores } = await engine.score(scoring);
      for (let round = 0; round < rounds; round += 1) {
        const [generated, one, other] = await Promise.all([
          generate(engine, request),
          engine.score(scoring),
          engine.score(scoring),
        ]);
        deepEqual([generated.text, one.scores, other.scores], [text, scores, scores]);
      }
    },
  },
];
