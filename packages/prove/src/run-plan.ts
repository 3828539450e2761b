import { getOrInsertComputed, hasMethod, stringifyJson } from "@fieldmesh/core/internal";
import { signedRequest, type EventEnvelope, type EventType } from "@fieldmesh/webhook-types";
import type { PoisonStore } from "@fieldmesh/webhook-types/receiver";
import { createVirtualClock } from "@fieldmesh/sandbox/engine";
import { RETRY_DELAYS, storedCopy } from "@fieldmesh/sandbox/internal/engine";
import { isAccepted, type Delivery, type History, type Build, type Subject } from "./subject.ts";
import { CALL_FAULTS, isCallFault, type Plan, type PlannedEvent, type Step } from "./plan.ts";
import { idOf, toEvent } from "./planned-event.ts";
import { createProcess, type CatchUpState, type DeliveryState, type Process } from "./process.ts";
import type { Strike } from "./calls.ts";
import { createTurns, type Flow } from "./turns.ts";
import type { Mobile, Remains } from "./world.ts";

const START = Date.UTC(2026, 0, 1);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const URL = "http://127.0.0.1/webhooks";
const OLD_SECRET = "whsec_prove_old_0123456789";
const NEW_SECRET = "whsec_prove_new_0123456789";
const FORGER = "whsec_prove_forged_0123456789";
/** A delivery that neither waits nor ends is given so many seconds of the clock, and then up. */
const PATIENCE = 10;
/** The default of `settle` for a receiver that shows what its own database holds. */
const SETTLE = 50;

/** A delivery that waits for its response. */
type Sent = Pick<Delivery, "event" | "isForged"> & { readonly state: DeliveryState };

/** What happened in a run, for the rules. */
export interface Run extends History {
  /** The calls of the first delivery of the last step, for plans that strike each. */
  readonly calls: number;
  /** Whether the receiver handles stored events, and why the last time has failed. */
  readonly catchesUp: boolean;
  readonly catchUpProblem: unknown;
}

export interface Runner {
  readonly build: Build;
  readonly types: readonly EventType[];
  readonly settle: number | undefined;
}

