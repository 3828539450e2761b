import { memberOf, readCheckpoint, systemClock, timeOfStamp } from "@fieldmesh/core/internal";
import type { EventEnvelope } from "@fieldmesh/webhook-types";
import {
  EventParseError,
  parseEvent,
  type EventParser,
  type ValidationOptions,
} from "@fieldmesh/webhook-types/parse";
import { handleFrom } from "@fieldmesh/webhook-types/internal/receiver";
import { keepPlace, type PagerOptions } from "@fieldmesh/http/internal";
import type { QueryIdentity } from "@fieldmesh/http/internal/pager";
import type { Events, StoredEvent } from "../events.ts";
import { readOptions, type CatchUpOptions } from "./catch-up-options.ts";
import { checkpointSchema, writeCheckpoint, type OpenEvent, keepOpen } from "./checkpoint.ts";
import { readDates } from "./dates.ts";
import { readEarlierRuns } from "./earlier-runs.ts";
import { readEvents, type ListedEvent } from "./read-events.ts";
import { countOutcomes, type CatchUpTotals } from "./totals.ts";
import { objectOf, watchWaiting } from "./waiting.ts";

/**
 * Reads the stored events that a receiver has missed, and handles those that were not handled yet, with the same router and
 * store.
 *
 * As long as the store remembers an event, it prevents it from being handled twice, whether it arrives as a webhook or in this
 * list. After a crash, run it again from the same time. Stored events never contain a one-time code or the recipient of an order.
 * `sourceOf(event)` tells a handler where an event comes from. Events of which only the delivery has a code wait until
 * `deliveriesEnd`. A payload that differs from its type is handled unchanged, as in the receiver; `validation` and `onDrift` are
 * the same options.
 *
 * Resolves with the totals when all events are handled. What is not done stays open in the store and in the checkpoint, and the
 * next run retries it, however old it is. Rejects if the list cannot be read.
 *
 * The published spec describes neither the order of the list nor its filters. Without a checkpoint, the list is read to its end.
 * With one, what is read depends on the order that the last run observed. Of a list that is oldest first, it is the last page and
 * what follows. Of one that is newest first, it is everything since the last run, and the time of `overlap` before. If the order
 * changes, or there is none, the whole list is read, and the totals say so.
 *
 * For a router that handles only stored events, use `createEventRouter<StoredEventMap>(…)`. The types of its handlers then show
 * what these events lack.
 *
 * @example
 * ```ts
 * const totals = await catchUp({ client, since: "2026-11-20T06:00:00Z", router, store });
 * console.log(totals.handled, totals.duplicate, totals.failed);
 * ```
 */
