import type { RunRecord } from "../store/index.ts";
import { type Json, toShortId } from "../text/index.ts";
import type { Colors, Output } from "./terminal.ts";
import { toVisibleText } from "./visible-text.ts";

type JsonObject = { readonly [key: string]: Json };

/** A member as an object; empty where it is none. A record may be of another version. */
function toObject(value: Json | undefined): JsonObject {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : {};
}

function toList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function print(value: Json | undefined): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "–");
}

function indent(text: string): string {
  const lines = toVisibleText(text).replace(/\n$/, "").split("\n");
  return lines.map((line) => `  ${line}\n`).join("");
}

function printFindings(findings: readonly Json[], colors: Colors): string {
  return findings
    .map(toObject)
    .map(({ severity, code, message, path }) => {
      const paint = severity === "error" ? colors.red : colors.yellow;
      const at = typeof path === "string" && path !== "" ? ` (at ${path})` : "";
      return `  ${paint(print(severity))} ${toVisibleText(`${print(code)}: ${print(message)}${at}`)}\n`;
    })
    .join("");
}

function printAttempt(attempt: JsonObject, colors: Colors): string {
  const usage = toObject(attempt.usage);
  const sampling = toObject(attempt.sampling);
  const head = [
    `attempt ${print(attempt.number)}`,
    `finish reason ${print(attempt.finishReason)}`,
    `${print(usage.inputTokens)} tokens read, ${print(usage.outputTokens)} written`,
    `temperature ${print(sampling.temperature)}, seed ${print(sampling.seed)}`,
  ];
  const findings = printFindings(toList(attempt.findings), colors);
  return `\n${colors.bold(head.join(" · "))}\n${indent(print(attempt.text))}${findings}`;
}

function printAnswer(result: JsonObject, colors: Colors): string {
  if (result.kind === "success") return `\n${colors.bold("value")}\n${indent(print(result.value))}`;
  const head = `${print(result.code)}: ${print(result.message)}`;
  return `\n${colors.bold("no value")}\n${indent(head)}`;
}

/** Prints a recorded run for people. */
export function printRun(run: RunRecord, { colors }: Output): string {
  const result = toObject(run.result);
  const status = run.status === "ok" ? colors.green(run.status) : colors.red(run.status);
  const started = `${run.startedAt.slice(0, 19).replace("T", " ")} UTC`;
  const ids = [
    run.stampId === null ? null : `stamp ${toShortId(run.stampId)}`,
    run.promptDigest === null ? null : `prompt ${toShortId(run.promptDigest)}`,
  ].filter((part) => part !== null);
  const inputs = Object.entries(toObject(run.inputs)).map(([name, value]) => {
    const text = Array.isArray(value) ? value.map(print).join("\n") : print(value);
    return `\n${colors.bold(`input ${toVisibleText(name)}`)}\n${indent(text)}`;
  });
  const warnings = toList(result.warnings);
  return [
    `${colors.bold(`run ${run.id}`)} · ${run.task} · ${status}\n`,
    `${started} · ${Math.round(run.durationMs)} ms · ${run.model ?? "no model"}\n`,
    ids.length === 0 ? "" : `${ids.join(" · ")}\n`,
    ...inputs,
    ...toList(result.attempts).map((attempt) => printAttempt(toObject(attempt), colors)),
    printAnswer(result, colors),
    warnings.length === 0 ? "" : `\n${colors.bold("warnings")}\n${printFindings(warnings, colors)}`,
  ].join("");
}
