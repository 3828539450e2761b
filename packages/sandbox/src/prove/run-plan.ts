import { signedRequest, type EventType } from "@fieldmesh/webhook-types";
import { createVirtualClock } from "../engine/time/virtual-clock.ts";
import { RETRY_DELAYS } from "../engine/webhooks/delivery.ts";
import { isAccepted, type Delivery, type History } from "./history.ts";
import { CALL_FAULTS, isCallFault, type Plan, type PlannedEvent, type Step } from "./plan.ts";
import { idOf, toEvent } from "./planned-event.ts";
import { createProcess, type DeliveryState, type Process } from "./process.ts";
import type { Strike } from "./calls.ts";
import type { Build, Subject } from "./subject.ts";
import { createTurns, type Flow } from "./turns.ts";
import type { Remains } from "./world.ts";

const START = Date.UTC(2026, 0, 1);
const SECOND = 1_000;
const URL = "http://127.0.0.1/webhooks";
const OLD_SECRET = "whsec_prove_old_0123456789";
const NEW_SECRET = "whsec_prove_new_0123456789";
const FORGER = "whsec_prove_forged_0123456789";
/** A delivery that neither waits nor ends is given so many seconds of the clock, and then up. */
const PATIENCE = 10;
/** The default of `settle` for a receiver that shows what its own database holds. */
const SETTLE = 50;

/** What happened in a run, for the rules. */
export interface Run extends History {
  /** The calls of the first delivery of the last step, for plans that strike each. */
  readonly calls: number;
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
  let secrets: readonly [string, ...string[]] = [OLD_SECRET];
  let calls = 0;
  let callsOfStep = 0;
  let fault: Step["fault"];
  let print = log;
  let first: Flow | undefined;

  const strike: Strike = (label, flow, isLocal = false) => {
    const planned = flow === first && fault?.at === calls++ ? fault.kind : undefined;
    if (!isCallFault(planned)) return undefined;
    const kind = isLocal && planned === "error after" ? "error before" : planned;
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
      clock: { ...clock, now: () => clock.now() + (plan.skew ?? 0) * SECOND },
    });
  let process: Process | undefined;

  const deliver = async (planned: readonly PlannedEvent[], order?: readonly number[]) => {
    calls = 0;
    first = undefined;
    const open = [];
    for (const [index, each] of planned.entries()) {
      if (process === undefined || process.hasDied) process = await start();
      const event = toEvent(types, each);
      const isForged = fault?.kind === "forged" && index === 0;
      print(`deliver ${event.id}${isForged ? " without the secret" : ""}`);
      const request = await signedRequest(event, {
        url: URL,
        secret: isForged ? FORGER : secrets[0],
        timestamp: Math.floor(clock.now() / SECOND),
      });
      const state: DeliveryState = { hasEnded: false, status: undefined };
      // The first call of a database may be made at once.
      first ??= state;
      await process.deliver(request, state);
      open.push({ event, isForged, state });
    }
    let turn = 0;
    for (let patience = 0; patience < PATIENCE;) {
      if (turns.waiting > 0) await turns.release(order?.[turn++] ?? 0);
      else if (open.every(({ state }) => state.hasEnded)) break;
      else {
        await turns.queriesEnded();
        if (turns.waiting > 0 || open.every(({ state }) => state.hasEnded)) continue;
        await clock.advance(SECOND);
        patience++;
      }
    }
    for (const { event, isForged, state } of open) {
      const isLost = fault?.kind === "response lost" && state.status !== undefined;
      print(`  ${event.id} → ${state.status ?? "no response"}${isLost ? ", which is lost" : ""}`);
      sent.push({ event, status: isLost ? undefined : state.status, isForged });
    }
  };

  for (const [index, step] of plan.steps.entries()) {
    if (index === plan.rotateAt) {
      print("the sender changes to a new secret");
      secrets = [NEW_SECRET, OLD_SECRET];
    }
    fault = step.fault;
    await deliver(step.deliver, step.turns);
    callsOfStep = calls;
    await clock.advance((step.wait ?? 0) * SECOND);
  }
  fault = undefined;
  // Nothing fails any more: whatever was not accepted comes again, as the service sends it.
  for (const [retry, delay] of RETRY_DELAYS.entries()) {
    const left = unaccepted(plan, types, sent);
    if (left.length === 0) break;
    if (retry === 1) print("the sender retries until its schedule ends");
    if (retry > 0) print = () => {};
    await clock.advance(delay);
    for (const each of left) await deliver([each]);
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
    calls: callsOfStep,
  };
}

function hasOwnDatabase(subject: Subject | undefined): boolean {
  return subject?.effects !== undefined || subject?.rows !== undefined;
}

/** The events of a plan for which no delivery was accepted, each once. */
function unaccepted(
  plan: Plan,
  types: readonly EventType[],
  sent: readonly Delivery[],
): PlannedEvent[] {
  const events = new Map(
    plan.steps.flatMap(({ deliver }) => deliver).map((each) => [idOf(types, each), each]),
  );
  for (const { event, status, isForged } of sent)
    if (!isForged && isAccepted(status)) events.delete(event.id);
  return [...events.values()];
}
