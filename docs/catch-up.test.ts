import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  catchUp,
  createMobileClient,
  type CatchUpCheckpoint,
  type CatchUpOptions,
  type CatchUpReport,
} from "@fieldmesh/mobile-client";
import type { EventType } from "@fieldmesh/webhook-types";
import {
  handleEvent,
  memoryOrder,
  memoryPoison,
  memoryStore,
} from "@fieldmesh/webhook-types/receiver";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import { expect, test, vi } from "vitest";
import {
  HOUR,
  startEventService,
  storedEvent,
  type ListOrder,
} from "../tools/testing/event-service.ts";

// Plays each row of the table in the guide, for a list in each order: a run that reads other events, and then the nights of the row.

const DAY = 24 * HOUR;
const NIGHT = Date.parse("2026-11-20T03:00:00Z");
const ID = "evt_watched";
const isWatched = ({ id }: { readonly id: string }) => id === ID || id.startsWith("item_");
const createStore = () => ({ ...memoryStore(), remembers: 7 * DAY });

/** Returns an event of the object that is watched. */
const event = (hoursBefore = 1, type?: EventType, id = ID, object = {}) =>
  storedEvent(id, NIGHT - hoursBefore * HOUR, { id: "object_1", ...object }, type);
const other = (hoursBefore: number, type?: EventType) => event(hoursBefore, type, "evt_other");

function openWorld(order: ListOrder) {
  const service = startEventService(order, 10);
  const world = {
    time: NIGHT - DAY,
    isBroken: false,
    isListed: true,
    store: createStore(),
    order: memoryOrder(),
    handled: 0,
    add: (item: unknown) => service.add(item),
    deliver: (delivered: object): Promise<unknown> =>
      handleEvent(delivered as never, { router, store: world.store, order: world.order }),
    client: createMobileClient({
      baseUrl: "https://mobile.test",
      apiKey: "sk_sandbox_x",
      fetch: async (url): Promise<Response> => {
        const page = service.list(url);
        const isShown = (item: unknown): boolean =>
          world.isListed || (item as { id: string }).id !== ID;
        return Response.json({ ...page, data: page.data.filter(isShown) });
      },
    }),
  };
  const handle = (each: { readonly id: string }) => {
    if (!isWatched(each)) return;
    if (world.isBroken) throw new Error("a bug");
    world.handled++;
  };
  const handlers = {
    "subscriber.*": handle,
    "cpni.verification.*": handle,
    "sim.*": handle,
    otherwise: handle,
  };
  const router = createEventRouter(handlers);
  return { world, router };
}
type World = ReturnType<typeof openWorld>["world"];

interface Scenario {
  /** The item of the list, by default an event that was missed. */
  readonly item?: unknown;
  /** Whether the run before the first night has read it. */
  readonly isOld?: boolean;
  readonly first?: (world: World) => unknown;
  /** What happens on the day after the first night. */
  readonly second?: (world: World) => unknown;
  readonly options?: (night: number) => Partial<CatchUpOptions>;
}

const failing: Scenario = { first: (world) => (world.isBroken = true) };
const repair = (world: World) => (world.isBroken = false);
const REQUESTED = "cpni.verification.requested";

