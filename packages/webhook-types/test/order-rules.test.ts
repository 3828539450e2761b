import { DatabaseSync } from "node:sqlite";
import { createClient } from "redis";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createVirtualClock } from "../../sandbox/src/engine/time/clocks.ts";
import { startRedis } from "../../../tools/servers.ts";
import { signedRequest, type EventEnvelope, type WebhookEvent } from "../src/index.ts";
import { handleFrom } from "../src/internal-receiver.ts";
import { postgresMirror, sqliteMirror } from "../../mirror/src/index.ts";
import {
  createReceiver,
  handleEvent,
  memoryOrder,
  memoryPoison,
  memoryStore,
  runAgain,
  type EventStore,
  type ObjectOrder,
  type ReceiverOptions,
} from "../src/receiver/index.ts";
import { createQueueReceiver, createQueueWorker, type DeliveryJob } from "../src/queue/index.ts";
import { createEventRouter } from "../src/router/index.ts";
import { sampleEvent } from "../src/samples.ts";
import {
  postgresInbox,
  postgresOrder,
  postgresOrderTable,
  postgresStore,
  postgresTables,
  redisOrder,
  redisStore,
  sqliteInbox,
  sqliteOrder,
  sqliteStore,
} from "../src/stores/index.ts";
import { everyRuns, type CreatorsOf } from "./every-store.ts";
import { migrationOf, startMirrors } from "../../../tools/testing/mirrors.ts";

const redisServer = await startRedis();
const { server, newDatabase, openPool } = await startMirrors();
const hasServers = redisServer.url !== undefined && server.url !== undefined;
const orders = { memoryOrder, redisOrder, postgresOrder, sqliteOrder };
const mirrors = { postgresMirror, sqliteMirror };
const runs = everyRuns(
  { ...(orders satisfies CreatorsOf<ObjectOrder>), ...mirrors },
  { hasServers },
);

interface Setup {
  readonly order: ObjectOrder;
  readonly store: EventStore;
}

/** What differs between the orders. */
interface Kind {
  readonly of: keyof typeof orders | keyof typeof mirrors | "custom";
  readonly create: () => Setup | Promise<Setup>;
  /** A mirror stores every event, so that each one counts. */
  readonly isMirror?: true;
  /** Without `firstClaim`, each attempt is the first. */
  readonly forgets?: true;
}

const inSqlite = <T>(make: (database: DatabaseSync) => T): T => {
  const database = new DatabaseSync(":memory:");
  database.exec(migrationOf("sqlite"));
  return make(database);
};
let pool: ReturnType<typeof openPool>;
const redis = createClient({ url: redisServer.url ?? "redis://127.0.0.1" });
beforeAll(async () => {
  if (!hasServers) return;
  pool = openPool(await newDatabase());
  await pool.query(migrationOf("postgres") + postgresTables() + postgresOrderTable());
  await redis.connect();
});
afterAll(async () => {
  if (!hasServers) return;
  redis.destroy();
  await redisServer.stop();
});

/** An order of the user, which has only what the interface requires. */
function customOrder(): ObjectOrder {
  const whole = memoryOrder();
  return {
    isOlder: (event) => whole.isOlder(event),
    remember: (event) => whole.remember(event),
  };
}

