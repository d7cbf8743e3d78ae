import { IncipitError } from "../text/index.ts";
import type { GenerateRequest, Sampling, ScoreRequest } from "./request.ts";

const largestSeed = 2 ** 32 - 1;

/** Throws `engine_invalid_request` unless every number of a request is in its range. */
export function checkGenerateRequest(request: GenerateRequest): void {
  if (request.messages.length === 0) {
    throw invalid("A generate request has no messages; at least one was expected.");
  }
  if (!isWhole(request.maxTokens, 1, Number.MAX_SAFE_INTEGER)) {
    throw invalid(`maxTokens is ${request.maxTokens}; a whole number from 1 was expected.`);
  }
  if (!isWhole(request.stableMessages, 0, request.messages.length)) {
    throw invalid(
      `stableMessages is ${request.stableMessages}; a whole number from 0 to ` +
        `${request.messages.length}, the number of messages, was expected.`,
    );
  }
  if (request.stop.includes("")) {
    throw invalid("A stop text is empty; it would end every output at once.");
  }
  checkSampling(request.sampling);
}

function checkSampling(sampling: Sampling): void {
  const { temperature, topK, topP, minP, seed } = sampling;
  if (!(Number.isFinite(temperature) && temperature >= 0)) {
    throw invalid(`temperature is ${temperature}; a number from 0 was expected.`);
  }
  if (topK !== undefined && !isWhole(topK, 1, largestSeed)) {
    throw invalid(`topK is ${topK}; a whole number from 1 was expected.`);
  }
  if (topP !== undefined && !(topP > 0 && topP <= 1)) {
    throw invalid(`topP is ${topP}; a number above 0, at most 1, was expected.`);
  }
  if (minP !== undefined && !(minP >= 0 && minP <= 1)) {
    throw invalid(`minP is ${minP}; a number from 0 to 1 was expected.`);
  }
  if (!isWhole(seed, 0, largestSeed)) {
    throw invalid(`seed is ${seed}; a whole number from 0 to ${largestSeed} was expected.`);
  }
}

/** Throws `engine_invalid_request` unless every item of a request has something to score. */
export function checkScoreRequest(request: ScoreRequest): void {
  for (const [index, item] of request.items.entries()) {
    if (item.continuation === "") {
      throw invalid(`The continuation of item ${index} is empty; a text to score was expected.`);
    }
  }
}

function isWhole(value: number, low: number, high: number): boolean {
  return Number.isInteger(value) && value >= low && value <= high;
}

function invalid(message: string): IncipitError {
  return new IncipitError("engine_invalid_request", message);
}
