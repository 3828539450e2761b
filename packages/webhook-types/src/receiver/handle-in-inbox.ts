import { watchFor } from "@fieldmesh/core/internal";
import { faultOf } from "@fieldmesh/core/internal/database";
import type { EventEnvelope } from "../events/envelope.ts";
import type { Inbox, InboxOutcome, InboxTransaction } from "../stores/idempotency-store.ts";
import type { ObjectClaim } from "../stores/object-order.ts";
import { claimObject, prepareOrder } from "./ask-order.ts";
import { failed, storeFailed, type EventOutcome } from "./event-outcome.ts";
import { hangs, LONGEST_STORE_WAIT, traceStore, checkCommitted, RETRY_IN } from "./ask-store.ts";
import type { EventOrigin, HandleEventOptions } from "./handle-event-options.ts";
import type { EventContext } from "../router/event-handlers.ts";
import { namingSlow } from "./slow-handlers.ts";

/** Whether `poison` may have counted failures of an event, which is then asked to remove them. */
export interface EarlierFailures {
  mayExist: boolean;
}

/** Handles an event in the transaction of an inbox, which marks it under its key. */
export async function handleInInbox(
  event: EventEnvelope,
  key: string,
  inbox: Inbox,
  own: HandleEventOptions,
  failures: EarlierFailures,
  { delivery, body = event, signal: request, evenIfOlder = false }: EventOrigin,
): Promise<EventOutcome> {
  const { router, tenant, poison } = own;
  let failure: { readonly error: unknown } | undefined;
  let hasRun = false;
  let claimed: ObjectClaim | undefined;
  let lost: AbortSignal | undefined;
  try {
    // Before the transaction, which a failing handler rolls back.
    const asked = await prepareOrder(event, own, body);
    const work = async ({ signal, enter, transaction }: InboxTransaction): Promise<void> => {
      // An inbox may run the work again, after a conflict with another transaction.
      failure = undefined;
      hasRun = false;
      claimed = undefined;
      lost = signal;
      if (asked === "unreadable") claimed = "ambiguous";
      else if (asked !== undefined) claimed = await claimObject(asked, transaction);
      if (claimed === "locked") throw new Error(LOCKED);
      if (claimed === "older" && evenIfOlder) claimed = "ambiguous";
      try {
        if (claimed !== "older") {
          const context: EventContext = {
            idempotencyKey: key,
            attempt: 1,
            delivery,
            signal,
            order: claimed,
            ...(tenant !== undefined && { tenant }),
          };
          enter(context);
          await namingSlow(event, () => router.dispatch(event as never, context));
        }
        hasRun = true;
        failures.mayExist = poison?.store.removeIn?.(key, transaction, inbox) !== true;
      } catch (error) {
        failure = { error };
        // Thrown again, so that the writes of the other handlers are undone together with the mark.
        throw error;
      }
    };
    const outcome: unknown = await traceStore("run", () => runWithin(inbox, key, work, request));
    if (outcome === "in_progress") return { outcome, retryIn: RETRY_IN };
    if (outcome === "done") return { outcome: "duplicate" };
    checkCommitted(outcome, hasRun);
    return { outcome: claimed === "older" ? "superseded" : "handled" };
  } catch (error) {
    if (claimed === "locked") return { outcome: "in_progress", retryIn: RETRY_IN };
    if (failure !== undefined && lost?.aborted !== true) return failed(failure.error);
    return hasRun && faultOf(error) === "work" ? failed(error) : storeFailed(error);
  }
}

/** Undoes the mark. The error stays in here. */
const LOCKED = "Another event of this object is being handled.";

/** Runs work in an inbox, which has 10 s to begin it, and 10 s to commit after it. Handlers have no limit. */
async function runWithin(
  inbox: Inbox,
  id: string,
  work: (transaction: InboxTransaction) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<InboxOutcome> {
  const late = Promise.withResolvers<never>();
  let isTooLate = false;
  const startTimer = (): (() => void) =>
    watchFor(LONGEST_STORE_WAIT, () => {
      isTooLate = true;
      late.reject(new Error(hangs("run")));
    });
  let stopTimer = startTimer();
  const watched = async (transaction: InboxTransaction): Promise<void> => {
    // The delivery has received its response: its sender retries.
    if (isTooLate) throw new Error(hangs("run"));
    stopTimer();
    try {
      await work(transaction);
    } finally {
      stopTimer = startTimer();
    }
  };
  try {
    return await Promise.race([inbox.run(id, watched, { signal }), late.promise]);
  } finally {
    stopTimer();
    isTooLate = true;
  }
}
