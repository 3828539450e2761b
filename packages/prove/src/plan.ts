import { anything, options } from "@fieldmesh/core/internal";
import fc from "fast-check";
import { listOf } from "@fieldmesh/sandbox/internal/engine";

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

/**
 * One event: its type by index, its object, and the second in which it was created, or "unreadable" for a `created_at` that is not a
 * date. If these are equal, it is the same event, unless `other` differs.
 */
export type PlannedEvent = readonly [
  type: number,
  object: number,
  second: number | "unreadable",
  other?: number,
];

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
  /** Whether your receiver's `catchUp` runs beside the deliveries. It may handle events that are delivered later. */
  readonly catchUp?: boolean | undefined;
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
        catchUp: anything,
        wait: anything,
      }),
    ),
  },
});

const MOST_STEPS = 12;
const MOST_AT_ONCE = 3;
const OBJECTS = 2;
const SECONDS = 4;
/** A quarter of an hour ahead of the beginning: from the future then, and not after a longer wait. */
const LATER = 960;
/** The clock of a device was wrong by years. */
const YEARS_LATER = 100_000_000;
const WRONG_DATES = [LATER, YEARS_LATER, "unreadable"] as const;
/** Of so many events, one has a wrong date: what has one may make others outdated. */
const RARELY = 12;
/** Within the 300 seconds that a verifier tolerates. */
const SKEWS = [0, -60, 60, -240, 240];
const AN_HOUR = 4000;
/** Nothing, less than a lease, more than one, and the longer retries. */
const WAITS = [0, 5, 31, 600, AN_HOUR];
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

/** What a plan is made for. */
export interface PlanSize {
  /** The number of types. The indexes after the last stand for types that nobody knows, each in the family of a type. */
  readonly types: number;
  /** A fault strikes one of so many calls. */
  readonly calls: number;
  /** Whether the receiver handles stored events. */
  readonly catchesUp: boolean;
}

/** Makes random plans. */
export function plans({ types, calls, catchesUp }: PlanSize): fc.Arbitrary<Plan> {
  const event = fc
    .tuple(
      fc.oneof(
        { weight: types, arbitrary: fc.nat(types - 1) },
        { weight: 1, arbitrary: fc.integer({ min: types, max: 2 * types - 1 }) },
      ),
      fc.nat(OBJECTS - 1),
      fc.oneof(
        { weight: RARELY, arbitrary: fc.nat(SECONDS - 1) },
        { weight: 1, arbitrary: fc.constantFrom(...WRONG_DATES) },
      ),
      fc.constantFrom(0, 0, 0, 1),
    )
    .map(([type, object, second, other]): PlannedEvent =>
      other === 0 ? [type, object, second] : [type, object, second, other],
    );
  // Two copies of an event at the same moment are rare by chance, and where many receivers go wrong.
  const deliver = fc
    .tuple(fc.array(event, { minLength: 1, maxLength: MOST_AT_ONCE }), fc.boolean())
    .map(([all, isDoubled]) => (isDoubled ? [...all.slice(0, 1), ...all] : all));
  const fault = fc.record({
    kind: fc.constantFrom<FaultKind[]>(...CALL_KINDS, ...DELIVERY_KINDS),
    at: fc.nat(calls - 1),
  });
  const step = fc.record({
    deliver,
    fault: fc.option(fault, { nil: undefined }),
    turns: fc.array(fc.nat(MOST_AT_ONCE)),
    catchUp: catchesUp ? fc.boolean() : fc.constant(false),
    wait: fc.constantFrom(...WAITS),
  });
  return fc.record({
    skew: fc.constantFrom(...SKEWS),
    rotateAt: fc.option(fc.nat(MOST_STEPS), { nil: undefined }),
    steps: fc.array(step, { minLength: 1, maxLength: MOST_STEPS, size: "max" }),
  });
}

/**
 * Makes the plans that must not depend on luck: for each type, those without a fault, and each fault at each call, with one delivery
 * and with two copies at once.
 */
export function plainPlans({ types, calls, catchesUp }: PlanSize): Plan[] {
  const all = Array.from({ length: calls }, (_, at) => at);
  const faults: Fault[] = [
    ...CALL_KINDS.flatMap((kind) => all.map((at) => ({ kind, at }))),
    ...DELIVERY_KINDS.map((kind) => ({ kind, at: 0 })),
  ];
  const events = Array.from({ length: types }, (_, type): PlannedEvent => [type, 0, 0]);
  return events.flatMap((event, type) => [
    ...withoutFaults(type, types, catchesUp).map((steps) => ({ steps })),
    ...faults.flatMap((fault) => [
      { steps: [{ deliver: [event], fault }] },
      { steps: [{ deliver: [event, event], fault }] },
    ]),
  ]);
}

/** What receivers mix up: events of one time, of an unknown type, with a wrong date, and stored ones. */
function withoutFaults(type: number, types: number, catchesUp: boolean): Step[][] {
  const event: PlannedEvent = [type, 0, 0];
  const another: PlannedEvent = [type, 0, 0, 1];
  const ofNextType: PlannedEvent = [(type + 1) % types, 0, 0, 1];
  const newerUnknown: PlannedEvent = [types + type, 0, 1];
  const step = (...deliver: PlannedEvent[]) => ({ deliver });
  return [
    [step(event), step(another)],
    [step(event, another)],
    [step(event), step(ofNextType)],
    [step(newerUnknown)],
    [step(newerUnknown), step(event)],
    ...WRONG_DATES.map((second) => [step([type, 0, second])]),
    ...WRONG_DATES.map((second) => [step([type, 0, second]), step(event)]),
    // What comes after a date from the future is newer than its first claim.
    [{ deliver: [[type, 0, YEARS_LATER]], wait: AN_HOUR }, step([type, 0, LATER])],
    ...(catchesUp ? [[{ deliver: [event], catchUp: true }]] : []),
  ];
}

export function isCallFault(kind: FaultKind | undefined): kind is CallFault {
  return CALL_KINDS.some((each) => each === kind);
}

/** Leaves out what changes nothing, so that a pasted plan is short. */
export function shorten({ skew, rotateAt, steps }: Plan): Plan {
  return {
    ...(skew !== 0 && skew !== undefined && { skew }),
    ...(rotateAt !== undefined && rotateAt < steps.length && { rotateAt }),
    steps: steps.map(({ deliver, fault, turns = [], catchUp = false, wait }) => ({
      deliver,
      ...(fault !== undefined && { fault }),
      ...(catchUp && { catchUp }),
      ...((deliver.length > 1 || catchUp) && turns.some((turn) => turn > 0) && { turns }),
      ...(wait !== 0 && wait !== undefined && { wait }),
    })),
  };
}
