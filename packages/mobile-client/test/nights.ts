import { type Clock, systemClock } from "@fieldmesh/core";
import { sourceOf } from "@fieldmesh/webhook-types";
import { parseEvent } from "@fieldmesh/webhook-types/parse";
import {
  type EventStore,
  handleEvent,
  type Inbox,
  type ObjectOrder,
} from "@fieldmesh/webhook-types/receiver";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import {
  catchUp,
  createMobileClient,
  type CatchUpCheckpoint,
  type CatchUpOptions,
  type CatchUpReport,
} from "../src/index.ts";

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const START = Date.parse("2026-11-01T00:00:00Z");
const SEVEN_DAYS = 7 * DAY;

/** The orders of a list. One that is sorted by date shows a wrong date at its place, and not where it happened. */
export const orders = ["oldest_first", "newest_first", "newest_date_first", "none"] as const;
export type Order = (typeof orders)[number];
/** Stores that forget what is done after seven days, as `cleanUp` makes them. */
export const stores = ["lease", "inbox"] as const;

/** Returns an event in the form of the list of stored events. */
export function storedEvent(id: string, more: object = {}) {
  return {
    id,
    type: "plan.created",
    created_at: "2026-11-20T08:30:00Z",
    livemode: false,
    data: { object: { id: "plan_1" } },
    idempotency_key: "i",
    ...more,
  };
}

type Item = ReturnType<typeof storedEvent>;

/** A service, a receiver, and a nightly job, with one clock. */
export function startNights(
  listOrder: Order,
  { kind = "lease", page = 5, order }: { kind?: string; page?: number; order?: ObjectOrder } = {},
) {
  let now = START;
  const clock: Clock = { ...systemClock, now: () => now };
  const items: Item[] = [];
  const added = new Map<Item, number>();
  /** How often the handlers of an event have run, and where it came from the last time. */
  const runs = new Map<string, { count: number; source: string; order: string | undefined }>();
  const failing = new Set<string>();
  const reports: CatchUpReport[] = [];
  let checkpoint: CatchUpCheckpoint | undefined;
  const world = { order: listOrder, requests: 0 };

  const sorted = (): Item[] => {
    if (world.order === "oldest_first") return items;
    if (world.order === "newest_first") return items.toReversed();
    if (world.order === "none") return items.toSorted((a, b) => mix(a.id) - mix(b.id));
    const dates = (item: Item): number => Date.parse(item.created_at) || added.get(item)!;
    return items.toReversed().sort((a, b) => dates(b) - dates(a));
  };
  const client = createMobileClient({
    baseUrl: "https://mobile.test",
    apiKey: "sk_sandbox_x",
    retry: false,
    onDrift: () => undefined,
    fetch: async (url) => {
      world.requests++;
      const at = Number(new URL(url).searchParams.get("cursor") ?? 0);
      const next = at + page < items.length ? { cursor: String(at + page) } : {};
      return Response.json({ data: sorted().slice(at, at + page), ...next });
    },
  });
  const router = createEventRouter({
    "*": (event, context) => {
      if (failing.has(event.id)) throw new Error("no database");
      const count = (runs.get(event.id)?.count ?? 0) + 1;
      runs.set(event.id, { count, source: sourceOf(event), order: context.order });
    },
  });
  const store = (kind === "inbox" ? inboxOf : storeOf)(clock);
  const receiver = { router, store, order, clock };

  return {
    world,
    store,
    runs,
    failing,
    items,
    reports,
    checkpoint: () => checkpoint,
    now: () => now,
    wait: (ms: number) => void (now += ms),
    /** Stores an event. `ahead` is how far its date is ahead of the clock. */
    add(id: string, ahead = 0, more: object = {}): string {
      const created_at = new Date(now + ahead).toISOString();
      const data = { object: { id: `plan_${id}` } };
      const item = storedEvent(id, { created_at, data, ...more });
      items.push(item);
      added.set(item, now);
      return id;
    },
    remove: (id: string) =>
      items.splice(
        items.findIndex((item) => item.id === id),
        1,
      ),
    deliver: (id: string) =>
      handleEvent(
        parseEvent(
          items.find((item) => item.id === id)!,
          { validation: "off" },
        ),
        receiver,
      ),
    /** Runs the nightly job with the checkpoint of the last complete run. */
    async night(options: Partial<CatchUpOptions> = {}) {
      reports.length = 0;
      world.requests = 0;
      return catchUp({
        ...receiver,
        client,
        since: new Date(now - store.remembers!),
        checkpoint,
        onCheckpoint: (next) => void (checkpoint = JSON.parse(JSON.stringify(next)) as typeof next),
        onOutcome: (report) => void reports.push(report),
        validation: "off",
        ...options,
      });
    },
  };
}
export type Nights = ReturnType<typeof startNights>;

function mix(id: string): number {
  return (Number(id.replace(/\D/g, "")) * 7_919 + id.length) % 101;
}

/** Marks that end after seven days. */
function marksOf(clock: Clock) {
  const done = new Map<string, number>();
  return {
    isDone: (id: string): boolean => clock.now() - (done.get(id) ?? -Infinity) < SEVEN_DAYS,
    mark: (id: string): void => void done.set(id, clock.now()),
  };
}

function storeOf(clock: Clock): EventStore {
  const { isDone, mark } = marksOf(clock);
  return {
    remembers: SEVEN_DAYS,
    claim: async (id) => (isDone(id) ? { status: "done" } : { status: "claimed", attempt: 1 }),
    extend: async () => true,
    complete: async (id) => (mark(id), true),
    release: async () => undefined,
  };
}

function inboxOf(clock: Clock): Inbox {
  const { isDone, mark } = marksOf(clock);
  return {
    remembers: SEVEN_DAYS,
    async run(id, work) {
      if (isDone(id)) return "done";
      await work({ signal: new AbortController().signal, enter: () => undefined });
      mark(id);
      return "committed";
    },
  };
}
