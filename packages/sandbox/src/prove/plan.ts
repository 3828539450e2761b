import { anything, options } from "@fieldmesh/core/internal";
import fc from "fast-check";
import { listOf } from "../engine/checks.ts";

/** What goes wrong at one moment of a step. */
export type FaultKind =
  /** The process ends before the call does anything. */
  | "crash before"
  /** The call is carried out, and then the process ends. */
  | "crash after"
  /** The call fails and does nothing. */
  | "error before"
  /** The call is carried out, and then its result is lost. */
  | "error after"
  /** The receiver responds, and the sender does not get the response. */
  | "response lost"
  /** A sender without the secret delivers. */
  | "forged";

/** One event: its type by index, its object, and the second in which it was created. If these are equal, it is the same event. */
export type PlannedEvent = readonly [type: number, object: number, second: number];

/** A fault and its moment. */
export interface Fault {
  /** What goes wrong. */
  readonly kind: FaultKind;
  /** The call that it strikes: the delivery's calls to stores, orders, rows and effects, counted from 0. */
  readonly at: number;
}

/** Deliveries that are sent at the same moment. */
export interface Step {
  /** The events, one for each delivery. */
  readonly deliver: readonly PlannedEvent[];
  /** What goes wrong with the first of the deliveries. */
  readonly fault?: Fault | undefined;
  /** Which waiting delivery continues, each time there is a choice. Empty for the one that has waited longest. */
  readonly turns?: readonly number[] | undefined;
  /** How many seconds pass after the step. */
  readonly wait?: number | undefined;
}

/** Everything that a run leaves to chance. */
export interface Plan {
  /** How many seconds the receiver's clock is ahead of the sender's. */
  readonly skew?: number | undefined;
  /** The step before which the sender changes to a new secret. */
  readonly rotateAt?: number | undefined;
  /** The steps, in their order. */
  readonly steps: readonly Step[];
}

export const readPlan = options<Plan>("replay", {
  skew: anything,
  rotateAt: anything,
  steps: {
    required: listOf(
      options<Step>("step", {
        deliver: { required: anything },
        fault: options<Fault>("fault", {
          kind: { required: anything },
          at: { required: anything },
        }),
        turns: anything,
        wait: anything,
      }),
    ),
  },
});

const MOST_STEPS = 12;
const MOST_AT_ONCE = 3;
const OBJECTS = 2;
const SECONDS = 4;
/** A delivery with stores in memory seldom has more calls. A fault that comes later does not happen. */
export const FIRST_CALLS = 10;
/** Within the 300 seconds that a verifier tolerates. */
const SKEWS = [0, -60, 60, -240, 240];
/** Nothing, less than a lease, more than one, and the longer retries. */
const WAITS = [0, 5, 31, 600, 4000];
/** The faults that strike a call, in the words of a story. */
export const CALL_FAULTS = {
  "crash after": "the process crashes after it",
  "crash before": "the process crashes before it",
  "error after": "is done, and then fails",
  "error before": "fails and does nothing",
} satisfies Readonly<Partial<Record<FaultKind, string>>>;
export type CallFault = keyof typeof CALL_FAULTS;
const CALL_KINDS = Object.keys(CALL_FAULTS) as CallFault[];
/** The faults that concern a whole delivery. */
const DELIVERY_KINDS = ["response lost", "forged"] as const;

/** Makes plans over so many types of events; the index after the last stands for a type that nobody knows. A fault strikes one of so many calls. */
export function plans(types: number, mostCalls: number): fc.Arbitrary<Plan> {
  const event = fc.tuple(fc.nat(types), fc.nat(OBJECTS - 1), fc.nat(SECONDS - 1));
  // Two copies of an event at the same moment are rare by chance, and where many receivers go wrong.
  const deliver = fc
    .tuple(fc.array(event, { minLength: 1, maxLength: MOST_AT_ONCE }), fc.boolean())
    .map(([all, isDoubled]) => (isDoubled ? [...all.slice(0, 1), ...all] : all));
  const fault = fc.record({
    kind: fc.constantFrom<FaultKind[]>(...CALL_KINDS, ...DELIVERY_KINDS),
    at: fc.nat(mostCalls - 1),
  });
  const step = fc.record({
    deliver,
    fault: fc.option(fault, { nil: undefined }),
    turns: fc.array(fc.nat(MOST_AT_ONCE)),
    wait: fc.constantFrom(...WAITS),
  });
  return fc.record({
    skew: fc.constantFrom(...SKEWS),
    rotateAt: fc.option(fc.nat(MOST_STEPS), { nil: undefined }),
    steps: fc.array(step, { minLength: 1, maxLength: MOST_STEPS, size: "max" }),
  });
}

/** Makes a plan for each fault at each of the first calls, with one delivery and with two copies at once: plain mistakes must not depend on luck. */
export function plainPlans(types: number, mostCalls: number): Plan[] {
  const calls = Array.from({ length: mostCalls }, (_, at) => at);
  const faults: Fault[] = [
    ...CALL_KINDS.flatMap((kind) => calls.map((at) => ({ kind, at }))),
    ...DELIVERY_KINDS.map((kind) => ({ kind, at: 0 })),
  ];
  const events = Array.from({ length: types }, (_, type): PlannedEvent => [type, 0, 0]);
  return events.flatMap((event) =>
    faults.flatMap((fault) => [
      { steps: [{ deliver: [event], fault }] },
      { steps: [{ deliver: [event, event], fault }] },
    ]),
  );
}

export function isCallFault(kind: FaultKind | undefined): kind is CallFault {
  return CALL_KINDS.some((each) => each === kind);
}

/** Leaves out what changes nothing, so that a pasted plan is short. */
export function shorten({ skew, rotateAt, steps }: Plan): Plan {
  return {
    ...(skew !== 0 && skew !== undefined && { skew }),
    ...(rotateAt !== undefined && rotateAt < steps.length && { rotateAt }),
    steps: steps.map(({ deliver, fault, turns = [], wait }) => ({
      deliver,
      ...(fault !== undefined && { fault }),
      ...(deliver.length > 1 && turns.some((turn) => turn > 0) && { turns }),
      ...(wait !== 0 && wait !== undefined && { wait }),
    })),
  };
}
