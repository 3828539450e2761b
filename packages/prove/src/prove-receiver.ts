import { aFunction, anything, mistake, options, wholeNumber } from "@fieldmesh/core/internal";
import { eventTypes, type EventType } from "@fieldmesh/webhook-types";
import fc from "fast-check";
import { firstBroken, newSeed, createProgress, type ProofProgress } from "./progress.ts";
import { isAccepted, type Invariant, type Build } from "./subject.ts";
import { builtIn, traceOf, type Trace } from "./invariants.ts";
import { plainPlans, plans, readPlan, shorten, type Plan } from "./plan.ts";
import { isUnknown, isUnknownType, toEvent } from "./planned-event.ts";
import { divertPrints, keepPrints } from "./prints.ts";
import { ProofError, type Broken } from "./proof-error.ts";
import { runPlan, type Runner } from "./run-plan.ts";

// Why it is so: docs/decisions/29-a-proof-is-a-search.md

/** Options of {@link proveReceiver}. */
export interface ProveOptions {
  /** The types that your handlers act on. Each must leave an effect or a row when nothing goes wrong. */
  readonly events: readonly EventType[];
  /** Determines every run: the same seed leads to the same runs. @default - a new one, which the result and an error name */
  readonly seed?: number | undefined;
  /** How many random runs follow the plain ones, in which each fault strikes each call of a delivery. @default 100 */
  readonly runs?: number | undefined;
  /** Your own rules by name, in addition to the built-in ones. */
  readonly invariants?: Readonly<Record<string, Invariant>> | undefined;
  /**
   * The longest time of the whole search, in milliseconds. If it ends before all runs are done, `proveReceiver` rejects and says
   * how many were. @default - none
   */
  readonly maxTime?: number | undefined;
  /**
   * How many milliseconds of real time must pass without a call before the clock moves, while a delivery neither waits for a call
   * nor ends: it may wait for a database that is not wrapped. Each such wait costs this time, which makes a search several times
   * as long. Too short a time moves the clock while your database still works, and a lease may end. A database in
   * `world.database` needs none.
   *
   * @default 0 in memory, and 50 for a receiver with `effects` or `rows` of its own
   */
  readonly settle?: number | undefined;
  /** Runs this plan alone, as the message of a {@link ProofError} shows it. */
  readonly replay?: Plan | undefined;
  /** Receives how far the proof is, after each run. @default - a line a second on stderr, if that is a terminal */
  readonly onProgress?: ((progress: ProofProgress) => void) | undefined;
}

/** What was tried without breaking a rule. */
export interface Proof {
  readonly seed: number;
  /** The number of runs that were really done, with the plain ones. */
  readonly runs: number;
  /** The number of deliveries in all runs, including plain runs and retries. */
  readonly deliveries: number;
}

const DEFAULT_RUNS = 100;

const readOptions = options<ProveOptions>("proveReceiver", {
  events: { required: someEvents },
  seed: wholeNumber(0),
  runs: wholeNumber(1),
  maxTime: wholeNumber(1),
  settle: wholeNumber(0),
  invariants: anything,
  replay: readPlan,
  onProgress: aFunction,
});

/**
 * Searches for a sequence of deliveries that makes a receiver lose an event, repeat an effect, or show an old state.
 *
 * A seed determines duplicates, deliveries out of order, simultaneous deliveries, lost responses, failures of stores, crashes
 * between any two calls, clock skew, unknown types, two events of one time, wrong dates, forged signatures, and a change of the
 * secret. If the receiver has a `catchUp`, it runs beside the deliveries. After each run the sender
 * retries until everything is accepted, and the rules are checked:
 *
 * - forged deliveries are rejected
 * - every delivery is accepted in the end
 * - nothing is lost: an accepted event has left its effects, is kept in a poison store, or a newer one of its object was handled
 * - an effect happens once
 * - the newest state wins: no row shows an event that is older than an accepted one of the same object. A date from the future
 *   counts as the time of the first claim
 *
 * Rejects with a {@link ProofError} that shows the shortest sequence found, as a test to paste, and what the receiver printed. No
 * other run prints anything: its failures are planned. A rule that was broken once, and
 * not again by the same sequence, is an error too: its receiver depends on time or chance. A crash happens at calls of
 * the world, and not between two lines of your own. It is not a mathematical proof: it only says that this many runs found
 * nothing.
 *
 * Throws a TypeError for options that cannot work, and an Error for a receiver that does not handle one of `events` even
 * without faults. Needs the package fast-check.
 *
 * @example
 * ```ts
 * await proveReceiver(
 *   (world) =>
 *     createReceiver({
 *       secret: world.secrets,
 *       clock: world.clock,
 *       store: world.store(() => memoryStore({ clock: world.clock })),
 *       handlers: {
 *         "sim.activated": (event, { idempotencyKey }) => world.effect("mail", event, { key: idempotencyKey }),
 *       },
 *     }),
 *   { events: ["sim.activated"] },
 * );
 * ```
 */
export async function proveReceiver(build: Build, given: ProveOptions): Promise<Proof> {
  if (typeof build !== "function")
    throw mistake(
      "proveReceiver requires a function that builds the receiver: (world) => createReceiver({ … }).",
    );
  const own = readOptions(given);
  return divertPrints(() => search(build, own));
}

