import { createVirtualClock } from "../../sandbox/src/engine/time/clocks.ts";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  handleEvent,
  memoryOrder,
  memoryStore,
  type EventDispatcher,
  type EventOutcome,
  type IdempotencyStore,
  type Inbox,
} from "../src/receiver/index.ts";
import { createEventRouter, type EventContext } from "../src/router/index.ts";
import { sampleEvent } from "../src/samples.ts";
import { sqliteInbox, sqliteStore } from "../src/stores/index.ts";

const event = sampleEvent("sim.activated");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function routerOf(run: (context: EventContext) => unknown): EventDispatcher {
  return createEventRouter({ "sim.activated": (_event, context) => run(context) });
}

/** A handler that ends when the test ends it. */
function heldHandler() {
  const started = Promise.withResolvers<EventContext>();
  const end = Promise.withResolvers<void>();
  const router = routerOf((context) => {
    started.resolve(context);
    return end.promise;
  });
  return { router, started: started.promise, end: end.resolve };
}

test("rejects an event without an id, and an invalid store or router", async () => {
  const options = { router: createEventRouter({}), store: memoryStore() };
  for (const none of [JSON.stringify(event), { ...event, id: "" }, {}, undefined])
    await expect(handleEvent(none as never, options)).rejects.toThrow("an event with an id");
  for (const store of [undefined, "memory", {}])
    await expect(handleEvent(event, { ...options, store: store as never })).rejects.toThrow(
      "requires a store",
    );
  for (const router of [undefined, {}])
    await expect(handleEvent(event, { ...options, router: router as never })).rejects.toThrow(
      "requires a router",
    );
});

