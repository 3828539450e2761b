import {
  aFunction,
  anything,
  aSignal,
  check,
  dateOfStamp,
  hasMethod,
  memberOf,
  mistake,
  notify,
  options,
  recordOf,
  readCheckpoint,
  wholeNumber,
} from "@fieldmesh/core/internal";
import type { EventEnvelope } from "@fieldmesh/webhook-types";
import {
  EventParseError,
  parseEvent,
  type EventParser,
  type ValidationOptions,
} from "@fieldmesh/webhook-types/parse";
import {
  handleEvent,
  type EventOutcome,
  type HandleEventOptions,
} from "@fieldmesh/webhook-types/receiver";
import type { PagerOptions } from "@fieldmesh/http";
import type { QueryIdentity } from "@fieldmesh/http/internal/pager";
import type { Events, StoredEvent } from "../events.ts";
import { checkpointSchema, writeCheckpoint, type CatchUpCheckpoint } from "./checkpoint.ts";
import { readEvents, textOf, type ListedEvent, type WholeList } from "./read-events.ts";

/** Options of {@link catchUp}. */
export interface CatchUpOptions extends HandleEventOptions, ValidationOptions {
  /** A client, or an object with its events. */
  readonly client: {
    /** The events of the client. */
    readonly events: Events;
  };
  /** Events that were created before this time are skipped. A string without a zone is UTC. */
  readonly since: Date | string;
  /** Parameters of the list that the published spec does not list, such as a time filter of your deployment. */
  readonly query?: PagerOptions["query"];
  /** Parses one event, for example a parser from `createEventParser`. @default parseEvent, with the source "store" */
  readonly parse?: EventParser<object> | undefined;
  /** The number of events that are handled in parallel. @default 1 */
  readonly concurrency?: number | undefined;
  /** Receives the outcome of each event. */
  readonly onOutcome?: ((report: CatchUpReport) => void) | undefined;
  /** Ends the run. Events in progress are finished, and no other event is started. */
  readonly signal?: AbortSignal | undefined;
  /**
   * What `onCheckpoint` of the last complete run received. Only what is new is read then, and the events that were left open.
   *
   * @default none: the whole list is read
   */
  readonly checkpoint?: CatchUpCheckpoint | undefined;
  /** Receives the checkpoint of a complete run, before `catchUp` resolves. Store it for the next run. */
  readonly onCheckpoint?: ((checkpoint: CatchUpCheckpoint) => void | Promise<void>) | undefined;
  /**
   * How many milliseconds before the newest event of the last run a list that is newest first is read again. An event may be
   * listed that much later than others. In an ordered list, a longer step back in time means that the order has changed.
   *
   * @default 172_800_000, 48 hours, in which a service delivers an event again (observed)
   */
  readonly overlap?: number | undefined;
}

/** The outcome of one event. */
export interface CatchUpReport {
  /** Empty if the item of the list has no id. */
  readonly id: string;
  /** Empty if the item has no type. */
  readonly type: string;
  readonly outcome: EventOutcome["outcome"] | "not_parsed";
  /** The error of a handler or of the store. Never contains the event. */
  readonly error: unknown;
}

/** The number of events by outcome. */
export interface CatchUpTotals extends Readonly<Record<CatchUpReport["outcome"], number>> {
  /**
   * Why a run with a checkpoint has read the whole list: the list has no order, its order is not that of the checkpoint, or it has
   * rejected the cursor of the checkpoint. Absent if it has read only what is new, and without a checkpoint.
   */
  readonly wholeList?: WholeList;
}

