import {
  type EngineScript,
  equal,
  expectFailure,
  generate,
  ok,
  question,
  toRequest,
  toScoreRequest,
} from "./script.ts";

/** What every engine promises when a call or the engine itself is ended early. */
export const endingCases: readonly EngineScript[] = [
  {
    name: "a signal aborted before the call rejects it",
    async script({ shared }) {
      const engine = await shared();
      const options = { signal: AbortSignal.abort() };
      await expectFailure("engine_aborted", () => generate(engine, toRequest(question), options));
      if (!engine.capabilities.score) return;
      const request = toScoreRequest(["A note:", " cat"]);
      await expectFailure("engine_aborted", () => engine.score(request, options));
    },
  },
  {
    name: "a signal aborted while it runs rejects the call, and the next one is whole",
    async script({ shared }) {
      const engine = await shared();
      const before = await generate(engine, toRequest(question));
      const controller = new AbortController();
      let deltas = 0;
      await expectFailure("engine_aborted", async () => {
        for await (const _ of engine.generate(toRequest(question), controller)) {
          deltas += 1;
          controller.abort();
        }
      });
      ok(deltas >= 1, "the abort came after a delta");
      equal((await generate(engine, toRequest(question))).text, before.text);
    },
  },
  {
    name: "a reader that leaves early ends the generation",
    async script({ shared }) {
      const engine = await shared();
      const before = await generate(engine, toRequest(question));
      for await (const _ of engine.generate(toRequest(question))) break;
      equal((await generate(engine, toRequest(question))).text, before.text);
    },
  },
  {
    name: "a call aborted while another runs does not disturb it",
    async script({ shared }) {
      const engine = await shared();
      const alone = await generate(engine, toRequest(question));
      const controller = new AbortController();
      const running = generate(engine, toRequest(question));
      const aborted = expectFailure("engine_aborted", async () => {
        const waiting = generate(engine, toRequest(question), controller);
        controller.abort();
        await waiting;
      });
      await aborted;
      equal((await running).text, alone.text);
    },
  },
  {
    name: "a closed engine refuses every call, and closing twice is fine",
    async script({ open }) {
      const engine = await open();
      await generate(engine, toRequest(question, { maxTokens: 2 }));
      await engine.close();
      await engine.close();
      await expectFailure("engine_closed", () => generate(engine, toRequest(question)));
      await expectFailure("engine_closed", () => engine.score(toScoreRequest(["A", " b"])));
      await expectFailure("engine_closed", () => engine.countTokens("a"));
    },
  },
  {
    name: "closing ends a call that runs",
    async script({ open }) {
      const engine = await open();
      await expectFailure("engine_closed", async () => {
        for await (const _ of engine.generate(toRequest(question))) await engine.close();
      });
    },
  },
];