const alone: Readonly<Record<string, Kind>> = {
  "memoryOrder with leases": {
    of: "memoryOrder",
    create: () => ({ order: memoryOrder(), store: memoryStore() }),
  },
  "a custom order with leases": {
    of: "custom",
    create: () => ({ order: customOrder(), store: memoryStore() }),
    forgets: true,
  },
  "sqliteOrder with leases": {
    of: "sqliteOrder",
    create: () => inSqlite((db) => ({ order: sqliteOrder(db), store: sqliteStore(db) })),
  },
  "sqliteOrder in an inbox": {
    of: "sqliteOrder",
    create: () => inSqlite((db) => ({ order: sqliteOrder(db), store: sqliteInbox(db) })),
  },
  "sqliteMirror in an inbox": {
    of: "sqliteMirror",
    create: () => inSqlite((db) => ({ order: sqliteMirror(db), store: sqliteInbox(db) })),
    isMirror: true,
  },
};
const onServers: Readonly<Record<string, Kind>> = {
  "redisOrder with leases": {
    of: "redisOrder",
    create: () => ({ order: redisOrder(redis), store: redisStore(redis) }),
  },
  "postgresOrder with leases": {
    of: "postgresOrder",
    create: () => ({ order: postgresOrder(pool), store: postgresStore(pool) }),
  },
  "postgresOrder in an inbox": {
    of: "postgresOrder",
    create: () => ({ order: postgresOrder(pool), store: postgresInbox(pool) }),
  },
  "postgresMirror in an inbox": {
    of: "postgresMirror",
    create: () => ({ order: postgresMirror(pool), store: postgresInbox(pool) }),
    isMirror: true,
  },
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const secret = "whsec_test";
const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
beforeEach(() => void warn.mockClear());

/** How an event comes to its handlers. */
type Way = (options: ReceiverOptions) => (event: WebhookEvent) => Promise<string>;

const received: Way = (options) => {
  const receive = createReceiver(options);
  return async (event) =>
    (await receive(await signedRequest(event, { url: "http://127.0.0.1/", secret }))).text();
};
const key = await crypto.subtle.importKey("raw", new Uint8Array(32), "AES-GCM", false, [
  "encrypt",
  "decrypt",
]);
const eventOptions = ({ store, order, clock, handlers }: ReceiverOptions) => ({
  store,
  order,
  clock,
  router: createEventRouter(handlers),
});
const ways: Readonly<Record<string, Way>> = {
  createReceiver: received,
  handleEvent: (options) => async (event) =>
    (await handleEvent(event, eventOptions(options))).outcome,
  runAgain: (options) => {
    const poison = { store: memoryPoison({ payload: "withoutSecrets" }), attempts: 1 };
    const again = eventOptions(options);
    const failing = createEventRouter({ "*": () => Promise.reject(new Error("not yet")) });
    const router = { ...failing, handles: again.router.handles };
    return async (event) => {
      const { outcome } = await handleEvent(event, { ...again, router, poison });
      if (outcome !== "set_aside") return outcome;
      return (await runAgain(event.id, { ...again, poison })).outcome;
    };
  },
  "a queue": (options) => {
    const { store, order, clock, handlers, tolerance } = options;
    const work = createQueueWorker({ store, order, clock, handlers, keys: [key] });
    return async (event) => {
      const outcome = Promise.withResolvers<string>();
      const add = async (job: DeliveryJob) => outcome.resolve((await work(job)).outcome);
      const queue = { secret, keys: [key], clock, tolerance, queue: { add } };
      const receive = createQueueReceiver(queue);
      await receive(await signedRequest(event, { url: "http://127.0.0.1/", secret }));
      return outcome.promise;
    };
  },
};

/** A receiver of one object, at 8:00 of a day. */
async function scene(kind: Kind, handlers: ReceiverOptions["handlers"] = {}, way = received) {
  const clock = createVirtualClock("2026-11-20T08:00:00Z");
  const [id, isFailing] = [`x_${crypto.randomUUID()}`, { now: false }];
  const seen: string[] = [];
  const handle: NonNullable<(typeof handlers)["*"]> = (event, { order }) => {
    if (isFailing.now) throw new Error("not yet");
    seen.push(order === "ambiguous" ? `${event.type} ambiguous` : event.type);
  };
  const names = Object.keys(handlers) as "*"[];
  const setup = await kind.create();
  const deliver = way({
    secret,
    ...setup,
    clock,
    tolerance: Number.MAX_SAFE_INTEGER,
    handlers: Object.fromEntries((names.length > 0 ? names : ["*"]).map((name) => [name, handle])),
    onError: () => {},
  });
  const eventAt = (created_at: string, type = "sim.activated", event = "") => {
    const sample = sampleEvent("sim.activated", {
      id: `evt_${event || "1"}_${crypto.randomUUID()}`,
      created_at,
      data: { object: { id } },
    });
    return { ...sample, type } as WebhookEvent;
  };
  return {
    setup,
    clock,
    seen,
    isFailing,
    eventAt,
    deliver,
    send: (created_at: string, type?: string) => deliver(eventAt(created_at, type)),
  };
}

const none = () => {};
const warnings = (): string[] => warn.mock.calls.map(([message]) => String(message));

/** Each rule holds for each kind of order. */
const rules: Readonly<Record<string, (kind: Kind) => Promise<void>>> = {
  "a date that is ahead counts as the time of the first claim": async (kind) => {
    const { send, clock } = await scene(kind);
    expect(await send("2026-11-20T07:59:00Z")).toBe("handled");
    for (const year of ["2036", "+012036"]) {
      expect(await send(`${year}-11-20T08:00:00Z`)).toBe("handled");
      const before = new Date(clock.now() - 1).toISOString();
      expect(await send(before)).toBe("superseded");
      await clock.advance(MINUTE);
      expect(await send(new Date(clock.now() - 1).toISOString())).toBe("handled");
    }
  },
  "a date up to 5 minutes ahead is what it says": async (kind) => {
    const { send } = await scene(kind);
    expect(await send("2026-11-20T08:05:00Z")).toBe("handled");
    expect(await send("2026-11-20T08:04:59Z")).toBe("superseded");
    expect(warnings()).toEqual([]);
  },
  "a failing event that is ahead keeps its place, before and after its date": async (kind) => {
    const { deliver, eventAt, send, isFailing, clock, seen } = await scene(kind);
    const [early, late] = ["sim.suspended", "sim.resumed"].map((type) =>
      eventAt("2026-11-20T11:00:00Z", type),
    ) as [WebhookEvent, WebhookEvent];
    isFailing.now = true;
    expect([await deliver(early), await deliver(late)]).toEqual(["failed", "failed"]);
    isFailing.now = false;
    await clock.advance(MINUTE);
    expect(await send("2026-11-20T08:01:00Z")).toBe("handled");
    await clock.advance(MINUTE);
    const again = kind.forgets ? "handled" : "superseded";
    expect(await deliver(early)).toBe(again);
    await clock.advance(4 * HOUR);
    expect(await deliver(late)).toBe(again);
    expect(seen).toHaveLength(kind.forgets ? 3 : 1);
  },
  "one warning names an event that is ahead, and its retries repeat none": async (kind) => {
    const { deliver, eventAt, isFailing } = await scene(kind);
    const event = eventAt("2026-11-21T08:00:00Z");
    isFailing.now = true;
    for (let attempt = 0; attempt < 3; attempt += 1) await deliver(event);
    expect(warnings()).toEqual([
      expect.stringMatching(new RegExp(`${event.id}.* more than 5 minutes ahead`)),
    ]);
    expect(warnings()[0]).toContain("2026-11-20T08:00:00.000Z");
  },
  "an event without a readable date is ambiguous, orders nothing, and is named once": async (
    kind,
  ) => {
    const { send, deliver, eventAt, seen } = await scene(kind);
    expect(await send("2026-11-20T07:00:00Z")).toBe("handled");
    const event = eventAt("gestern um acht");
    expect(await deliver(event)).toBe("handled");
    expect(await send("2026-11-20T07:00:01Z")).toBe("handled");
    expect(await send("2026-11-20T06:00:00Z")).toBe("superseded");
    expect(seen).toEqual(["sim.activated", "sim.activated ambiguous", "sim.activated"]);
    expect(warnings().filter((each) => !each.includes("expected"))).toEqual([
      expect.stringContaining(event.id),
    ]);
    expect(warnings().join("\n")).not.toContain("gestern");
  },
  "two events have an order by microseconds": async (kind) => {
    const { send } = await scene(kind);
    expect(await send("2026-11-20T07:00:00.123900Z")).toBe("handled");
    expect(await send("2026-11-20T07:00:00.123100Z")).toBe("superseded");
    expect(await send("2026-11-20T07:00:00.123901Z")).toBe("handled");
    expect(await send("2026-11-20T07:00:00.1239Z")).toBe("superseded");
  },
  "an event of an unknown type moves the order only where a handler of * receives it": async (
    kind,
  ) => {
    for (const name of ["sim.*", "*"]) {
      const { send } = await scene(kind, { [name]: none });
      expect(await send("2026-11-20T05:00:00Z")).toBe("handled");
      expect(await send("2026-11-20T07:00:00Z", "sim.of_the_future")).toBe("handled");
      const older = name === "*" || kind.isMirror ? "superseded" : "handled";
      expect(await send("2026-11-20T06:00:00Z", "sim.suspended")).toBe(older);
    }
  },
  "an event that only otherwise handles, or nobody, orders nothing": async (kind) => {
    for (const only of [{ "sim.activated": none, otherwise: none }, { "sim.activated": none }]) {
      const { send } = await scene(kind, only);
      const older = kind.isMirror ? "superseded" : "handled";
      expect(await send("2026-11-20T07:00:00Z", "sim.suspended")).toBe("handled");
      expect(await send("2026-11-20T06:00:00Z")).toBe(older);
      expect(await send("2026-11-20T05:00:00Z", "sim.suspended")).toBe(older);
    }
  },
  "a handler of a type or a family makes an event count": async (kind) => {
    for (const name of ["sim.activated", "sim.*"]) {
      const { send } = await scene(kind, { [name]: none });
      expect(await send("2026-11-20T07:00:00Z")).toBe("handled");
      expect(await send("2026-11-20T06:00:00Z")).toBe("superseded");
    }
  },
  "an event may run although it is older: it is ambiguous, and changes no order": async (kind) => {
    const { setup, send, eventAt, clock } = await scene(kind);
    expect(await send("2026-11-20T07:00:00Z")).toBe("handled");
    const places: unknown[] = [];
    const router = createEventRouter({ "*": (_event, { order }) => void places.push(order) });
    const options = { ...setup, clock, router };
    const run = async (created_at: string) =>
      (await handleFrom(eventAt(created_at), options, { evenIfOlder: true })).outcome;
    expect(await run("2026-11-20T06:00:00Z")).toBe("handled");
    expect(await send("2026-11-20T06:30:00Z")).toBe("superseded");
    expect(await run("2026-11-20T07:30:00Z")).toBe("handled");
    expect(places[0]).toBe("ambiguous");
    expect(places[1]).not.toBe("ambiguous");
  },
  "a deletion and a redaction count without a handler": async (kind) => {
    for (const [type, other] of [
      ["subscriber.deleted", "subscriber.updated"],
      ["subscriber.redacted", "subscriber.updated"],
      ["plan.deleted", "plan.updated"],
      ["addon.deleted", "addon.updated"],
    ] as const) {
      const { send } = await scene(kind, { [other]: none });
      expect(await send("2026-11-20T07:00:00Z", type)).toBe("handled");
      expect(await send("2026-11-20T06:00:00Z", other)).toBe("superseded");
      expect(await send("2026-11-20T07:30:00Z", other)).toBe("handled");
      expect(await send("2026-11-20T07:15:00Z", type)).toBe("superseded");
    }
  },
};

const kinds = Object.entries(hasServers ? { ...alone, ...onServers } : alone);
describe.each(kinds)("%s", (_name, kind) => {
  if (kind.of !== "custom") runs(kind.of);
  test.each(Object.entries(rules))("%s", async (_rule, check) => {
    await check(kind);
  });
});

describe.each(Object.entries(ways))("%s", (_name, way) => {
  test("has the clock for dates that are ahead", async () => {
    const { send, clock } = await scene(alone["sqliteOrder in an inbox"]!, {}, way);
    expect(await send("2036-11-20T08:00:00Z")).toBe("handled");
    expect(await send("2026-11-20T07:59:59Z")).toBe("superseded");
    await clock.advance(MINUTE);
    expect(await send("2026-11-20T08:00:30Z")).toBe("handled");
    expect(warnings()[0]).toContain("2026-11-20T08:00:00.000Z");
  });

  test("orders nothing that only otherwise handles", async () => {
    const handlers = { "sim.activated": none, otherwise: none };
    const { send } = await scene(alone["memoryOrder with leases"]!, handlers, way);
    expect(await send("2026-11-20T07:00:00Z", "sim.suspended")).toBe("handled");
    expect(await send("2026-11-20T06:00:00Z")).toBe("handled");
    expect(await send("2026-11-20T05:00:00Z")).toBe("superseded");
  });
});

test("an order sees the tenant in the id of an event, and must return a time for its first claim", async () => {
  const seen: string[] = [];
  const see = async ({ id, created_at }: EventEnvelope) => void seen.push(`${id} ${created_at}`);
  const order: ObjectOrder = {
    isOlder: async () => false,
    remember: see,
    firstClaim: async ({ id }) => (id === "a/evt_1" ? 0 : (undefined as never)),
  };
  const event = sampleEvent("plan.updated", { id: "evt_1", created_at: "2126-11-20T08:00:00Z" });
  const options = { store: memoryStore(), order, router: createEventRouter({ "*": none }) };
  expect(await handleEvent(event, { ...options, tenant: "a" })).toEqual({ outcome: "handled" });
  expect(seen).toEqual(["a/evt_1 1970-01-01T00:00:00.000Z"]);
  expect(await handleEvent(event, { ...options, tenant: "b" })).toMatchObject({
    outcome: "store_failed",
    error: { message: expect.stringMatching(/^firstClaim of the store returned undefined/) },
  });
});

test("a router without handles counts as one that handles every type", async () => {
  const { dispatch } = createEventRouter({});
  const options = { store: memoryStore(), order: memoryOrder(), router: { dispatch } };
  const at = (created_at: string) =>
    sampleEvent("plan.updated", { id: `evt_${created_at}`, created_at });
  expect((await handleEvent(at("2026-11-20T08:00:00Z"), options)).outcome).toBe("handled");
  expect((await handleEvent(at("2026-11-20T07:00:00Z"), options)).outcome).toBe("superseded");
});
