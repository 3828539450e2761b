import { notify } from "@fieldmesh/core/internal";
import { warn, type Log } from "./logger.ts";
import type { CallName } from "../errors/call-error.ts";
import type { Problem } from "../errors/problem.ts";

/** A response that does not fit the contract, or does not fit a guess where the contract says nothing. */
export interface Drift {
  readonly call: string;
  readonly route: string;
  /** The fields that do not fit, never a value. */
  readonly problems: readonly (Problem & {
    /** How often this place of this call has drifted so far in this client, including this time. `[0].id` and `[7].id` are the same place. */
    readonly count: number;
  })[];
}

/** Counts drift and reports it. */
export type ReportDrift = (
  context: CallName,
  problems: readonly Problem[],
  options: {
    /** Whether to write to the console without a listener. */
    readonly warn: boolean;
    /** Whether only the first time of each place is reported. */
    readonly once?: boolean;
  },
) => void;

// The server chooses the names in a map: they must not fill the memory of a long-lived client.
const MAX_PLACES = 1_000;

/** Creates the drift report of one client. */
export function createDriftReport(
  onDrift: ((drift: Drift) => void) | undefined,
  log: Pick<Log, "warn"> | undefined,
): ReportDrift {
  const counts = new Map<string, number>();

  const countOf = (place: string): number => {
    const key = counts.size < MAX_PLACES || counts.has(place) ? place : "";
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };

  return ({ call, route }, found, { warn: mayWarn, once = false }) => {
    const problems = found
      .map((problem) => ({ ...problem, count: countOf(`${call} ${placeOf(problem)}`) }))
      .filter(({ count }) => !once || count === 1);
    if (problems.length === 0) return;
    if (onDrift !== undefined)
      return notify("onDrift", onDrift, (hear) => hear({ call, route, problems }));
    if (!mayWarn) return;
    for (const problem of problems.filter(({ count }) => count === 1)) {
      const message =
        `${call} (${route}): the response does not fit: ${placeOf(problem)} ${problem.message}. ` +
        "This place is not reported again; pass onDrift to see every time.";
      warn(log, message, { call, route, problem });
    }
  };
}

function placeOf({ path }: Problem): string {
  return path === "" ? "the body" : path.replaceAll(/\[\d+\]/g, "[]");
}
