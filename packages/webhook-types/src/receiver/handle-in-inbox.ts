import type { EventEnvelope } from "../events/envelope.ts";
import type { Inbox, InboxOutcome, InboxTransaction } from "../stores/idempotency-store.ts";
import { isConstraint } from "../stores/sqlite-errors.ts";
import type { ObjectClaim } from "../stores/object-order.ts";
import { claimLater } from "./ask-order.ts";
import { hangs, LONGEST_STORE_WAIT, traceStore } from "./ask-store.ts";
import type { EventOutcome } from "./event-outcome.ts";
import type { EventOrigin, HandleEventOptions } from "./handle-event-options.ts";
import type { EventContext } from "../router/event-context.ts";
import { checkCommitted, RETRY_IN } from "./store-results.ts";

/** Handles an event in the transaction of an inbox, which marks it under its key. */
export async function handleInInbox(
  event: EventEnvelope,
  key: string,
  inbox: Inbox,
  { router, order, tenant }: Pick<HandleEventOptions, "router" | "order" | "tenant">,
  { delivery, body, signal: request }: EventOrigin,
): Promise<EventOutcome> {
  let failure: { readonly error: unknown } | undefined;
  let hasRun = false;
  let claimed: ObjectClaim | undefined;
  try {
    const claim = claimLater(order, event, { tenant, source: body ?? event });
    const work = async ({ signal, enter, transaction }: InboxTransaction): Promise<void> => {
      // An inbox may run the work again, after a conflict with another transaction.
      failure = undefined;
      hasRun = false;
      claimed = undefined;
      claimed = await claim(transaction);
      if (claimed === "locked") throw new Error(LOCKED);
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
          await router.dispatch(event as never, context);
        }
        hasRun = true;
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
    if (failure !== undefined) return { outcome: "failed", error: failure.error };
    return hasRun && isAboutWork(error)
      ? { outcome: "failed", error }
      : { outcome: "store_failed", error };
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
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isTooLate = false;
  const startTimer = (): void => {
    timer = setTimeout(() => {
      isTooLate = true;
      late.reject(new Error(hangs("run")));
    }, LONGEST_STORE_WAIT);
  };
  const watched = async (transaction: InboxTransaction): Promise<void> => {
    // The delivery has received its response: its sender retries.
    if (isTooLate) throw new Error(hangs("run"));
    clearTimeout(timer);
    try {
      await work(transaction);
    } finally {
      startTimer();
    }
  };
  startTimer();
  try {
    return await Promise.race([inbox.run(id, watched, { signal }), late.promise]);
  } finally {
    clearTimeout(timer);
    isTooLate = true;
  }
}

const SQLSTATE = /^[0-9A-Z]{5}$/;
/** A lost connection, a transaction that the server ended for its age, missing resources, an operator, and errors of the database. */
const ABOUT_DATABASE = /^(?:08|25P03|25P04|53|57|58|F0|XX)/;

/** Whether a database rejected what the handlers have written, such as a deferred constraint that is checked on COMMIT. */
function isAboutWork(error: unknown): boolean {
  if (isConstraint(error)) return true;
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === "string" && SQLSTATE.test(code) && !ABOUT_DATABASE.test(code);
}