async function search(build: Build, own: ProveOptions): Promise<Proof> {
  const { events, seed = newSeed(), runs = DEFAULT_RUNS, replay, settle } = own;
  const runner: Runner = { build, types: events, settle };
  const { maxTime = Infinity } = own;
  const start = performance.now();
  const { traces, calls, catchesUp } = await keepPrints([], () => traceEach(runner));
  const invariants = Object.entries(own.invariants ?? {}).map(([name, rule]) => [
    name,
    hideUnknown(rule),
  ]);
  const rules = {
    ...builtIn(traces),
    ...(Object.fromEntries(invariants) as ProveOptions["invariants"]),
  };
  const size = { types: events.length, calls, catchesUp };
  const plain = plainPlans(size);
  const planned = replay === undefined ? plain.length + runs : 1;
  const counts = { runs: 0, deliveries: 0 };
  const report = createProgress("proveReceiver", own.onProgress);
  let last: Broken | undefined;
  const tried = async (plan: Plan): Promise<Broken | undefined> => {
    const story: string[] = [];
    const printed: string[] = [];
    const run = await keepPrints(printed, () => runPlan(runner, plan, (line) => story.push(line)));
    counts.runs++;
    counts.deliveries += run.deliveries.length;
    const broken = await firstBroken(rules, run);
    if (broken !== undefined)
      last = { ...broken, story, printed, plan: shorten(plan), isRepeated: true };
    report({ runs: counts.runs, planned, broken: last?.rule });
    return broken && last;
  };
  if (replay !== undefined) {
    const broken = await tried(replay);
    if (broken === undefined) return { seed, ...counts };
    throw new ProofError({ ...broken, seed: undefined });
  }

  const { counterexample, errorInstance } = await fc.check(
    fc.asyncProperty(plans(size), async (plan) => {
      if (performance.now() - start >= maxTime) return true;
      return (await tried(plan)) === undefined;
    }),
    { seed, numRuns: planned, examples: plain.map((plan) => [plan]) },
  );
  // A rule was broken, even if nothing breaks it again.
  if (last !== undefined) {
    const found: Broken = last;
    const plan = counterexample?.[0];
    const again = plan && (await tried(plan));
    throw new ProofError({ ...(again ?? { ...found, isRepeated: false }), seed });
  }
  // The function that builds the receiver has thrown, or one that reads its database.
  if (counterexample !== null) throw errorInstance as Error;
  if (counts.runs < planned)
    throw new Error(
      `${counts.runs} of ${planned} runs in ${maxTime / 1_000} s, no rule broken. Raise maxTime, or lower runs.`,
    );
  return { seed, ...counts };
}

/** A user's rule does not know the type that nobody knows. */
function hideUnknown(rule: Invariant): Invariant {
  return (history) =>
    rule({
      ...history,
      deliveries: history.deliveries.filter(({ event }) => !isUnknownType(event.type)),
      effects: history.effects.filter(({ event }) => !isUnknown(event)),
      rows: new Map([...history.rows].filter(([, { type }]) => !isUnknownType(type))),
    });
}

/** Delivers one event of each type without a fault, to see what it leaves, and how many calls it makes. */
async function traceEach(runner: Runner) {
  const traces = new Map<string, Trace>();
  const { types } = runner;
  let most = 0;
  let catchesUp = false;
  // The indexes after the last type are unknown ones.
  for (let index = 0; index < 2 * types.length; index++) {
    const [first, second] = [{ deliver: [[index, 0, 0]] }, { deliver: [], catchUp: true }] as const;
    const run = await runPlan(runner, { steps: [first] });
    const event = toEvent(types, [index, 0, 0]);
    const { type } = event;
    const trace = traceOf(event, run);
    const leavesNothing = trace.effects.length === 0 && !trace.writesRow;
    if (leavesNothing && index < types.length)
      throw new Error(
        `One ${type}, delivered without any fault, leaves no effect and no row. ${adviceFor(run.deliveries[0]?.status)}`,
      );
    if (!leavesNothing) traces.set(type, trace);
    if (index < types.length) most = Math.max(most, run.calls);
    catchesUp = run.catchesUp;
    if (!catchesUp) continue;
    const { catchUpProblem } = await runPlan(runner, { steps: [first, second] });
    if (catchUpProblem !== undefined)
      throw new Error(
        `catchUp fails for one ${type} that was delivered before, although nothing has failed on purpose. See its cause.`,
        { cause: catchUpProblem },
      );
  }
  return { traces, calls: Math.min(most + MORE_CALLS, MOST_CALLS), catchesUp };
}

/** What was struck before may make more calls than a delivery to which nothing has happened. */
const MORE_CALLS = 2;
/** Of a delivery with more calls, each of the first ones is struck. */
const MOST_CALLS = 30;

function adviceFor(status: number | undefined): string {
  if (status === undefined)
    return "It did not respond: the handler waits for something that does not come. Pass world.clock to what waits for a time, and world.database(pool) in place of a database.";
  if (status === 401)
    return "The response was 401: pass world.secrets as the secret, and world.clock as the clock.";
  if (isAccepted(status))
    return `The response was ${status}, so no handler has failed. Let the handler call world.effect or world.rows and await it, or return effects or rows of your own database.`;
  return `The response was ${status}, although nothing has failed on purpose. Print what onError receives: it names the handler or the store.`;
}

function someEvents(events: unknown): EventType[] {
  if (!Array.isArray(events) || events.length === 0)
    throw mistake("proveReceiver requires events: the types that your handlers act on.");
  for (const type of events)
    if (!(eventTypes as readonly unknown[]).includes(type))
      throw mistake(`${JSON.stringify(type)} is not an event type; eventTypes lists them.`);
  return events;
}
