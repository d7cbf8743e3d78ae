import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { IncipitError as Failure, type IncipitError } from "../../../src/text/index.ts";
import { type Answer, type Hub, startHub } from "./hub.ts";

/** A folder that is removed when the test ends. */
export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "incipit-model-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** A hub that is closed when the test ends. */
export async function useHub(
  answer: (path: string, count: number) => Answer | Promise<Answer>,
): Promise<Hub> {
  const hub = await startHub(answer);
  onTestFinished(() => hub.close());
  return hub;
}

/** The failure a promise rejects with; anything else fails the test. */
export async function toFailure(promise: Promise<unknown>): Promise<IncipitError> {
  try {
    await promise;
  } catch (error) {
    if (Failure.isInstance(error)) return error;
    throw error;
  }
  throw new Error("it succeeded where a failure was expected");
}