describe("with a lease store", () => {
  test("handles an event once, and counts the attempts of one that failed", async () => {
    const store = memoryStore();
    const attempts: number[] = [];
    const router = routerOf(({ attempt, idempotencyKey }) => {
      expect(idempotencyKey).toBe(event.id);
      attempts.push(attempt);
      if (attempt === 1) throw new Error("not yet");
    });
    expect(await handleEvent(event, { router, store })).toMatchObject({ outcome: "failed" });
    expect(await handleEvent(event, { router, store })).toEqual({ outcome: "handled" });
    expect(await handleEvent(event, { router, store })).toEqual({ outcome: "duplicate" });
    expect(attempts).toEqual([1, 2]);
  });

  test.each<[string, Inbox["run"]]>([
    ["never begins its work", () => new Promise(() => {})],
    [
      "never commits",
      async (_id, work) => {
        await work({ signal: new AbortController().signal, enter: () => {} });
        return new Promise(() => {});
      },
    ],
  ])("an inbox that %s is given up after 10 s, however long its handlers take", async (_, run) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const router = routerOf(() => new Promise((resolve) => setTimeout(resolve, 60_000)));
    let outcome: EventOutcome | undefined;
    const handling = handleEvent(event, { router, store: { run } }).then(
      (settled) => (outcome = settled),
    );
    const isLate = run.length === 2;
    await vi.advanceTimersByTimeAsync((isLate ? 60_000 : 0) + 9_999);
    expect(outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(await handling).toMatchObject({
      outcome: "store_failed",
      error: {
        message:
          "run of the store did not settle within 10 s. Check that the store is reachable, and set a shorter timeout in its client.",
      },
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("does not handle an event that is in progress elsewhere, and returns how long its lease lasts", async () => {
    const clock = createVirtualClock();
    const store = memoryStore({ clock });
    const { router, started, end } = heldHandler();
    const first = handleEvent(event, { router, store, clock, lease: MINUTE });
    await started;
    expect(await handleEvent(event, { router, store, clock })).toEqual({
      outcome: "in_progress",
      retryIn: MINUTE,
    });
    end();
    expect(await first).toEqual({ outcome: "handled" });
  });

  test("extends the lease of a slow handler, and clears its timer", async () => {
    const clock = createVirtualClock();
    const store = memoryStore({ clock });
    const { router, started, end } = heldHandler();
    const first = handleEvent(event, { router, store, clock, lease: MINUTE });
    const { signal } = await started;
    await clock.advance(60 * MINUTE);
    expect(signal.aborted).toBe(false);
    expect(await handleEvent(event, { router, store, clock })).toMatchObject({
      outcome: "in_progress",
    });
    end();
    expect(await first).toEqual({ outcome: "handled" });
    expect(clock.pending).toBe(0);
  });

  test("stops handling an event when another process has its lease, and aborts the signal of the handler", async () => {
    const clock = createVirtualClock();
    const store = memoryStore({ clock });
    // As if this process had been suspended until its lease ended.
    const asleep: IdempotencyStore = { ...store, extend: async () => false };
    const { router, started, end } = heldHandler();
    const first = handleEvent(event, { router, store: asleep, clock, lease: MINUTE });
    const { signal } = await started;
    await clock.advance(MINUTE);
    expect(signal.reason).toMatchObject({
      name: "AbortError",
      message: "The lease of this event is lost: another process may have it.",
    });
    expect(await handleEvent(event, { router: routerOf(() => {}), store, clock })).toEqual({
      outcome: "handled",
    });
    end();
    expect(await first).toEqual({ outcome: "lease_lost" });
  });

  test("runs no handler if the claim lasted as long as the lease, because another process may have the event", async () => {
    const clock = createVirtualClock();
    const store = memoryStore({ clock });
    const slow: IdempotencyStore = {
      ...store,
      claim: async (...args) => {
        const claim = await store.claim(...args);
        await clock.advance(MINUTE);
        return claim;
      },
    };
    const attempts: number[] = [];
    const router = routerOf(({ attempt }) => attempts.push(attempt));
    const options = { router, clock, lease: MINUTE };
    expect(await handleEvent(event, { ...options, store: slow })).toEqual({
      outcome: "lease_lost",
    });
    expect(await handleEvent(event, { ...options, store })).toEqual({ outcome: "handled" });
    expect(attempts).toEqual([2]);
  });

  test("awaits a slow order before it claims the event", async () => {
    const clock = createVirtualClock();
    const order = { ...memoryOrder(), isOlder: () => clock.advance(2 * MINUTE).then(() => false) };
    const router = routerOf(() => {});
    const options = { router, order, store: memoryStore({ clock }), clock, lease: MINUTE };
    expect(await handleEvent(event, options)).toEqual({ outcome: "handled" });
  });

  test("aborts the signal if the store is down for a whole lease, but not if one extension fails", async () => {
    const clock = createVirtualClock();
    let isDown = true;
    const store = memoryStore({ clock });
    const shaky: IdempotencyStore = {
      ...store,
      extend: async (...args) => {
        if (isDown) throw new Error("down");
        return store.extend(...args);
      },
    };
    const { router, started, end } = heldHandler();
    const running = handleEvent(event, { router, store: shaky, clock, lease: MINUTE });
    const { signal } = await started;
    await clock.advance(MINUTE / 2);
    isDown = false;
    await clock.advance(MINUTE / 2);
    expect(signal.aborted).toBe(false);
    isDown = true;
    await clock.advance(2 * MINUTE);
    expect(signal.aborted).toBe(true);
    end();
    // No other process has claimed it meanwhile, so it is done.
    expect(await running).toEqual({ outcome: "handled" });
  });

  test.each(["claim", "complete"] as const)(
    "returns store_failed if the store rejects at %s",
    async (name) => {
      const error = new Error("down");
      const store = { ...memoryStore(), [name]: () => Promise.reject(error) };
      expect(await handleEvent(event, { router: routerOf(() => {}), store })).toEqual({
        outcome: "store_failed",
        error,
      });
    },
  );
});

test("memoryStore forgets the oldest, and remembers at least its limit and at most twice as many", async () => {
  const store = memoryStore({ limit: 100 });
  for (let i = 0; i < 1_000; i += 1) {
    await store.claim(`evt_${i}`, "t", MINUTE);
    await store.complete(`evt_${i}`, "t");
  }
  const statusOf = async (i: number) => (await store.claim(`evt_${i}`, "t", MINUTE)).status;
  expect(await statusOf(999)).toBe("done");
  expect(await statusOf(900)).toBe("done");
  expect(await statusOf(799)).toBe("claimed");
  expect(() => memoryStore({ limit: 0 })).toThrow(TypeError);
});

test("memoryStore keeps the leases and attempts of events when it forgets the oldest ones", async () => {
  const store = memoryStore({ limit: 10 });
  const doMany = async (from: number) => {
    for (let i = from; i < from + 30; i += 1) {
      await store.claim(`evt_${i}`, "t", MINUTE);
      await store.complete(`evt_${i}`, "t");
    }
  };
  await store.claim("evt_held", "mine", MINUTE);
  await store.claim("evt_failed", "mine", MINUTE);
  await doMany(0);
  expect(await store.claim("evt_held", "other", MINUTE)).toMatchObject({ status: "in_progress" });
  await store.release("evt_failed", "mine");
  await doMany(100);
  expect(await store.extend("evt_held", "mine", MINUTE)).toBe(true);
  expect(await store.claim("evt_failed", "other", MINUTE)).toEqual({
    status: "claimed",
    attempt: 2,
  });
  await doMany(200);
  expect(await store.complete("evt_held", "mine")).toBe(true);
  expect(await store.claim("evt_held", "other", MINUTE)).toEqual({ status: "done" });
  expect(await store.complete("evt_failed", "mine")).toBe(false);
});

describe("with an order", () => {
  const at = (created_at: string, object: object = {}) =>
    sampleEvent("plan.updated", { id: `evt_${created_at}`, created_at, data: { object } });

  test("forgets the objects that were seen longest ago, and remembers at least its limit", async () => {
    const order = memoryOrder({ limit: 100 });
    const seen = Array.from({ length: 1_000 }, (_, i) => `plan_${i}`);
    for (const id of seen) await order.remember(at("2026-01-02T00:00:00Z", { id }));
    const isOlder = (id: string) => order.isOlder(at("2026-01-01T00:00:00Z", { id }));
    expect(await isOlder("plan_999")).toBe(true);
    expect(await isOlder("plan_900")).toBe(true);
    expect(await isOlder("plan_799")).toBe(false);
  });
});

test("an order compares times without a zone as UTC, also in the hour in which a zone changes its clock", async () => {
  vi.stubEnv("TZ", "America/New_York");
  try {
    // As local time, both would be the same hour: 02:30 does not exist on this day.
    const order = memoryOrder();
    const at = (created_at: string) => ({
      ...event,
      created_at,
      data: { object: { id: "plan_1" } },
    });
    await order.remember(at("2026-03-08T02:30:00"));
    expect(await order.isOlder(at("2026-03-08T03:15:00"))).toBe(false);
    expect(await order.isOlder(at("2026-03-08T02:29:59Z"))).toBe(true);
    expect(await order.isOlder(at("2026-03-08T02:30:01Z"))).toBe(false);
  } finally {
    vi.unstubAllEnvs();
  }
});

describe("a wall clock that jumps", () => {
  const jumps = [-HOUR, HOUR, -3_650 * 24 * HOUR, 3_650 * 24 * HOUR];
  beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-11-25T08:00:00Z") }));
  afterEach(() => void vi.useRealTimers());

  test.each(jumps)("by %i ms loses no lease, and keeps none too long", async (jump) => {
    for (const store of [memoryStore(), sqliteStore(new DatabaseSync(":memory:"))]) {
      await store.claim("evt_1", "mine", 10_000);
      vi.setSystemTime(Date.now() + jump);
      await vi.advanceTimersByTimeAsync(9_000);
      const other = await store.claim("evt_1", "other", 10_000);
      expect(other).toMatchObject({ status: "in_progress" });
      if (other.status === "in_progress") expect(Math.round(other.endsIn / 100)).toBe(10);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await store.claim("evt_1", "other", 10_000)).toMatchObject({ status: "claimed" });
    }
  });
});

test.each([
  ["a lease store", () => memoryStore()],
  ["an inbox", () => sqliteInbox(new DatabaseSync(":memory:"))],
])("handlers that have not ended after 60 s are named once, with %s", async (_, create) => {
  vi.useFakeTimers();
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  const ended = Promise.withResolvers<void>();
  const router = createEventRouter({ "*": () => ended.promise });
  const handling = handleEvent(sampleEvent("plan.created", { id: "evt_slow" }), {
    router,
    store: create(),
  });
  await vi.advanceTimersByTimeAsync(59_000);
  expect(warn).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(warn.mock.calls).toEqual([[expect.stringMatching(/plan\.created.*evt_slow.*60 s/)]]);
  ended.resolve();
  expect(await handling).toEqual({ outcome: "handled" });
  warn.mockRestore();
  vi.useRealTimers();
});

test("a failing order does not make a handler run again", async () => {
  let runs = 0;
  const router = routerOf(() => (runs += 1));
  const order = { ...memoryOrder(), remember: () => Promise.reject(new Error("down")) };
  const options = { router, order, store: memoryStore() };
  expect(await handleEvent(event, options)).toMatchObject({ outcome: "store_failed" });
  expect(await handleEvent(event, options)).toEqual({ outcome: "duplicate" });
  expect(runs).toBe(1);
});

describe("with an inbox", () => {
  const inbox = (outcome: "committed" | "done" | "in_progress" | Error): Inbox => ({
    run: async (_id, work) => {
      if (outcome === "done" || outcome === "in_progress") return outcome;
      await work({ signal: new AbortController().signal, enter: () => {} });
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  });
  const error = new Error("boom");

  test.each([
    ["committed", () => {}, { outcome: "handled" }],
    ["done", () => {}, { outcome: "duplicate" }],
    ["in_progress", () => {}, { outcome: "in_progress", retryIn: 1_000 }],
    [error, () => {}, { outcome: "store_failed", error }],
    ["committed", () => Promise.reject(error), { outcome: "failed", error: { errors: [error] } }],
  ] as const)("%s", async (outcome, run, expected) => {
    const router = routerOf(run);
    expect(await handleEvent(event, { router, store: inbox(outcome) })).toMatchObject(expected);
  });
});

describe("a store that returns an invalid value", () => {
  const nothing: readonly unknown[] = [undefined, null, true, "weird", {}, { status: "bogus" }, 1];
  const ran: string[] = [];
  const router = routerOf(() => ran.push("ran"));
  const outcomeOf = async (store: object) => {
    ran.length = 0;
    const result = await handleEvent(event, { router, store: store as never });
    return [result.outcome, "error" in result && String(result.error), ...ran];
  };

  test.each(nothing)("a claim that returns %j fails, and no handler runs", async (claim) => {
    expect(await outcomeOf({ ...memoryStore(), claim: async () => claim })).toEqual([
      "store_failed",
      expect.stringContaining("claim of the store returned"),
    ]);
  });

  test.each([undefined, null, "yes", 1])(
    "a complete that returns %j is not a success",
    async (isMine) => {
      expect(await outcomeOf({ ...memoryStore(), complete: async () => isMine })).toEqual([
        "store_failed",
        expect.stringContaining("It must return true, or false if another process has the event."),
        "ran",
      ]);
    },
  );

  test.each([...nothing, "Committed"])(
    "a run of an inbox that returns %j is not a success",
    async (outcome) => {
      expect(await outcomeOf({ run: async () => outcome })).toEqual([
        "store_failed",
        expect.stringContaining('It must return "committed", "done" or "in_progress".'),
      ]);
    },
  );

  test("an event is not handled if its inbox commits without the work, or before the work ends", async () => {
    const early = 'run of the store returned "committed" before the work had ended.';
    const end = Promise.withResolvers<void>();
    const slow = { router: routerOf(() => end.promise) };
    const transaction = { signal: new AbortController().signal, enter: () => {} };
    const inboxes: Inbox[] = [
      { run: async () => "committed" },
      {
        run: async (_id, work) => {
          void work(transaction);
          return "committed";
        },
      },
    ];
    for (const store of inboxes)
      expect(await handleEvent(event, { ...slow, store })).toMatchObject({
        outcome: "store_failed",
        error: { message: expect.stringContaining(early) },
      });
    end.resolve();
  });

  test("an event is not handled if its inbox hides the error of a handler", async () => {
    const store: Inbox = {
      run: async (_id, work) => {
        await work({ signal: new AbortController().signal, enter: () => {} }).catch(() => {});
        return "committed";
      },
    };
    const failing = routerOf(() => Promise.reject(new Error("boom")));
    expect(await handleEvent(event, { router: failing, store })).toMatchObject({
      outcome: "failed",
    });
  });
});