const scenarios: Readonly<Record<string, Scenario>> = {
  "it was missed, and its handlers succeed": {},
  "a delivery or an earlier run has handled it": { first: ({ deliver }) => deliver(event()) },
  "its handler fails": failing,
  "its handler fails, and is repaired on the second day": { ...failing, second: repair },
  "its handler fails, and the service no longer lists it": {
    ...failing,
    second: (world) => (world.isListed = false),
  },
  "its handler has failed so often that `poison` sets it aside": {
    ...failing,
    options: () => ({ poison: { store: memoryPoison(), attempts: 1, reload: () => event() } }),
  },
  "the same, but `poison` can neither store nor reload it": {
    ...failing,
    second: repair,
    options: () => ({ poison: { store: memoryPoison(), attempts: 1 } }),
  },
  "another process handles it at this moment": {
    first: ({ store }) => store.claim(ID, "other", 30_000),
    second: ({ store }) => store.complete(ID, "other"),
  },
  "another process takes it over, because its handlers are too slow": {
    first: (world) => {
      const { store } = world;
      const complete = async (id: string, token: string) => {
        await store.complete(id, token);
        return false;
      };
      world.store = { ...store, complete };
    },
  },
  "the store does not respond on the first night": {
    first: (world) => {
      const { store } = world;
      const claim: typeof store.claim = async (...args) => {
        if (world.time === NIGHT) throw new Error("down");
        return await store.claim(...args);
      };
      world.store = { ...store, claim };
    },
  },
  "it has a handler other than `otherwise`, a newer event of its object was handled, and there is an `order`":
    {
      first: ({ deliver }) => deliver(other(0)),
    },
  "another event of its object and its time was handled, and there is an `order`": {
    first: ({ deliver }) => deliver(other(1)),
  },
  "no handler but `otherwise` receives it": {
    item: { ...event(), type: "subscriber.teleported" },
    first: ({ deliver }) => deliver(other(0)),
  },
  "`cpni.verification.requested` or `psim_order.*`": { item: event(1, REQUESTED) },
  "the same, and a delivery has handled it before": {
    item: event(1, REQUESTED),
    first: ({ deliver }) => deliver(event(1, REQUESTED)),
  },
  "the same, and its date does not count": { item: { ...event(1, REQUESTED), created_at: "soon" } },
  "the same, and the service no longer lists it": {
    item: event(1, REQUESTED),
    second: (world) => (world.isListed = false),
  },
  "the same, and its delivery arrives on the second day": {
    item: event(1, REQUESTED),
    second: ({ deliver }) => deliver(event(1, REQUESTED)),
  },
  "the same, and a newer event of its object was handled, and there is an `order`": {
    item: event(1, REQUESTED),
    first: ({ deliver }) => deliver(other(0, "cpni.verification.succeeded")),
  },
  "`sim.provisioned`, `sim.activated` or `sim.swapped`": { item: event(1, "sim.activated") },
  "the same, named by `deliveryOnly`": {
    item: event(1, "sim.activated"),
    options: () => ({ deliveryOnly: ["sim.activated"] }),
  },
  "an older event of its object waits, and there is an `order`": {
    item: event(1, "cpni.verification.succeeded"),
    first: ({ add }) => add(other(2, REQUESTED)),
  },
  "it is not an event, or your schema or `validation` rejects it": {
    item: { ...event(), data: null },
  },
  "the same, and your schema is repaired on the second day": {
    item: event(1, undefined, ID, { locked_status: 1 }),
    options: (night) => ({ validation: night === 1 ? "strict" : "off" }),
  },
  "an item without an `id`, such as `null`": { item: null },
  "`created_at` is more than 5 minutes ahead": { item: event(-70) },
  "`created_at` is missing, or not a date": { item: { ...event(), created_at: "soon" } },
  "`created_at` is up to 48 hours behind": { item: event(40) },
  "it is in the list twice": { first: ({ add }) => add(event()) },
  "its `livemode` is not the one that your receiver expects": {
    item: { ...event(), livemode: true },
  },
  "it is older than `since` of the first run": { item: event(9 * 24), isOld: true },
  "an earlier run has handled it, and the store has forgotten it": {
    item: event(7 * 24 + 12),
    isOld: true,
    first: (world) => (world.store = createStore()),
  },
};

/** Plays a scenario. Returns what each night did with the item, and how often it was handled. */
async function play(order: ListOrder, { item = event(), ...scenario }: Scenario) {
  const { world, router } = openWorld(order);
  let checkpoint: CatchUpCheckpoint | undefined;
  async function run(night: number): Promise<string> {
    const reports: CatchUpReport[] = [];
    const { open } = await catchUp({
      client: world.client,
      router,
      store: world.store,
      order: world.order,
      clock: { now: () => world.time, sleep: () => new Promise(() => {}) },
      since: new Date(world.time - 7 * DAY),
      checkpoint,
      onCheckpoint: (next) => void (checkpoint = next),
      onOutcome: (report) => void reports.push(report),
      onDrift: () => {},
      ...scenario.options?.(night),
    });
    return reports.find(isWatched)?.outcome ?? open.find(isWatched)?.reason ?? "not read";
  }
  for (let hour = 6 * 24; hour > 24; hour -= 4)
    world.add(storedEvent(`evt_${hour}`, NIGHT - hour * HOUR));
  if (scenario.isOld) world.add(item);
  await run(0);
  if (!scenario.isOld) world.add(item);
  world.time = NIGHT;
  await scenario.first?.(world);
  const first = await run(1);
  world.time += DAY;
  await scenario.second?.(world);
  const second = await run(2);
  world.time += 3 * DAY;
  return { nights: [first, second, await run(3)], handled: world.handled };
}

const read = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8");
const page = read("guides/catch-up.md");
const [, table = ""] = page.split("| --- | --- | --- | --- |\n");
const rows = table
  .slice(0, table.indexOf("\n\n"))
  .replaceAll(/\[([^\]]+)\]\([^)]+\)|^\| | \|$/gm, "$1")
  .split("\n")
  .map((line) => line.split(" | "));

test("each row of the table in the guide is played", () => {
  expect(rows.map(([kind]) => kind)).toEqual(Object.keys(scenarios));
});

test("the nightly program of the guide is that of the example", () => {
  expect(page).toContain(`\`\`\`typescript\n${read("../examples/service/nightly.ts")}\`\`\`\n`);
});

const orders: readonly ListOrder[] = ["oldest_first", "newest_first", "none"];
test.for(orders.flatMap((order) => rows.map((cells) => [order, ...cells] as const)))(
  "a list that is %s: %s",
  async ([order, kind = "", ...cells]) => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const { nights, handled } = await play(order, scenarios[kind] ?? {});
    vi.restoreAllMocks();
    // A cell begins with an outcome, or with "done".
    const found = nights.map((night, index) => {
      const cell = cells[index] ?? "";
      const outcomes = /^(?:done, or )?`(\w+)`/.exec(cell)?.slice(1) ?? [];
      if (cell.startsWith("done")) outcomes.push("duplicate", "not read");
      return outcomes.includes(night) || cell === night ? cell : `${night}, not ${cell}`;
    });
    expect(found).toEqual(cells);
    expect(handled).toBeLessThanOrEqual(1);
  },
);
