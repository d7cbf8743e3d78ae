import { availableParallelism, loadavg } from "node:os";
import { basename, extname } from "node:path";
import type { LlamaModel } from "node-llama-cpp";
import { IncipitError } from "../../text/index.ts";
import { createCallQueue } from "../call-queue.ts";
import { checkGenerateRequest, checkScoreRequest } from "../check-request.ts";
import type { Engine } from "../engine.ts";
import { createEventChannel } from "../event-channel.ts";
import { toAborted, toClosed } from "../failure.ts";
import type { GenerateEvent } from "../outcome.ts";
import { createChatTemplate } from "./chat-template.ts";
import { generateText } from "./generate.ts";
import { type CheckGrammar, createGrammarCache } from "./grammar.ts";
import { type LlamaLibrary, libraryVersion, loadLibrary, withLines } from "./library.ts";
import type { LoadedModel } from "./loaded-model.ts";
import { checkModelFile, digestFile, toUnreadable } from "./model-file.ts";
import { messagesToTokens } from "./prompt-tokens.ts";
import { scoreItems } from "./score.ts";
import { createSlotPool } from "./slot-pool.ts";
import { createThreadPace, type PaceMachine } from "./thread-pace.ts";
import { createVocabulary } from "./vocabulary.ts";

/** How to open a llama engine. */
export interface LlamaEngineOptions {
  /** A GGUF file. */
  readonly modelPath: string;
  /** Name in the stamp; by default that of the file without its extension. */
  readonly modelName?: string | undefined;
  /** SHA-256 of the file where it is known; otherwise it is computed. */
  readonly modelDigest?: string | undefined;
  /** Tokens of prompt and answer together; by default the model's own, at most 8,192. */
  readonly contextTokens?: number | undefined;
  /**
   * The most processor threads; by default one per core. Fewer are used while other programs need
   * the cores; the number changes no result.
   */
  readonly threads?: number | undefined;
  /**
   * Says what is wrong with a GBNF text, or null. Without it, an unknown grammar is parsed in
   * another process first, which takes about 0.1 s.
   */
  readonly checkGrammar?: CheckGrammar | undefined;
  readonly signal?: AbortSignal | undefined;
}

const defaultContextTokens = 8_192;

/**
 * Opens a model file with llama.cpp inside this process, on the CPU.
 *
 * Calls are served one at a time in the order in which they come. The same request gives the same
 * bytes on the same processor: cold, warm, and whatever else the engine was asked.
 */
export async function openLlamaEngine(options: LlamaEngineOptions): Promise<Engine> {
  const { modelPath, signal } = options;
  await checkModelFile(modelPath);
  const digesting = options.modelDigest ?? digestFile(modelPath, signal);
  // The loading below may fail first; a failure of the digest is then of no interest.
  Promise.resolve(digesting).catch(() => {});
  const library = await loadLibrary();
  const native = await loadModel(library, modelPath, signal);
  try {
    const model = assembleModel(library, native, options);
    return createEngine(model, await digesting);
  } catch (error) {
    await native.dispose();
    throw signal?.aborted ? toAborted(signal) : error;
  }
}

async function loadModel(
  library: LlamaLibrary,
  modelPath: string,
  signal: AbortSignal | undefined,
): Promise<LlamaModel> {
  const options = { modelPath, gpuLayers: 0, ignoreMemorySafetyChecks: true };
  const loaded = await library.log.watch(() =>
    library.llama.loadModel(signal === undefined ? options : { ...options, loadSignal: signal }),
  );
  if (loaded.kind === "done") return loaded.value;
  if (signal?.aborted) throw toAborted(signal);
  const cause = withLines(loaded.error, loaded.lines);
  if (isOutOfMemory(cause)) throw toOutOfMemory(`the model "${modelPath}"`, cause);
  throw toUnreadable(modelPath, loaded.lines[0] ?? cause.message, cause);
}

