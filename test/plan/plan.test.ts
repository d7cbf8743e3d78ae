import { describe, expect, it } from "vitest";
import type { GenerateOutcome } from "../../src/engine/index.ts";
import { findTask, loadPack } from "../../src/pack/index.ts";
import { createPlan, digestStamp, nextStep, type Plan } from "../../src/plan/index.ts";
import { checkInputs, type GivenInputs } from "../../src/prompt/index.ts";
import { sha256, toMessageText } from "../../src/text/index.ts";
import { changed, packFiles } from "../pack/pack-files.ts";

const pack = loadPack(packFiles());

function planOf(
  given: GivenInputs = { note: "buy milk" },
  changes: Record<string, string> = {},
): Plan {
  const own = loadPack(packFiles(changes));
  const task = findTask(own, "name");
  return createPlan(own, task, checkInputs(task, given));
}

function said(text: string, finishReason: "stop" | "length" = "stop"): GenerateOutcome {
  const usage = { inputTokens: 10, cachedInputTokens: 4, outputTokens: 3 };
  return { kind: "generated", text, finishReason, usage, warnings: [] };
}

function requestOf(plan: Plan, outcomes: GenerateOutcome[]) {
  const step = nextStep(plan, outcomes);
  if (step.kind !== "request" || step.request.kind !== "generate") throw new Error("finished");
  return step.request;
}

function resultOf(plan: Plan, outcomes: GenerateOutcome[]) {
  const step = nextStep(plan, outcomes);
  if (step.kind !== "finished") throw new Error("not finished");
  return step.result;
}

