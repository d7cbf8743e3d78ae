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
    name: "two calls at once give the bytes and the scores that they give one after the other",
    async script({ shared, rounds }) {
      const engine = await shared();
      const settings = {
        maxTokens: 8,
        stableMessages: 2,
        sampling: { temperature: 0.8, seed: 3 },
      };
      const write = (user: string): (() => Promise<unknown>) => {
        return async () => (await generate(engine, toRequest(user, settings))).text;
      };
      const scoring = toScoreRequest(["A note about a cat:", " It sleeps."]);
      const score = async (): Promise<unknown> => (await engine.score(scoring)).scores;
      const calls = engine.capabilities.score
        ? [write(question), score, write("Count some birds.")]
        : [write(question), write("Count some birds.")];
      const alone: unknown[] = [];
      for (const call of calls) alone.push(await call());
      for (let round = 0; round < rounds; round += 1) {
        const pair = [round % calls.length, (round + 1) % calls.length];
        const together = await Promise.all(pair.map((index) => calls[index]?.()));
        deepEqual(
          together,
          pair.map((index) => alone[index]),
        );
      }
    },
  },
];