function assembleModel(
  library: LlamaLibrary,
  native: LlamaModel,
  options: LlamaEngineOptions,
): LoadedModel {
  const trained = native.trainContextSize;
  const contextTokens = options.contextTokens ?? Math.min(trained, defaultContextTokens);
  if (!(Number.isInteger(contextTokens) && contextTokens >= 1 && contextTokens <= trained)) {
    throw new IncipitError(
      "engine_invalid_option",
      `contextTokens is ${contextTokens}; a whole number from 1 to ${trained}, ` +
        "for which the model was trained, was expected.",
    );
  }
  const threads = options.threads ?? Math.min(library.llama.cpuMathCores, availableParallelism());
  const machine = toPaceMachine(library);
  const readingPace = createThreadPace(threads, machine);
  const name = options.modelName ?? basename(options.modelPath, extname(options.modelPath));
  const source = native.fileInfo.metadata.tokenizer.chat_template;
  return {
    library,
    native,
    name,
    contextTokens,
    vocabulary: createVocabulary(native),
    template: createChatTemplate(library.module, source, name),
    slots: createSlotPool({ model: native, contextTokens, threads, pace: readingPace }),
    pace: createThreadPace(threads, machine, "mixed"),
    grammars: createGrammarCache(library, options.checkGrammar),
  };
}

function toPaceMachine(library: LlamaLibrary): PaceMachine {
  return {
    now: () => performance.now(),
    used: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    setThreads: (threads) => {
      library.llama.maxThreads = threads;
    },
    // The load of the last minute counts what runs or waits to run, this process included.
    free: (own) => availableParallelism() - Math.max(0, (loadavg()[0] ?? 0) - own),
  };
}

function createEngine(model: LoadedModel, digest: string): Engine {
  const queue = createCallQueue();
  const { library, contextTokens } = model;

  /** Runs a call alone and turns a failure of native code into one of ours. */
  const run = <Result>(
    call: (signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> =>
    queue.run(async (both) => {
      const done = await library.log.watch(() => call(both));
      if (done.kind === "done") return done.value;
      throw both.aborted ? toAborted(both) : toCallFailure(done.error, done.lines);
    }, signal);

  return {
    identity: { name: "llama", version: libraryVersion, model: { name: model.name, digest } },
    capabilities: { constraints: ["gbnf"], score: true, deterministic: true, contextTokens },
    async *generate(request, { signal } = {}) {
      checkGenerateRequest(request);
      const channel = createEventChannel<GenerateEvent>();
      const left = new AbortController();
      const both = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]);
      const done = run((any) => generateText(model, request, any, channel.push), both).then(
        channel.end,
        channel.fail,
      );
      try {
        yield* channel.events();
      } finally {
        left.abort();
        await done;
      }
    },
    async score(request, { signal } = {}) {
      checkScoreRequest(request);
      return run((any) => scoreItems(model, request, any), signal);
    },
    async countTokens(input) {
      if (queue.closed) throw toClosed();
      const { vocabulary, template } = model;
      if (typeof input === "string") {
        return vocabulary.textToTokens(input, { follows: false }).length;
      }
      return messagesToTokens(input, input.length, template, vocabulary).tokens.length;
    },
    async close() {
      if (queue.closed) return;
      await queue.close();
      await model.slots.close();
      await model.native.dispose();
    },
  };
}

function toCallFailure(error: unknown, lines: readonly string[]): IncipitError {
  if (IncipitError.isInstance(error)) return error;
  const cause = withLines(error, lines);
  if (isOutOfMemory(cause)) return toOutOfMemory("the context of this call", cause);
  return new IncipitError("engine_failed", `llama.cpp failed: ${firstLine(cause.message)}.`, {
    cause,
  });
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? text).replace(/\.$/, "");
}

function isOutOfMemory(error: Error): boolean {
  const pattern = /alloc|out of memory|insufficient ?memory|mmap failed|create context/i;
  return pattern.test(error.message);
}

function toOutOfMemory(what: string, cause: Error): IncipitError {
  return new IncipitError("engine_out_of_memory", `There is not enough memory for ${what}.`, {
    cause,
    hint: "Close other programs, take a smaller model, or open the engine with less contextTokens.",
  });
}
