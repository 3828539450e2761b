import { anything, getOrInsertComputed, options, type Clock } from "@fieldmesh/core/internal";
import type { EventEnvelope } from "@fieldmesh/webhook-types";
import type {
  EventStore,
  IdempotencyStore,
  Inbox,
  InboxOrder,
  ObjectOrder,
} from "@fieldmesh/webhook-types/receiver";
import { wrapDatabase } from "./database.ts";
import type { Calls } from "./calls.ts";

/** What a receiver under proof is built from: everything here fails, crashes and takes turns as the plan says. */
export interface World {
  /** The sender's signing secrets, the newest first: pass the function itself as `secret`. They change in the middle of a run. */
  readonly secrets: () => readonly string[];
  /** The receiver's clock, which may differ from the sender's by up to four minutes. */
  readonly clock: Clock;
  /** The mobile service, which has only the list of stored events. Pass it to `createMobileClient` for `catchUp`. */
  readonly mobile: Mobile;
  /**
   * Returns what outlives a crash, such as a database: `make` is called once in a run, and later processes get the same
   * value.
   */
  survives<T>(name: string, make: () => T): T;
  /**
   * Wraps your own database: a pool of `pg`, or a database of `node:sqlite` or `better-sqlite3`. Each
   * query is a call, at which a fault or a crash can strike. A crash rolls back the transactions of its process. While a query is
   * open, the clock does not move.
   *
   * Use what it returns in place of the database. Create stores from it in the function that builds the receiver, and not in
   * `store` or `survives`, because each process has its own connections. Queries outside of a delivery never fail. Empty the
   * tables at the start of each run, for example in `survives`.
   *
   * @example
   * ```ts
   * const pool = await world.survives("tables", () => emptyTables());
   * const inbox = postgresInbox(world.database(pool));
   * ```
   */
  database<D extends object>(database: D): D;
  /** Makes a store that outlives crashes, and whose calls can fail. Works with inboxes too. */
  store<S extends EventStore>(make: () => S): S;
  /** Makes an order that outlives crashes, and whose calls can fail. */
  order<O extends ObjectOrder>(make: () => O): O;
  /**
   * Performs an effect outside of the receiver that cannot be undone, such as sending an email. Of several calls with the
   * same `key`, one takes effect, as in services that accept an idempotency key.
   */
  effect(
    name: string,
    event: EventEnvelope,
    options?: { readonly key?: string | undefined },
  ): Promise<void>;
  /** A table that outlives crashes. Each row shows the event that it was last written from. */
  readonly rows: Rows;
}

/** Settings of a client for the stored events. */
export interface Mobile {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: () => Promise<Response>;
}

/** A table of a simulated database. Its calls fail and crash as the plan says. */
export interface Rows {
  get(key: string): Promise<EventEnvelope | undefined>;
  set(key: string, event: EventEnvelope): Promise<void>;
  /** Reads and writes in one statement, as `INSERT … ON CONFLICT … WHERE` does; `change` returns the event that the row shows from then on. */
  update(key: string, change: (shown: EventEnvelope | undefined) => EventEnvelope): Promise<void>;
}

/** What outlives the processes of a run. */
export interface Remains {
  readonly values: Map<string | symbol, unknown>;
  readonly effects: Effect[];
  readonly rows: Map<string, EventEnvelope>;
}

/** An effect outside of the receiver, such as an email. */
export interface Effect {
  readonly event: string;
  readonly name: string;
}

type Crossing = Calls["cross"];

// No name that a user passes to `survives` can be one of these.
const STORE = Symbol("store");
const ORDER = Symbol("order");
const KEYS = Symbol("keys of effects");

export interface WorldOf {
  readonly secrets: () => readonly string[];
  readonly clock: Clock;
  readonly mobile: Mobile;
  readonly remains: Remains;
  readonly calls: Calls;
}

const readEffectOptions = options<{ readonly key?: string | undefined }>("world.effect", {
  key: anything,
});

/** Makes the world as one process sees it. */
export function createWorld({ secrets, clock, mobile, remains, calls }: WorldOf): World {
  const { cross, died } = calls;
  const databases = new Map<object, object>();
  const { values, effects, rows } = remains;
  const survives = <T>(name: string | symbol, make: () => T): T => {
    if (!values.has(name)) values.set(name, make());
    return values.get(name) as T;
  };
  return {
    secrets,
    clock,
    mobile,
    survives,
    database: <D extends object>(database: D): D => {
      // An order joins the transaction of an inbox if both have the same database.
      return getOrInsertComputed(databases, database, () => wrapDatabase(database, calls)) as D;
    },
    store: (make) => {
      const store = survives(STORE, make);
      return over(store, "run" in store ? inbox(store, cross, died) : leases(store, cross));
    },
    order: (make) => {
      const order = survives(ORDER, make);
      return over(order, ordered(order, cross));
    },
    effect: (name, { id }, given) => {
      const { key } = readEffectOptions(given);
      return cross(`effect ${JSON.stringify(name)}`, () => {
        const known = survives(KEYS, () => new Set<string>());
        const call = JSON.stringify([name, key]);
        const isRepeated = key !== undefined && known.has(call);
        known.add(call);
        if (!isRepeated) effects.push({ event: id, name });
      });
    },
    rows: {
      get: (key) => cross("rows: get", () => rows.get(key)),
      set: (key, event) => cross("rows: set", () => void rows.set(key, event)),
      update: (key, change) =>
        cross("rows: update", () => void rows.set(key, change(rows.get(key)))),
    },
  };
}

function leases(store: IdempotencyStore, cross: Crossing): IdempotencyStore {
  return {
    claim: (...all) => cross("store: claim", () => store.claim(...all)),
    extend: (...all) => cross("store: extend", () => store.extend(...all)),
    complete: (...all) => cross("store: complete", () => store.complete(...all)),
    release: (...all) => cross("store: release", () => store.release(...all)),
  };
}

function ordered(order: ObjectOrder, cross: Crossing): ObjectOrder {
  return {
    isOlder: (event) => cross("order: isOlder", () => order.isOlder(event)),
    remember: (event) => cross("order: remember", () => order.remember(event)),
    ...(order.firstClaim && {
      firstClaim: (...all: Parameters<NonNullable<ObjectOrder["firstClaim"]>>) =>
        cross("order: firstClaim", async () => (await order.firstClaim?.(...all)) ?? Number.NaN),
    }),
    ...(isInboxOrder(order) && {
      claimObject: (...all: Parameters<InboxOrder["claimObject"]>) =>
        cross("order: claimObject", () => order.claimObject(...all)),
    }),
  };
}

function isInboxOrder(order: ObjectOrder): order is InboxOrder {
  return "claimObject" in order;
}

/** A process that ends takes its transaction along: the work rejects, so that the inbox rolls it back. */
function inbox(store: Inbox, cross: Crossing, died: Promise<never>): Inbox {
  return {
    run: (id, work) =>
      cross("inbox: run", () =>
        store.run(id, (transaction) => Promise.race([work(transaction), died])),
      ),
  };
}

/** Keeps what else the object has, such as `transaction` of an inbox. */
function over<T extends object>(inner: T, wrapped: object): T {
  return Object.assign(Object.create(inner) as T, wrapped);
}
