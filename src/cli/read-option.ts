import { IncipitError } from "../text/index.ts";
import type { OptionValues } from "./command.ts";

function badValue(flag: string, found: string, expected: string): IncipitError {
  return new IncipitError("cli_bad_value", `"${flag}" is "${found}", expected ${expected}.`, {
    hint: `write it as in \`${flag} 1\``,
  });
}

/** The value of a flag that takes a text; undefined when it was not given. */
export function readText(options: OptionValues, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

/** The values of a flag that may stand several times, in order. */
export function readTexts(options: OptionValues, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

/** Whether a flag without a value was given. */
export function isSet(options: OptionValues, name: string): boolean {
  return options[name] === true;
}

/** The value of a flag as a whole number in a range; throws `cli_bad_value`. */
export function readWholeNumber(
  options: OptionValues,
  name: string,
  range: { readonly flag: string; readonly least: number; readonly most: number },
): number | undefined {
  const text = readText(options, name);
  if (text === undefined) return undefined;
  const { flag, least, most } = range;
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw badValue(flag, text, `a whole number from ${least} to ${most}`);
}

/** The value of a flag as a number in a range; throws `cli_bad_value`. */
export function readNumber(
  options: OptionValues,
  name: string,
  range: { readonly flag: string; readonly least: number; readonly most: number },
): number | undefined {
  const text = readText(options, name);
  if (text === undefined) return undefined;
  const { flag, least, most } = range;
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw badValue(flag, text, `a number from ${least} to ${most}`);
}

/** The value of a flag as a time in UTC, with milliseconds; throws `cli_bad_value`. */
export function readTime(options: OptionValues, name: string, flag: string): string | undefined {
  const text = readText(options, name);
  if (text === undefined) return undefined;
  const isDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text);
  const time = isDate ? Date.parse(text) : Number.NaN;
  const day = /^\d{4}-\d\d-\d\d$/.exec(text);
  // Date.parse rolls the 31st of February over into March.
  const rolled = day !== null && !Number.isNaN(time) && toDay(time) !== text;
  if (!Number.isNaN(time) && !rolled) return new Date(time).toISOString();
  throw new IncipitError("cli_bad_value", `"${flag}" is "${text}", expected a date.`, {
    hint: "write it as 2026-01-31 or 2026-01-31T08:05:00Z; a date alone is its first moment in UTC",
  });
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