/** Carries out a plan, then delivers without faults until everything is accepted, and returns what happened. */
export async function runPlan(
  { build, types, settle }: Runner,
  plan: Plan,
  log: (line: string) => void = () => {},
): Promise<Run> {
  const turns = createTurns(() => settle ?? (hasOwnDatabase(process?.subject) ? SETTLE : 0));
  const clock = createVirtualClock(START);
  const remains: Remains = { values: new Map(), effects: [], rows: new Map() };
  const sent: Delivery[] = [];
  const planned = new Map(
    plan.steps.flatMap(({ deliver }) => deliver).map((each) => [idOf(types, each), each]),
  );
  const firstSeen = new Map<string, number>();
  const now = () => clock.now() + (plan.skew ?? 0) * SECOND;
  const see = (id: string) => void getOrInsertComputed(firstSeen, id, now);
  let catchUpProblem: unknown;
  let secrets: readonly [string, ...string[]] = [OLD_SECRET];
  let calls = 0;
  let callsOfStep = 0;
  let fault: Step["fault"];
  let print = log;
  let first: Flow | undefined;

  const strike: Strike = (label, flow, isLocal = false) => {
    const struck = flow === first && fault?.at === calls++ ? fault.kind : undefined;
    if (!isCallFault(struck)) return undefined;
    const kind = isLocal && struck === "error after" ? "error before" : struck;
    print(`  ${label}: ${CALL_FAULTS[kind]}`);
    return kind;
  };
  const start = () =>
    createProcess(build, {
      turns,
      strike,
      log: (line) => print(line),
      remains,
      secrets: () => secrets,
      clock: { ...clock, now },
      mobile: mobileOf(() => [...planned.values()].map((each) => toEvent(types, each))),
    });
  let process: Process | undefined;
  const running = async () =>
    process === undefined || process.hasDied ? (process = await start()) : process;

  const deliver = async ({ deliver: events, turns: order, catchUp = false }: Step) => {
    calls = 0;
    first = undefined;
    const open: Sent[] = [];
    const catchingUp: CatchUpState = { hasEnded: true };
    if (catchUp && (await running()).subject.catchUp !== undefined) {
      print("catch up, beside the next deliveries");
      catchingUp.hasEnded = false;
      for (const id of planned.keys()) see(id);
      await (await running()).catchUp(catchingUp);
    }
    const hasEnded = () => catchingUp.hasEnded && open.every(({ state }) => state.hasEnded);
    for (const [index, each] of events.entries()) {
      const own = await running();
      const event = toEvent(types, each);
      const isForged = fault?.kind === "forged" && index === 0;
      if (!isForged) see(event.id);
      print(`deliver ${event.id}${isForged ? " without the secret" : ""}${dateOf(each, event)}`);
      const request = await signedRequest(event, {
        url: URL,
        secret: isForged ? FORGER : secrets[0],
        timestamp: Math.floor(clock.now() / SECOND),
      });
      const state: DeliveryState = { hasEnded: false, status: undefined };
      // The first call of a database may be made at once.
      first ??= state;
      await own.deliver(request, state);
      open.push({ event, isForged, state });
    }
    let turn = 0;
    for (let patience = 0; patience < PATIENCE;) {
      if (turns.waiting > 0) await turns.release(order?.[turn++] ?? 0);
      else if (hasEnded()) break;
      else {
        await turns.queriesEnded();
        if (turns.waiting > 0 || hasEnded()) continue;
        await clock.advance(SECOND);
        patience++;
      }
    }
    for (const { event, isForged, state } of open) {
      const isLost = fault?.kind === "response lost" && state.status !== undefined;
      print(`  ${event.id} → ${state.status ?? "no response"}${isLost ? ", which is lost" : ""}`);
      sent.push({ event, status: isLost ? undefined : state.status, isForged, at: now() });
    }
    catchUpProblem = catchingUp.problem;
  };

  for (const [index, step] of plan.steps.entries()) {
    if (index === plan.rotateAt) {
      print("the sender changes to a new secret");
      secrets = [NEW_SECRET, OLD_SECRET];
    }
    fault = step.fault;
    await deliver(step);
    callsOfStep = calls;
    await clock.advance((step.wait ?? 0) * SECOND);
  }
  fault = undefined;
  // Nothing fails any more: whatever was not accepted comes again, as the service sends it.
  for (const [retry, delay] of RETRY_DELAYS.entries()) {
    const left = unaccepted(planned, sent);
    if (left.length === 0) break;
    if (retry === 1) print("the sender retries until its schedule ends");
    if (retry > 0) print = () => {};
    await clock.advance(delay);
    for (const each of left) await deliver({ deliver: [each] });
  }
  // A process that has ended reads nothing.
  if (process?.hasDied === true) process = await start();
  const own = (await process?.subject.effects?.()) ?? [];
  const ownRows = (await process?.subject.rows?.()) ?? [];
  return {
    deliveries: sent,
    effects: [...remains.effects, ...own],
    rows: remains.rows,
    ownRows: [...ownRows],
    setAside: await setAsideIn([...remains.values.values(), process?.subject.poison]),
    firstSeen,
    calls: callsOfStep,
    catchesUp: process?.subject.catchUp !== undefined,
    catchUpProblem,
  };
}

function hasOwnDatabase(subject: Subject | undefined): boolean {
  return subject?.effects !== undefined || subject?.rows !== undefined;
}

/** Serves the stored copies of events, oldest first. */
function mobileOf(events: () => readonly EventEnvelope[]): Mobile {
  return {
    baseUrl: "https://mobile.prove",
    apiKey: "sk_sandbox_prove",
    fetch: async () => {
      const data = events()
        .map((event) => storedCopy(event))
        .toSorted((a, b) => a.created_at.localeCompare(b.created_at));
      const body = stringifyJson({ data }, { reveal: true });
      return new Response(body, { headers: { "content-type": "application/json" } });
    },
  };
}

/** The ids that poison stores keep. */
async function setAsideIn(values: readonly unknown[]): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const value of values)
    if (hasMethod(value, "list") && hasMethod(value, "setAside"))
      for (const { id } of await (value as PoisonStore).list()) ids.add(id);
  return ids;
}

/** Names a date that surprises. */
function dateOf([, , second]: PlannedEvent, { created_at }: EventEnvelope): string {
  const isWrong = second === "unreadable" || second * SECOND > MINUTE;
  return isWrong ? `, created_at ${JSON.stringify(created_at)}` : "";
}

/** The planned events for which no delivery was accepted. */
function unaccepted(
  planned: ReadonlyMap<string, PlannedEvent>,
  sent: readonly Delivery[],
): PlannedEvent[] {
  const events = new Map(planned);
  for (const { event, status, isForged } of sent)
    if (!isForged && isAccepted(status)) events.delete(event.id);
  return [...events.values()];
}
