import { readStamp } from "@fieldmesh/core/internal";
import { CliError } from "../../exit-codes.ts";

/** A timeframe in absolute times, so that a run of tomorrow reads the same one; `undefined` where it is open. */
export interface Timeframe {
  readonly min: string | undefined;
  readonly max: string | undefined;
}

const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { hour: HOUR, day: 24 * HOUR, week: 168 * HOUR };

/** Resolves relative times by this machine's clock: the start counts back from the end, as the ledger counts. */
export function resolveTimes(
  minTime: string | undefined,
  maxTime: string | undefined,
  now: number,
): { readonly min: string | undefined; readonly max: string } {
  const max = readTime("--max-time", maxTime ?? "now", now);
  const min = minTime === undefined ? undefined : readTime("--min-time", minTime, max);
  if (min !== undefined && min >= max)
    throw new CliError(
      "--min-time must be before --max-time, and before now if --max-time is left out.",
    );
  return {
    min: min === undefined ? undefined : new Date(min).toISOString(),
    max: new Date(max).toISOString(),
  };
}

function readTime(option: string, text: string, base: number): number {
  const [, amount, unit = ""] = /^-(\d{1,6}) ?(hour|day|week)s?$/.exec(text) ?? [];
  if (text === "now") return base;
  if (amount !== undefined) return base - Number(amount) * (UNITS[unit] ?? 0);
  const stamp = readStamp(text);
  if ("time" in stamp) return stamp.time;
  throw new CliError(
    `${option} ${stamp.why}. Pass a time, or one before the end, such as "-30 day" (hour, day or week).`,
  );
}
