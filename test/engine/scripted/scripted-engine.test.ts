import { describe, expect, it } from "vitest";
import type { Engine, GenerateOutcome, GenerateRequest } from "../../../src/engine/index.ts";
import { createScriptedEngine } from "../../../src/engine/scripted/index.ts";
import { createEngineSuite } from "../../../src/testing/index.ts";
import { IncipitError } from "../../../src/text/index.ts";

const request: GenerateRequest = {
  kind: "generate",
  messages: [
    {
      role: "user",
      spans: [{ text: "Hi.", trust: "untrusted", origin: { kind: "input", ref: "x" } }],
    },
  ],
  stableMessages: 0,
  constraint: null,
  sampling: { temperature: 0, seed: 0 },
  maxTokens: 10,
  stop: [],
};

async function say(engine: Engine, asked: GenerateRequest = request): Promise<GenerateOutcome> {
  let outcome: GenerateOutcome | null = null;
  for await (const event of engine.generate(asked)) {
    if (event.kind === "generate-end") outcome = event.outcome;
  }
  if (outcome === null) throw new Error("no outcome");
  return outcome;
}

describe("a scripted engine", () => {
  it("gives the replies of a list in order, then fails", async () => {
    const engine = createScriptedEngine({ replies: ["one", "two"] });
    expect((await say(engine)).text).toBe("one");
    expect((await say(engine)).text).toBe("two");
    await expect(say(engine)).rejects.toMatchObject({ code: "engine_script_ended" });
  });

  it("hands the request and its number to a function of replies", async () => {
    const replies = (asked: GenerateRequest, index: number): string =>
      `${index}: ${asked.messages[0]?.spans[0]?.text}`;
    const engine = createScriptedEngine({ replies });
    expect((await say(engine)).text).toBe("0: Hi.");
    expect((await say(engine)).text).toBe("1: Hi.");
  });

  it("remembers the requests that it was asked", async () => {
    const engine = createScriptedEngine({ replies: ["a"] });
    await say(engine);
    const scoring = {
      kind: "score",
      items: [{ prefix: { kind: "raw", text: "a" }, continuation: "b" }],
    } as const;
    await engine.score(scoring);
    expect(engine.requests).toEqual([request, scoring]);
  });

  it("counts a word with the white space before it as one token", async () => {
    const engine = createScriptedEngine({ replies: ["one  two\nthree "] });
    const outcome = await say(engine, { ...request, maxTokens: 2 });
    expect(outcome.text).toBe("one  two");
    expect(outcome.finishReason).toBe("length");
    expect(outcome.usage).toEqual({ inputTokens: 3, cachedInputTokens: 0, outputTokens: 2 });
  });

  it("fails with the scripted failure, after the text that the script puts before it", async () => {
    const error = new IncipitError("engine_failed", "The power is out.");
    const engine = createScriptedEngine({ replies: [{ kind: "fail", error, after: "so far" }] });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const event of engine.generate(request)) {
        if (event.kind === "text-delta") seen.push(event.text);
      }
    })();
    await expect(reading).rejects.toBe(error);
    expect(seen).toEqual(["so", " far"]);
  });

  it("scores by the function it is given", async () => {
    const scores = (_: unknown, index: number): number => -index - 0.5;
    const engine = createScriptedEngine({ replies: [], scores });
    const item = { prefix: { kind: "raw", text: "p" }, continuation: "two words" } as const;
    const outcome = await engine.score({ kind: "score", items: [item, item] });
    expect(outcome.scores).toEqual([
      { logLikelihood: -0.5, tokens: 2 },
      { logLikelihood: -1.5, tokens: 2 },
    ]);
  });

  it("finds a continuation likelier when its characters stand in the prefix", async () => {
    const engine = createScriptedEngine({ replies: [] });
    const prefix = { kind: "raw", text: "banana" } as const;
    const { scores } = await engine.score({
      kind: "score",
      items: [
        { prefix, continuation: "ana" },
        { prefix, continuation: "xyz" },
      ],
    });
    const [seen, unseen] = scores;
    expect(seen?.logLikelihood).toBeGreaterThan((unseen?.logLikelihood ?? 0) + 20);
  });
});

describe("the engine suite", () => {
  const failing = async (engine: () => Promise<Engine>): Promise<readonly string[]> => {
    const suite = createEngineSuite(engine, { rounds: 3 });
    const failed: string[] = [];
    for (const { name, run } of suite.cases) await run().catch(() => failed.push(name));
    return failed;
  };
  const text = "A cat met a dog in the garden and they talked until the sun was down again.";

  it("catches an engine whose answers change from call to call", async () => {
    let calls = 0;
    const replies = (): string => {
      calls += 1;
      return `${text} ${calls}`;
    };
    const failed = await failing(async () => createScriptedEngine({ replies }));
    expect(failed).toContain("the same request gives the same bytes, whatever was asked between");
  });

  it("catches an engine that claims a constraint and does not enforce it", async () => {
    const engine = createScriptedEngine({ replies: () => text, constraints: ["gbnf"] });
    expect(await failing(async () => engine)).toContain(
      "a constraint is enforced, or a warning says that it is not",
    );
  });

  it("catches an engine whose scores are not finite or depend on their neighbours", async () => {
    const infinite = createScriptedEngine({ replies: () => text, scores: () => -Infinity });
    expect(await failing(async () => infinite)).toContain(
      "continuations that nobody would expect have finite scores",
    );
    const scores = (_: unknown, index: number): number => -index - 1;
    const crowded = createScriptedEngine({ replies: () => text, scores });
    expect(await failing(async () => crowded)).toContain(
      "a score depends on its item and on nothing beside or before it",
    );
  });

  it("catches an engine that ignores stop texts, maxTokens, signals and closing", async () => {
    const inner = createScriptedEngine({ replies: () => text });
    const deaf: Engine = {
      ...inner,
      generate: (asked) => inner.generate({ ...asked, stop: [], maxTokens: 50 }),
      score: (asked) => inner.score(asked),
      close: async () => {},
    };
    const failed = await failing(async () => deaf);
    expect(failed).toContain("a stop text ends the text before it, also where tokens split it");
    expect(failed).toContain("maxTokens cuts the text and says so");
    expect(failed).toContain("a signal aborted before the call rejects it");
    expect(failed).toContain("a closed engine refuses every call, and closing twice is fine");
  });
});