/**
 * Reads the stored events that a receiver has missed, and handles those that were not handled yet, with the same router and
 * store.
 *
 * The store prevents an event from being handled twice, whether it arrives as a webhook or in this list. After a crash, run it
 * again from the same time. Stored events never contain a one-time code or the recipient of an order. `sourceOf(event)` tells a
 * handler where an event comes from. A payload that differs from its type is handled unchanged, as in the receiver; `validation`
 * and `onDrift` are the same options.
 *
 * Resolves with the totals when all events are handled. Failed events stay open in the store, and the next run retries them.
 * Rejects if the list cannot be read.
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
  const {
    client,
    since,
    query,
    signal,
    onOutcome,
    concurrency = 1,
    ...others
  } = readOptions(given);
  const { checkpoint, onCheckpoint, overlap = OVERLAP, ...handling } = others;
  const from = timeFrom(since);
  const { events } = client;
  const asked = identityOf(events, query);
  const resumed =
    checkpoint === undefined ? undefined : readCheckpoint(checkpointSchema, checkpoint, asked);
  const identity = resumed === undefined ? asked : { ...asked, query: resumed.query };
  const listOptions = { query: identity.query, ...(signal && { signal }) };
  const totals = noTotals();
  const open = new Map<string, CatchUpCheckpoint["open"][number]>();

  async function handle({ stored, id, createdAt, cursor }: ListedEvent): Promise<void> {
    const result = await handleOne(stored, handling);
    totals[result.outcome]++;
    if (DONE.has(result.outcome)) open.delete(id);
    else if (id !== "") open.set(id, { id, created_at: createdAt || null, cursor });
    const error = "error" in result ? result.error : undefined;
    const report = { id, type: textOf(recordOf(stored)["type"]), outcome: result.outcome, error };
    notify("onOutcome", onOutcome, (call) => call(report));
  }

  // The list may contain an event twice. The second one waits for the first, whose lease would look like that of another process.
  const inProgress = new Map<string, Promise<void>>();
  async function handleInTurn(event: ListedEvent): Promise<void> {
    const { id } = event;
    const run = (inProgress.get(id) ?? Promise.resolve()).then(() => handle(event));
    inProgress.set(id, run);
    await run.finally(() => inProgress.get(id) === run && inProgress.delete(id));
  }

  const reading = readEvents({ events, options: listOptions, checkpoint: resumed, overlap });
  async function lane(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await reading.events.next();
        if (done === true) return;
        signal?.throwIfAborted();
        // An event with an invalid timestamp is handled too: the comparison with NaN is false.
        if (!(value.time < from)) await handleInTurn(value);
      }
    } catch (error) {
      // Ends before another lane requests the same page again.
      await reading.events.return(undefined);
      throw error;
    }
  }
  // Waits for all lanes, so that no handler still runs when it rejects.
  const lanes = await Promise.allSettled(Array.from({ length: concurrency }, lane));
  for (const each of lanes) if (each.status === "rejected") throw each.reason;
  await onCheckpoint?.(
    writeCheckpoint({ ...identity, ...reading.place(), open: [...open.values()] }),
  );
  const wholeList = reading.wholeList();
  return wholeList === undefined ? totals : { ...totals, wholeList };
}

const HOUR = 3_600_000;
const OVERLAP = 48 * HOUR;
/** After these outcomes, no later run needs the event. */
const DONE: ReadonlySet<string> = new Set(["handled", "duplicate", "superseded", "set_aside"]);

function noTotals(): Record<CatchUpReport["outcome"], number> {
  return {
    handled: 0,
    duplicate: 0,
    superseded: 0,
    in_progress: 0,
    set_aside: 0,
    not_set_aside: 0,
    failed: 0,
    lease_lost: 0,
    store_failed: 0,
    not_parsed: 0,
  };
}

function timeFrom(since: Date | string): number {
  const from = (typeof since === "string" ? dateOfStamp(since) : since).getTime();
  if (Number.isNaN(from)) throw mistake("since must be a Date, or an ISO 8601 string.");
  return from;
}

/** Returns what a checkpoint must match. */
function identityOf(events: Events, query: PagerOptions["query"]): QueryIdentity {
  const walk = events.list({}, query && { query }).walk();
  const { server, path, query: sent } = walk.checkpoint();
  return { call: "catchUp", server, path, query: sent };
}

const readOptions = /* @__PURE__ */ options<CatchUpOptions>("catchUp", {
  client: {
    required: /* @__PURE__ */ check("a client, such as createMobileClient({ … })", (value) =>
      hasMethod(memberOf(value, "events"), "list"),
    ),
  },
  since: {
    required: /* @__PURE__ */ check(
      "a Date, or an ISO 8601 string",
      (value) => typeof value === "string" || value instanceof Date,
    ),
  },
  // Checked by handleEvent and the parser.
  router: { required: anything },
  store: { required: anything },
  order: anything,
  tenant: anything,
  lease: anything,
  clock: anything,
  poison: anything,
  validation: anything,
  onDrift: anything,
  query: anything,
  parse: aFunction,
  concurrency: /* @__PURE__ */ wholeNumber(1),
  onOutcome: aFunction,
  signal: aSignal,
  checkpoint: anything,
  onCheckpoint: aFunction,
  overlap: /* @__PURE__ */ wholeNumber(0),
});

type HandlingOptions = HandleEventOptions & ValidationOptions & Pick<CatchUpOptions, "parse">;
type Handled = EventOutcome | { readonly outcome: "not_parsed"; readonly error: unknown };

async function handleOne(
  stored: StoredEvent,
  { parse = parseEvent, validation, onDrift, ...handling }: HandlingOptions,
): Promise<Handled> {
  let event: EventEnvelope;
  try {
    // Without unset options, so that a parser keeps its own.
    const checking = { ...(validation && { validation }), ...(onDrift && { onDrift }) };
    event = parse(stored, { source: "store", ...checking }) as EventEnvelope;
  } catch (error) {
    if (!(error instanceof EventParseError)) throw error;
    return { outcome: "not_parsed", error };
  }
  return await handleEvent(event, handling);
}
