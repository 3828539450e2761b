import { anything, options } from "@fieldmesh/core/internal";
import type fc from "fast-check";
import { listOf } from "@fieldmesh/sandbox/internal/engine";

/** What goes wrong with one call of a job. */
export type JobFaultKind =
  /** The request is carried out, and its response is lost. */
  | "response lost"
  /** The connection breaks before anything is done. */
  | "reset"
  /** The request is carried out, and its response breaks off. */
  | "cut off"
  /** The response is 500, and nothing is done. */
  | "500"
  /** The request is carried out, and the response is 500. */
  | "500 after the work"
  /** The response is 429, with a wait of a second. */
  | "429"
  /** The process ends before the request or the save. */
  | "killed before"
  /** The request or the save is carried out, and then the process ends. */
  | "killed after"
  /** The process ends while the console is at work. The request is carried out later, in a run that follows. */
  | "killed during"
  /** The signal of the job aborts while the console is at work. The request is carried out later, as after a kill. */
  | "stopped during";

/** What a job calls: a request by GET, another one, or a save. */
export type JobCall = "read" | "write" | "save";

/** A fault and the call that it strikes. */
export interface JobFault {
  /** The requests and the saves of all runs, counted from 0. */
  readonly at: number;
  /** What happens to this call. */
  readonly kind: JobFaultKind;
}

/** Everything that goes wrong in a job, until it has ended. */
export interface JobPlan {
  /** The faults, by the calls that they strike. */
  readonly faults: readonly JobFault[];
}

export const readJobPlan = options<JobPlan>("replay", {
  faults: {
    required: listOf(
      options<JobFault>("fault", { at: { required: anything }, kind: { required: anything } }),
    ),
  },
});

const KILLS = ["killed before", "killed after"] as const;
const FAULTS = ["response lost", "reset", "cut off", "500", "500 after the work", "429"] as const;
const DURING = ["killed during", "stopped during"] as const;
const KINDS: Readonly<Record<JobCall, readonly JobFaultKind[]>> = {
  write: [...KILLS, ...FAULTS, ...DURING],
  // Nobody sees when a read is carried out.
  read: [...KILLS, ...FAULTS],
  save: KILLS,
};

/** Makes a plan for each fault at each call of a job that nothing disturbs. */
export function singlePlans(calls: readonly JobCall[]): JobPlan[] {
  return calls.flatMap((call, at) => KINDS[call].map((kind) => ({ faults: [{ at, kind }] })));
}

/** Makes plans with two faults. The second one may come after the calls of an undisturbed job, in a later run. */
export function pairs(check: typeof fc, calls: number): fc.Arbitrary<JobPlan> {
  const fault = check.record({
    at: check.nat(2 * calls),
    kind: check.constantFrom(...KINDS.write),
  });
  return check.record({ faults: check.tuple(fault, fault) });
}