export async function catchUp(given: CatchUpOptions): Promise<CatchUpTotals> {
  const withPlace = keepPlace(catchUp);
  const { client, since, query, signal, onOutcome, concurrency = 1, ...more } = readOptions(given);
  const { checkpoint, onCheckpoint, overlap = OVERLAP, ...others } = more;
  const { deliveriesEnd = DELIVERIES_END, deliveryOnly = [], ...options } = others;
  const { parse = parseEvent, validation, onDrift, ...handling } = options;
  // Without unset options, so that a parser keeps its own.
  const checking = { ...(validation && { validation }), ...(onDrift && { onDrift }) };
  const { clock = systemClock, order } = handling;
  const { events } = client;
  const asked = identityOf(events, query);
  const resumed =
    checkpoint === undefined ? undefined : readCheckpoint(checkpointSchema, checkpoint, asked);
  const identity = resumed === undefined ? asked : { ...asked, query: resumed.query };

  const now = (): number => clock.now();
  const runBefore = resumed?.read_at ?? new Date(timeOfStamp(since)).toISOString();
  const dates = readDates(resumed?.undated ?? [], runBefore, now);
  const before = resumed?.open ?? [];
  const start = now();
  const open = keepOpen(before, start);
  // The store is checked by handleEvent.
  const remembers = Number(memberOf(handling.store, "remembers") ?? 0);
  const limits = { since: timeOfStamp(since), remembers, openOf: open.earlier };
  const earlier = readEarlierRuns({ ...limits, checkpoint: resumed, dates, start });
  const hasOrder = order !== undefined;
  const waiting = watchWaiting({ deliveryOnly, deliveriesEnd, hasOrder, open: before, now });
  const listOptions = { query: identity.query, ...(signal && { signal }) };
  const { again } = open;
  const place = { checkpoint: resumed, again, dates, overlap };
  const reading = readEvents({ events, options: listOptions, ...place });
  const outcomes = countOutcomes(onOutcome);

  async function handle(event: ListedEvent): Promise<void> {
    const { id, stored } = event;
    if (earlier.isBefore(event)) return;
    if (earlier.isForgotten(event)) return outcomes.addNotChecked();
    const until = waiting.untilOf(event);
    if (until !== undefined) {
      const waits = openEvent(event, "waiting", until);
      // The list may contain it twice.
      if (open.keep(waits)) outcomes.add(waits, "waiting");
      return;
    }
    const parsed = parseOne(stored, parse, checking);
    const unknown = earlier.uncertain(event);
    if ("event" in parsed && unknown !== undefined) return giveUp(unknown);
    const origin = { evenIfOlder: waiting.canWait(event) };
    const result = "event" in parsed ? await handleFrom(parsed.event, handling, origin) : parsed;
    const { outcome } = result;
    const error = "error" in result ? result.error : undefined;
    const end = waiting.endOf(event);
    const left = openEvent(event, outcome === "not_parsed" ? outcome : "failed", end);
    if (outcome === "not_parsed" && end <= now()) {
      const isKnown = open.earlier(id) === undefined && earlier.wasGivenUp(event, end);
      return isKnown ? outcomes.addNotChecked() : giveUp(left, error);
    }
    if (DONE.has(outcome)) open.close(id);
    else open.keep(left);
    outcomes.add(left, outcome, error);
  }

  function giveUp(event: OpenEvent, error?: unknown): void {
    open.close(event.id);
    if (!outcomes.isGivenUp(event.id)) outcomes.add(event, "given_up", error);
  }

  // The list may contain an event twice. The second one waits for the first, whose lease would look like that of another process.
  const inProgress = new Map<string, Promise<void>>();
  async function handleInTurn(event: ListedEvent): Promise<void> {
    const { id } = event;
    const run = (inProgress.get(id) ?? Promise.resolve()).then(() => handle(event));
    inProgress.set(id, run);
    await run.finally(() => inProgress.get(id) === run && inProgress.delete(id));
  }

  const inTurn = waiting.inTurn(reading.events);
  async function lane(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await inTurn.next();
        if (done === true) return;
        signal?.throwIfAborted();
        await handleInTurn(value);
      }
    } catch (error) {
      // Ends before another lane requests the same page again.
      await inTurn.return(undefined);
      throw error;
    }
  }
  // Waits for all lanes, so that no handler still runs when it rejects.
  const lanes = await Promise.allSettled(Array.from({ length: concurrency }, lane));
  for (const each of lanes) if (each.status === "rejected") throw withPlace(each.reason);
  for (const gone of open.takeGone()) outcomes.add(gone, "given_up");
  const { since: bound, read_at, readFrom } = earlier;
  const left = { since: bound, read_at, open: open.list() };
  await onCheckpoint?.(writeCheckpoint({ ...identity, ...reading.place(), ...left }));
  const wholeList = reading.wholeList();
  return {
    ...outcomes.totals(),
    open: left.open,
    ...(wholeList !== undefined && { wholeList }),
    ...(readFrom !== undefined && { readFrom }),
  };
}

const HOUR = 3_600_000;
const OVERLAP = 48 * HOUR;
/** Retries end after about 46 hours (observed). */
const DELIVERIES_END = 72 * HOUR;
/** After these outcomes, no later run needs the event. */
const DONE: ReadonlySet<string> = new Set(["handled", "duplicate", "superseded", "set_aside"]);

/** Returns what a checkpoint must match. */
function identityOf(events: Events, query: PagerOptions["query"]): QueryIdentity {
  const walk = events.list({}, query && { query }).walk();
  const { server, path, query: sent } = walk.checkpoint();
  return { call: "catchUp", server, path, query: sent };
}

function openEvent(event: ListedEvent, reason: OpenEvent["reason"], until: number): OpenEvent {
  const { id, type, createdAt, time, cursor } = event;
  const object = reason === "waiting" && !Number.isNaN(time) ? objectOf(event) : null;
  const left = { until: new Date(until).toISOString(), cursor, object };
  return { id, type, created_at: createdAt, reason, ...left };
}

type Parsed =
  | { readonly event: EventEnvelope }
  | { readonly outcome: "not_parsed"; readonly error: unknown };

function parseOne(
  stored: StoredEvent,
  parse: EventParser<object>,
  checking: ValidationOptions,
): Parsed {
  try {
    return { event: parse(stored, { source: "store", ...checking }) as EventEnvelope };
  } catch (error) {
    if (!(error instanceof EventParseError)) throw error;
    return { outcome: "not_parsed", error };
  }
}
