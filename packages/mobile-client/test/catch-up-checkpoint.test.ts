// What a run of catchUp reads after an earlier one, for lists in each order.
import { type Clock, systemClock } from "@fieldmesh/core";
import { describe, expect, test } from "vitest";
import { memoryOrder, memoryPoison, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import {
  catchUp,
  createMobileClient,
  type CatchUpCheckpoint,
  type CatchUpOptions,
} from "../src/index.ts";
import { storedEvent } from "./nights.ts";

const HOUR = 3_600_000;
const START = Date.parse("2026-11-01T00:00:00Z");
const PAGE = 100;

type Order = "oldest_first" | "newest_first" | "none";

/** A service that lists its events in an order, and a receiver whose handlers work unless they are told not to. */
function startService(order: Order, count: number) {
  const events: { id: string; created_at: string }[] = [];
  const failing = new Set<string>();
  const handled: string[] = [];
  const requests: (string | null)[] = [];
  let checkpoint: CatchUpCheckpoint | undefined;
  let prefix = "c";
  /** `status` is that of the next response only. */
  const service: { order: Order; status?: number } = { order };

  /** Lists events as they are created. One that is listed late follows those that were listed before. */
  const list = (hours: number): string => {
    const id = `evt_${events.length}`;
    events.push(storedEvent(id, { created_at: new Date(START + hours * HOUR).toISOString() }));
    return id;
  };
  for (let hour = 0; hour < count; hour++) list(hour);

  function inOrder() {
    if (service.order === "oldest_first") return events;
    if (service.order === "newest_first") return events.toReversed();
    // The same mixture at each request.
    return events.toSorted((a, b) => mix(a.id) - mix(b.id));
  }

  const client = createMobileClient({
    baseUrl: "https://mobile.test",
    apiKey: "sk_sandbox_x",
    retry: false,
    onDrift: () => undefined,
    fetch: async (url) => {
      const cursor = new URL(url).searchParams.get("cursor");
      requests.push(cursor);
      const { status } = service;
      delete service.status;
      if (status !== undefined) return Response.json({}, { status });
      if (cursor?.startsWith(prefix) === false)
        return Response.json({ code: "invalid_cursor" }, { status: 400 });
      const from = Number(cursor?.slice(1) ?? 0);
      const next = from + PAGE < events.length ? { cursor: `${prefix}${from + PAGE}` } : {};
      return Response.json({ data: inOrder().slice(from, from + PAGE), ...next });
    },
  });
  const router = createEventRouter({
    "*": ({ id }) => {
      if (failing.has(id)) throw new Error("no database");
      handled.push(id);
    },
  });
  const store = memoryStore();

  /** Runs catchUp from the last checkpoint, as a nightly job does. */
  async function run(options: Partial<CatchUpOptions> = {}) {
    requests.length = 0;
    handled.length = 0;
    const onCheckpoint = (next: CatchUpCheckpoint) =>
      void (checkpoint = JSON.parse(JSON.stringify(next)) as CatchUpCheckpoint);
    const latest = Math.max(...events.map(({ created_at }) => Date.parse(created_at)));
    const clock: Clock = { ...systemClock, now: () => latest + HOUR };
    const all = { client, since: new Date(START), router, store, checkpoint, onCheckpoint, clock };
    const totals = await catchUp({ ...all, ...options });
    return { ...totals, requests: requests.length };
  }

  return {
    events,
    failing,
    handled,
    list,
    run,
    service,
    client,
    expireCursors: () => void (prefix = "d"),
    checkpoint: () => checkpoint,
  };
}

function mix(id: string): number {
  return (Number(id.slice(4)) * 7_919) % 10_007;
}

describe.each<[Order, number]>([
  // The last page, which is full.
  ["oldest_first", 1],
  // The 48 hours before the last run, a page that is before them, and one that is read ahead.
  ["newest_first", 3],
  ["none", 20],
])("a list that is in the order %s", (order, requestsForNothing) => {
  test(`without a new event, costs ${requestsForNothing} requests instead of 20`, async () => {
    const { run, checkpoint } = startService(order, 2_000);
    expect(await run()).toMatchObject({ handled: 2_000, requests: 20 });
    expect(checkpoint()).toMatchObject({ order, newest: "2027-01-23T07:00:00.000Z", open: [] });
    const again = await run();
    expect(again).toMatchObject({ handled: 0, requests: requestsForNothing });
    expect(again.wholeList).toBe(order === "none" ? "no_order" : undefined);
  });

  test("an event that is listed 24 hours late is handled", async () => {
    const { run, list, handled } = startService(order, 950);
    await run();
    list(950);
    const late = list(950 - 24);
    await run();
    expect(handled).toContain(late);
    list(951);
    expect(await run()).toMatchObject({ handled: 1 });
  });
});

describe("the whole list is read, and the totals say so", () => {
  test("if its order has changed", async () => {
    const { run, list, service } = startService("oldest_first", 500);
    await run();
    list(500);
    service.order = "newest_first";
    expect(await run()).toMatchObject({ wholeList: "order_changed", handled: 1 });
    list(501);
    const next = await run();
    expect(next).toMatchObject({ handled: 1, requests: 3 });
    expect(next.wholeList).toBeUndefined();
    service.order = "none";
    list(502);
    expect(await run()).toMatchObject({ wholeList: "order_changed", handled: 1 });
  });

  test("if its order has changed, and its first page does not show it", async () => {
    const { run, events, list, service } = startService("newest_first", 450);
    for (const event of events.slice(0, PAGE)) event.created_at = events[0]!.created_at;
    await run();
    list(450);
    service.order = "oldest_first";
    expect(await run()).toMatchObject({ wholeList: "order_changed", handled: 1 });
  });

  test("if its cursor is rejected", async () => {
    const { run, list, expireCursors, handled } = startService("oldest_first", 250);
    await run();
    const added = list(250);
    expireCursors();
    expect(await run()).toMatchObject({ wholeList: "cursor_rejected", handled: 1, requests: 4 });
    expect(handled).toEqual([added]);
    const next = await run();
    expect(next).toMatchObject({ handled: 0, requests: 1 });
    expect(next.wholeList).toBeUndefined();
  });

  test("if an event was inserted before its cursor", async () => {
    const { run, events, handled } = startService("oldest_first", 450);
    await run();
    events.splice(10, 0, storedEvent("evt_inserted", { created_at: events[10]!.created_at }));
    expect(await run()).toMatchObject({ wholeList: "order_changed", handled: 1 });
    expect(handled).toEqual(["evt_inserted"]);
  });

  test("if an open event has moved to another page than that of the checkpoint", async () => {
    const { run, events, failing, handled } = startService("oldest_first", 450);
    failing.add("evt_10");
    await run();
    [events[10], events[150]] = [events[150]!, events[10]!];
    failing.clear();
    expect(await run()).toMatchObject({ wholeList: "order_changed", handled: 1 });
    expect(handled).toEqual(["evt_10"]);
  });
});

test("open events of several pages are read from their own pages", async () => {
  const { run, failing, handled } = startService("oldest_first", 450);
  failing.add("evt_10").add("evt_150");
  await run();
  failing.clear();
  const next = await run();
  // Each of their pages, and the last one.
  expect(next).toMatchObject({ handled: 2, requests: 3 });
  expect(next.wholeList).toBeUndefined();
  expect(handled).toEqual(["evt_10", "evt_150"]);
});

test("a list that is newest first is read down to its oldest open event, and not further", async () => {
  const { run, failing, handled } = startService("newest_first", 1_000);
  failing.add("evt_750");
  await run();
  failing.clear();
  expect(await run()).toMatchObject({ handled: 1, requests: 5 });
  expect(handled).toEqual(["evt_750"]);
});

test("a superseded event and one that is set aside are not left open, and one without an id is", async () => {
  const { run, events, failing, checkpoint } = startService("oldest_first", 3);
  // All events are of one object: the newest one comes first.
  events.reverse();
  events.push(storedEvent("", { created_at: events[0]!.created_at }));
  expect(await run({ order: memoryOrder() })).toMatchObject({ handled: 1, superseded: 2 });
  expect(checkpoint()!.open).toMatchObject([
    { id: expect.stringMatching(/^item_\w+$/), reason: "not_parsed" },
  ]);
  failing.add("evt_0");
  const reload = (wanted: string) => events.find(({ id }) => id === wanted);
  const poison = { store: memoryPoison(), attempts: 1, reload };
  expect(await run({ poison, store: memoryStore(), checkpoint: undefined })).toMatchObject({
    set_aside: 1,
  });
  expect(checkpoint()!.open).toMatchObject([{ reason: "not_parsed" }]);
});

test("a run that ends early writes no checkpoint", async () => {
  const { run, checkpoint } = startService("oldest_first", 300);
  const stop = new AbortController();
  const onOutcome = ({ id }: { id: string }): void => void (id === "evt_120" && stop.abort());
  await expect(run({ signal: stop.signal, onOutcome })).rejects.toMatchObject({
    name: "AbortError",
  });
  expect(checkpoint()).toBeUndefined();
});

test.each<[Order, number]>([
  ["oldest_first", 503],
  ["oldest_first", 429],
  ["newest_first", 400],
])(
  "a list %s that fails with %i makes the run reject, and the next one loses nothing",
  async (order, status) => {
    const { run, list, service, checkpoint, handled } = startService(order, 250);
    await run();
    const before = checkpoint();
    const added = list(250);
    service.status = status;
    await expect(run()).rejects.toMatchObject({ name: "ApiError", status });
    expect(checkpoint()).toEqual(before);
    expect(await run()).toMatchObject({ handled: 1 });
    expect(handled).toEqual([added]);
  },
);

test("an onCheckpoint that rejects makes the run reject", async () => {
  const { run } = startService("oldest_first", 3);
  const onCheckpoint = async () => Promise.reject(new Error("no disk"));
  await expect(run({ onCheckpoint })).rejects.toThrow("no disk");
});

test("a run without a query repeats that of its checkpoint", async () => {
  const { run, checkpoint, client } = startService("oldest_first", 3);
  const queries: string[] = [];
  const events = {
    list: (...[input, options]: Parameters<typeof client.events.list>) => {
      queries.push(JSON.stringify(options?.query));
      return client.events.list(input, options);
    },
  } as typeof client.events;
  await run({ query: { kind: "plan" } });
  await run({ client: { events } });
  expect(queries.at(-1)).toBe('{"kind":"plan"}');
  expect(checkpoint()).toMatchObject({ query: { kind: "plan" } });
});

test("a checkpoint contains nothing of a payload", async () => {
  const { run, checkpoint, failing } = startService("oldest_first", 3);
  failing.add("evt_1");
  await run();
  expect(JSON.stringify(checkpoint())).not.toMatch(/plan_1|mobile\.test|sk_sandbox/);
});

test("each run reads down to the overlap of its option", async () => {
  const { run, list } = startService("newest_first", 1_000);
  await run();
  list(1_000);
  expect(await run({ overlap: 450 * HOUR })).toMatchObject({ handled: 1, requests: 7 });
  expect(await run({ overlap: 0 })).toMatchObject({ handled: 0, requests: 3 });
});
