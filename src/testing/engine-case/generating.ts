import {
  deepEqual,
  type EngineScript,
  equal,
  expectFailure,
  generate,
  ok,
  question,
  toMessage,
  toRequest,
} from "./script.ts";

/** A grammar whose only texts are short and easy to tell. */
const yesOrNo = 'root ::= "yes" | "no"';

/** What every engine promises of one generation. */
export const generatingCases: readonly EngineScript[] = [
  {
    name: "events are text-deltas that join to the text, then one generate-end",
    async script({ shared }) {
      const { kind, text } = await generate(await shared(), toRequest(question));
      equal(kind, "generated");
      ok(text.length > 0, "there is a text");
    },
  },
  {
    name: "no text-delta ends inside a character",
    async script({ shared }) {
      const request = toRequest("Repeat: 🐖🐖 Äpfel, größer, 東京, naïve 🐕", { maxTokens: 40 });
      for await (const event of (await shared()).generate(request)) {
        if (event.kind !== "text-delta") continue;
        ok(!/\p{Surrogate}/u.test(event.text), "surrogates come in pairs");
        ok(!event.text.includes("\uFFFD"), "no character is broken");
      }
    },
  },
  {
    name: "maxTokens cuts the text and says so",
    async script({ shared }) {
      const engine = await shared();
      const whole = await generate(engine, toRequest(question));
      const cut = await generate(engine, toRequest(question, { maxTokens: 3 }));
      equal(cut.finishReason, "length");
      equal(cut.usage.outputTokens, 3);
      ok(whole.text.startsWith(cut.text), "the cut text is the beginning of the longer one");
      ok(cut.text.length < whole.text.length, "the cut text is shorter");
    },
  },
  {
    name: "a stop text ends the text before it, also where tokens split it",
    async script({ shared }) {
      const engine = await shared();
      const { text } = await generate(engine, toRequest(question));
      for (const start of [1, 5, Math.floor(text.length / 2)]) {
        const stop = text.slice(start, start + 7);
        const ended = await generate(engine, toRequest(question, { stop: ["§§ never", stop] }));
        equal(ended.text, text.slice(0, text.indexOf(stop)));
        equal(ended.finishReason, "stop");
      }
    },
  },
  {
    name: "a beginning of a stop text that does not go on is part of the text",
    async script({ shared }) {
      const engine = await shared();
      const request = toRequest(question, { maxTokens: 6 });
      const { text } = await generate(engine, request);
      const stop = [`${text.slice(-4)}§§`, `${text.slice(2, 6)}§§`];
      equal((await generate(engine, { ...request, stop })).text, text);
    },
  },
  {
    name: "the same request gives the same bytes, whatever was asked between",
    async script({ shared }) {
      const engine = await shared();
      for (const temperature of [0, 0.9]) {
        const request = toRequest(question, { sampling: { temperature, seed: 7 } });
        const first = await generate(engine, request);
        await generate(engine, toRequest("Say something else.", { stableMessages: 2 }));
        const { usage, ...second } = await generate(engine, request);
        deepEqual(second, withoutUsage(first));
        equal(usage.outputTokens, first.usage.outputTokens);
      }
    },
  },
  {
    name: "how many messages are called stable does not lose any of them",
    async script({ shared }) {
      const engine = await shared();
      for (const stableMessages of [0, 1, 2]) {
        const { usage } = await generate(engine, toRequest(question, { stableMessages }));
        equal(usage.inputTokens, await engine.countTokens(toRequest(question).messages));
      }
    },
  },
  {
    name: "usage counts the prompt as countTokens does, and at most maxTokens",
    async script({ shared }) {
      const engine = await shared();
      const request = toRequest(question, { maxTokens: 5 });
      const { usage } = await generate(engine, request);
      equal(usage.inputTokens, await engine.countTokens(request.messages));
      ok(usage.cachedInputTokens >= 0 && usage.cachedInputTokens <= usage.inputTokens);
      ok(usage.outputTokens >= 1 && usage.outputTokens <= 5);
      ok((await engine.countTokens(question)) < usage.inputTokens);
      equal(await engine.countTokens(""), 0);
    },
  },
  {
    name: "a constraint is enforced, or a warning says that it is not",
    async script({ shared }) {
      const engine = await shared();
      const constraint = { kind: "gbnf", grammar: yesOrNo } as const;
      const outcome = await generate(engine, toRequest("Are cats animals?", { constraint }));
      const enforced = engine.capabilities.constraints.includes("gbnf");
      if (!enforced) ok(outcome.warnings.length > 0, "a warning says so");
      else ok(outcome.warnings.length > 0 || ["yes", "no"].includes(outcome.text), outcome.text);
      equal(outcome.finishReason, "stop");
    },
  },
  {
    name: "a prompt that leaves no room for maxTokens is refused with the numbers",
    async script({ shared }) {
      const engine = await shared();
      const { contextTokens } = engine.capabilities;
      if (contextTokens === null) return;
      const request = toRequest(question, { maxTokens: contextTokens });
      await expectFailure("engine_context_too_small", () => generate(engine, request));
    },
  },
  {
    name: "numbers out of range are refused",
    async script({ shared }) {
      const engine = await shared();
      for (const settings of [
        { maxTokens: 0 },
        { maxTokens: 1.5 },
        { stableMessages: 3 },
        { messages: [], stableMessages: 0 },
        { stop: [""] },
        { sampling: { temperature: -1, seed: 1 } },
        { sampling: { temperature: Number.NaN, seed: 1 } },
        { sampling: { temperature: 1, seed: -1 } },
        { sampling: { temperature: 1, seed: 2 ** 32 } },
        { sampling: { temperature: 1, seed: 1, topK: 0 } },
        { sampling: { temperature: 1, seed: 1, topP: 0 } },
        { sampling: { temperature: 1, seed: 1, minP: 2 } },
      ]) {
        const request = toRequest(question, settings);
        await expectFailure("engine_invalid_request", () => generate(engine, request));
      }
    },
  },
  {
    name: "messages of all three roles are taken",
    async script({ shared }) {
      const messages = [
        toMessage("system", "You answer in one word."),
        toMessage("user", "What barks?"),
        toMessage("assistant", "A dog."),
        toMessage("user", question),
      ];
      const request = toRequest("", { messages, stableMessages: 3, maxTokens: 4 });
      const { usage } = await generate(await shared(), request);
      equal(usage.inputTokens, await (await shared()).countTokens(messages));
    },
  },
];

function withoutUsage<Outcome extends { readonly usage: unknown }>(
  outcome: Outcome,
): Omit<Outcome, "usage"> {
  const { usage: _, ...rest } = outcome;
  return rest;
}
