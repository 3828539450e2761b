// Why it is so: docs/decisions/29-a-proof-is-a-search.md
import { checkInteger, checkOptionNames, requireOptions } from "@fieldmesh/core";
import { eventTypes, type EventType } from "@fieldmesh/webhook-types";
import fc from "fast-check";
import type { History, Invariant } from "./history.ts";
import { builtIn, type Trace } from "./invariants.ts";
import { plainPlans, plans, shorten, type Plan } from "./plan.ts";
import { ProofError } from "./proof-error.ts";
import { runPlan } from "./run-plan.ts";
import type { Build } from "./subject.ts";

/** Options of {@link proveReceiver}. */
export interface ProveOptions {
  /** The types that your handlers act on. Each must leave an effect or a row when nothing goes wrong. */
  readonly events: readonly EventType[];
  /** Determines every run: the same seed leads to the same runs. @default - a new one, which the result and an error name */
  readonly seed?: number | undefined;
  /** How many random runs follow the plain ones, in which each fault strikes each of the first ten calls. @default 100 */
  readonly runs?: number | undefined;
  /** Your own rules by name, in addition to the built-in ones. */
  readonly invariants?: Readonly<Record<string, Invariant>> | undefined;
  /** Runs this plan alone, as the message of a {@link ProofError} shows it. */
  readonly replay?: Plan | undefined;
}

/** What was tried without breaking a rule. */
export interface Proof {
  readonly seed: number;
  readonly runs: number;
  /** The number of deliveries in all runs, including plain runs and retries. */
  readonly deliveries: number;
}

const DEFAULT_RUNS = 100;
const NAMES = ["events", "seed", "runs", "invariants", "replay"];

/**
 * Searches for a sequence of deliveries that makes a receiver lose an event, repeat an effect, or show an old state.
 *
 * A seed determines duplicates, deliveries out of order, simultaneous deliveries, lost responses, failures of stores, crashes
 * between any two calls, clock skew, unknown types, forged signatures, and a change of the secret. After each run the sender
 * retries until everything is accepted, and the rules are checked:
 *
 * - forged deliveries are rejected
 * - every delivery is accepted in the end
 * - nothing is lost: an accepted event has left its effects, or a newer one of its object was accepted
 * - an effect happens once
 * - the newest state wins: no row shows an event that is older than an accepted one of the same object
 *
 * Rejects with a {@link ProofError} that shows the shortest sequence found, as a test to paste. A crash happens at calls of
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
export async function proveReceiver(build: Build, options: ProveOptions): Promise<Proof> {
  checkOptions(build, options);
  const { events, seed = newSeed(), runs = DEFAULT_RUNS, invariants, replay } = options;
  const rules = { ...builtIn(await traceEach(build, events)), ...invariants };
  let deliveries = 0;
  const broken = async (plan: Plan, log?: (line: string) => void) => {
    const history = await runPlan(build, events, plan, log);
    deliveries += history.deliveries.length;
    return brokenRule(rules, history);
  };
  const holds = async (plan: Plan) => (await broken(plan)) === undefined;
  const plan = replay ?? (await findPlan(events.length, holds, seed, runs));
  if (plan === undefined) return { seed, runs, deliveries };
  const story: string[] = [];
  const rule = await broken(plan, (line) => story.push(line));
  if (rule === undefined) return { seed, runs: 1, deliveries };
  throw new ProofError({
    ...rule,
    story,
    plan: shorten(plan),
    seed: replay === undefined ? seed : undefined,
  });
}

/** Returns the shortest plan found under which the rules do not hold. */
async function findPlan(
  types: number,
  holds: (plan: Plan) => Promise<boolean>,
  seed: number,
  runs: number,
): Promise<Plan | undefined> {
  const plain = plainPlans(types);
  const { counterexample } = await fc.check(fc.asyncProperty(plans(types), holds), {
    seed,
    numRuns: plain.length + runs,
    examples: plain.map((plan) => [plan]),
  });
  return counterexample?.[0];
}

async function brokenRule(
  rules: Readonly<Record<string, Invariant>>,
  history: History,
): Promise<{ rule: string; problem: string } | undefined> {
  for (const [rule, holds] of Object.entries(rules)) {
    const problem = await (async () => holds(history))().catch((error: unknown) => String(error));
    if (typeof problem === "string") return { rule, problem };
  }
  return undefined;
}

/** Delivers one event of each type without a fault, to see what it leaves. */
async function traceEach(
  build: Build,
  events: readonly EventType[],
): Promise<ReadonlyMap<string, Trace>> {
  const traces = new Map<string, Trace>();
  for (const [index, type] of events.entries()) {
    const { deliveries, effects, rows } = await runPlan(build, events, {
      steps: [{ deliver: [[index, 0, 0]] }],
    });
    const trace = { effects: effects.map(({ name }) => name), writesRow: rows.size > 0 };
    if (trace.effects.length === 0 && !trace.writesRow)
      throw new Error(
        `One ${type}, delivered without any fault, leaves no effect and no row. ${adviceFor(deliveries[0]?.status)}`,
      );
    traces.set(type, trace);
  }
  return traces;
}

function adviceFor(status: number | undefined): string {
  if (status === 401)
    return "The response was 401: pass world.secrets as the secret, and world.clock as the clock.";
  return `The response was ${status ?? "none"}. Let the handler call world.effect or world.rows and await it, or return effects() of your own.`;
}

function newSeed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}

function checkOptions(build: unknown, options: ProveOptions): void {
  if (typeof build !== "function")
    throw new TypeError(
      "proveReceiver requires a function that builds the receiver: (world) => createReceiver({ … }).",
    );
  requireOptions("proveReceiver", options, "{ events }");
  checkOptionNames("proveReceiver", options, NAMES);
  const { events, runs = 1, seed = 0 } = options;
  if (!Array.isArray(events) || events.length === 0)
    throw new TypeError("proveReceiver requires events: the types that your handlers act on.");
  for (const type of events)
    if (!(eventTypes as readonly unknown[]).includes(type))
      throw new TypeError(`${JSON.stringify(type)} is not an event type; eventTypes lists them.`);
  checkInteger("runs", runs, 1);
  checkInteger("seed", seed, 0);
}