describe("a plan", () => {
  it("first asks for what the task says", () => {
    const plan = planOf();
    const request = requestOf(plan, []);
    expect(request.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(request.stableMessages).toBe(1);
    expect(request.constraint).toEqual({ kind: "gbnf", grammar: plan.contract.toGrammar() });
    expect(request.sampling).toEqual({ temperature: 0, seed: 0 });
    expect(request.maxTokens).toBe(30);
  });

  it("ends with the value and a stamp that names everything", () => {
    const plan = planOf();
    const result = resultOf(plan, [said('{"name":"milk"}')]);
    if (result.kind !== "success") throw new Error(result.message);
    expect(result.value).toEqual({ name: "milk" });
    expect(result.text).toBe('{"name":"milk"}');
    expect(result.usage).toEqual({ inputTokens: 10, cachedInputTokens: 4, outputTokens: 3 });
    expect(result.stamp).toMatchObject({
      pack: { name: "small", version: "1.0", digest: pack.digest },
      task: { name: "name", version: "2.0" },
      constraint: sha256(plan.contract.toGrammar() ?? ""),
      contract: plan.contract.digest,
      sampling: { temperature: 0, seed: 0 },
      attempt: 1,
      decidedBy: "generation",
    });
    expect(result.stamp.prompt.parts.map(({ ref, version }) => [ref, version])).toEqual([
      ["system/notes.yaml#rules", "1.0"],
      ["templates/note.json#plain", "1.0"],
    ]);
  });

  it("is a pure function: the same outcomes give the same step", () => {
    const outcomes = [said("no"), said('{"name":"milk"}')];
    expect(nextStep(planOf(), outcomes)).toEqual(nextStep(planOf(), outcomes));
    expect(digestStamp(resultOf(planOf(), outcomes).stamp)).toBe(
      digestStamp(resultOf(planOf(), outcomes).stamp),
    );
  });

  it("asks again with the reinforcement for what was wrong, before the unchanged base", () => {
    const plan = planOf();
    const base = toMessageText(requestOf(plan, []).messages[1] as never);
    const request = requestOf(plan, [said('{"name":""}')]);
    const user = toMessageText(request.messages[1] as never);
    expect(user.endsWith(`\n\n${base}`)).toBe(true);
    expect(user.startsWith("Wrong:\n- ")).toBe(true);
    expect(user).toContain('\\"name\\" has 0 characters');
    expect(request.messages[0]).toEqual(requestOf(plan, []).messages[0]);
    expect(request.sampling).toEqual({ temperature: 0.5, seed: 1 });
  });

  it("does not pile reinforcements up", () => {
    const plan = planOf();
    const second = requestOf(plan, [said("no")]);
    const third = requestOf(plan, [said("no"), said("no")]);
    expect(third.messages).toEqual(second.messages);
    expect(third.sampling).toEqual({ temperature: 0.8, seed: 2 });
  });

  it("asks again without a reinforcement where the task has none for the finding", () => {
    const plan = planOf();
    const request = requestOf(plan, [said('{"name":"7"}')]);
    expect(request.messages).toEqual(requestOf(plan, []).messages);
  });

  it("fails with the last findings when no attempt is left, and counts all usage", () => {
    const result = resultOf(planOf(), [said("a"), said("b"), said('{"name":"7"}')]);
    expect(result.kind).toBe("failure");
    if (result.kind !== "failure") return;
    expect(result.code).toBe("plan_no_acceptable_output");
    expect(result.message).toContain("after 3 attempts");
    expect(result.findings.map(({ code }) => code)).toEqual(["check_has_letter"]);
    expect(result.usage.outputTokens).toBe(9);
    expect(result.attempts.map(({ text }) => text)).toEqual(["a", "b", '{"name":"7"}']);
  });

  it("says of each attempt which prompt it had and which reinforcements", () => {
    const result = resultOf(planOf(), [said("no"), said('{"name":"milk"}')]);
    const [first, second] = result.attempts;
    expect(first?.reinforcements).toEqual([]);
    expect(second?.reinforcements).toEqual([
      { ref: "compositions/retry.json#shape", version: "1.1" },
    ]);
    expect(first?.promptDigest).not.toBe(second?.promptDigest);
    expect(result.stamp.prompt.digest).toBe(second?.promptDigest);
    expect(result.stamp.attempt).toBe(2);
  });

  it("never takes an output that was cut, even when it reads well", () => {
    const request = requestOf(planOf(), [said('{"name":"milk"}x', "length")]);
    expect(request.sampling.seed).toBe(1);
  });

  it("keeps the whole parts of a list that was cut, and says so", () => {
    const list = changed(
      "tasks/name.yaml",
      "schema: { type: object, properties: { name: { type: string, minLength: 1, maxLength: 20 } },\n    required: [name], additionalProperties: false }\nchecks: [{ hasLetter: /name }]",
      "schema: { type: array, maxItems: 5, items: { type: string, minLength: 1, maxLength: 20 } }",
    );
    const result = resultOf(planOf(undefined, list), [said('["a","b","c', "length")]);
    expect(result.kind === "success" && result.value).toEqual(["a", "b"]);
    expect(result.warnings.map(({ code, severity }) => [code, severity])).toEqual([
      ["plan_length_stop", "warning"],
    ]);
  });

  it("keeps each item of a list once where they must be distinct, and says so", () => {
    const list = changed(
      "tasks/name.yaml",
      "schema: { type: object, properties: { name: { type: string, minLength: 1, maxLength: 20 } },\n    required: [name], additionalProperties: false }\nchecks: [{ hasLetter: /name }]",
      "schema: { type: array, minItems: 2, uniqueItems: true, items: { type: string, minLength: 1, maxLength: 20 } }",
    );
    const result = resultOf(planOf(undefined, list), [said('["a", "b","a","c"]')]);
    expect(result.kind === "success" && result.value).toEqual(["a", "b", "c"]);
    expect(result.warnings.map(({ code, severity }) => [code, severity])).toEqual([
      ["plan_repetition_dropped", "warning"],
    ]);
    expect(nextStep(planOf(undefined, list), [said('["a","a"]')]).kind).toBe("request");
  });

  it("refuses an output that recites the prompt, unless the input said it", () => {
    const words = "Wrong words stand here one after another";
    const rules = changed("system/notes.yaml", "Answer with a word.", `${words} today.`);
    const changes = { ...rules, ...changed("tasks/name.yaml", "maxLength: 20", "maxLength: 90") };
    const recited = said(JSON.stringify({ name: `${words}, today` }));
    const refused = resultOf(planOf(undefined, changes), [recited, recited, recited]);
    expect(refused.kind === "failure" && refused.findings[0]?.code).toBe("check_prompt_echo");
    const seven = said(JSON.stringify({ name: words }));
    expect(resultOf(planOf(undefined, changes), [seven]).kind).toBe("success");
    const given = planOf({ note: `he said: ${words} today` }, changes);
    expect(resultOf(given, [recited]).kind).toBe("success");
  });

  it("refuses an output that repeats a fence of the prompt", () => {
    const plan = planOf();
    const step = nextStep(plan, []);
    const fence = step.kind === "request" ? (step.prompt.fences[0] ?? "") : "";
    expect(fence).toMatch(/^note-[a-z]{8}$/);
    const again = nextStep(plan, [said(`{"name":"${fence.toUpperCase()}"}`)]);
    expect(again.kind).toBe("request");
    const result = resultOf(plan, [said("a"), said("b"), said(`{"name":"${fence}"}`)]);
    expect(result.kind === "failure" && result.findings[0]?.code).toBe("check_fence_leak");
  });

  it("answers a blank or filler-only input itself", () => {
    for (const note of ["", "   ", "um, um", "you know"]) {
      const result = resultOf(planOf({ note }), []);
      expect(result.kind === "success" && result.value).toBeNull();
      expect(result.attempts).toEqual([]);
      expect(result.stamp).toMatchObject({ decidedBy: "when-empty", engine: null, attempt: 0 });
    }
  });

  it("limits the output by the input where the task says so", () => {
    const limit = changed(
      "tasks/name.yaml",
      "maxTokens: 30",
      "maxTokens: 500, tokensPerInputCharacter: 0.5",
    );
    expect(planOf({ note: "x".repeat(10) }, limit).maxTokens).toBe(37);
    expect(planOf({ note: "x".repeat(100) }, limit).maxTokens).toBe(82);
  });

  it("refuses a seed, a temperature and a limit that make no sense", () => {
    const task = findTask(pack, "name");
    const inputs = checkInputs(task, { note: "x" });
    for (const options of [
      { seed: -1 },
      { seed: 1.5 },
      { seed: 2 ** 32 },
      { temperature: 3 },
      { temperature: Number.NaN },
      { maxTokens: 0 },
    ]) {
      expect(() => createPlan(pack, task, inputs, options)).toThrow(
        expect.objectContaining({ code: "plan_bad_option", hint: expect.any(String) }),
      );
    }
    expect(createPlan(pack, task, inputs, { maxTokens: 5 }).maxTokens).toBe(5);
    expect(createPlan(pack, task, inputs, { maxTokens: 500 }).maxTokens).toBe(30);
  });

  it("says so where the engine takes no grammar", () => {
    const own = loadPack(packFiles());
    const task = findTask(own, "name");
    const identity = { name: "x", version: "1", model: { name: "m", digest: null } };
    const capabilities = {
      constraints: [],
      score: false,
      deterministic: true,
      contextTokens: null,
    };
    const engine = { identity, capabilities };
    const plan = createPlan(own, task, checkInputs(task, { note: "x" }), { engine });
    expect(requestOf(plan, []).constraint).toBeNull();
    const result = resultOf(plan, [said('{"name":"milk"}')]);
    expect(result.warnings.map(({ code }) => code)).toEqual(["plan_not_constrained"]);
    expect(result.stamp).toMatchObject({ constraint: null, engine: identity });
  });

  it("knows its tasks with and without the pack's name, and suggests", () => {
    expect(findTask(pack, "small/name").name).toBe("name");
    expect(() => findTask(pack, "nam")).toThrow('The pack "small" has no task "nam".');
  });
});
