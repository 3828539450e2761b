import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { EventEnvelope } from "../src/index.ts";
import {
  memoryOrder,
  memoryPoison,
  memoryStore,
  type IdempotencyStore,
  type Inbox,
  type InboxOrder,
  type KeptEvent,
  type ObjectClaim,
  type ObjectOrder,
  type PoisonStore,
} from "../src/receiver/index.ts";
import {
  inboxOrderTests,
  inboxTests,
  orderTests,
  poisonTests,
  storeTests,
  type TestableInbox,
} from "../src/store-tests/index.ts";
import { broken } from "./broken-rules.ts";

// What a kit passes to a store, and small mistakes of stores that it must find.

const EVENT_ID = /^evt_\S/;

/** Rejects what a receiver never passes. */
function strictStore(): IdempotencyStore {
  const store = memoryStore();
  const check = (id: string, token: string): void => {
    expect(id).toMatch(/^evt_\S/i);
    expect(token).toMatch(/\w/);
  };
  return {
    claim: async (id, token, lease) => {
      check(id, token);
      return store.claim(id, token, lease);
    },
    complete: async (id, token) => {
      check(id, token);
      return store.complete(id, token);
    },
    extend: async (id, token, lease) => {
      check(id, token);
      return store.extend(id, token, lease);
    },
    release: async (id, token) => {
      check(id, token);
      return store.release(id, token);
    },
  };
}

function strictOrder(): ObjectOrder {
  const order = memoryOrder();
  return {
    isOlder: async (event) => order.isOlder(checkEvent(event)),
    remember: async (event) => order.remember(checkEvent(event)),
  };
}

/** The rules need an event with a wrong time, and some whose object has no id. */
function checkEvent(event: EventEnvelope): EventEnvelope {
  expect(event).toEqual({
    id: expect.stringMatching(EVENT_ID),
    type: expect.stringMatching(/^\w+\.\w+$/),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d|^soon$/),
    livemode: false,
    data: { object: { id: (event.data["object"] as { id?: unknown }).id } },
    idempotency_key: event.id,
  });
  const { id } = event.data["object"] as { id?: string };
  if (id !== undefined && id !== "") expect(id).toMatch(/^[a-z]+_\S/);
  return event;
}

function strictPoison(store: PoisonStore = memoryPoison()): PoisonStore {
  return {
    ...store,
    fail: async (attempt) => {
      expect(attempt).toEqual({
        id: expect.stringMatching(/^evt_\S/i),
        type: expect.stringMatching(/^\w+\.\w+$/),
        error: expect.stringMatching(/Error$/),
      });
      return store.fail(attempt);
    },
    setAside: async (id, payload) => {
      expect(id).toMatch(/^evt_\S/i);
      expect(payload).not.toBe("");
      return store.setAside(id, payload);
    },
  };
}

describe("a kit passes what a receiver passes:", () => {
  test("ids of events and tokens to a store", async () => {
    expect(await broken(storeTests(strictStore))).toEqual([]);
  });

  test("whole events to an order", async () => {
    const order = strictOrder();
    expect(await broken(orderTests(() => order))).toEqual([]);
  });

  test("types and names of errors to a poison store", async () => {
    const store = strictPoison();
    expect(await broken(poisonTests(() => store))).toEqual([]);
  });
});

test("the kit of poison stores finds its own events among others, and leaves none behind", async () => {
  const store = memoryPoison();
  const keepOther = async (id: string): Promise<void> => {
    await store.fail({ id, type: "plan.updated", error: "RangeError" });
    await store.setAside(id, undefined);
  };
  await keepOther("evt_first");
  expect(await broken(poisonTests(() => store))).toEqual([]);
  expect((await store.list()).map(({ id }) => id)).toEqual(["evt_first"]);
});

/** How each mistake changes an id, before the store sees it. */
const idMistakes: readonly (readonly [string, (id: string) => string])[] = [
  ["case", (id) => id.toLowerCase()],
  ["accents", (id) => id.normalize("NFD").replaceAll(/\p{M}/gu, "")],
  ["trailing blanks", (id) => id.trimEnd()],
  ["what follows a quote", (id) => id.replace(/'.*$/, "")],
  ["what follows a comment of SQL", (id) => id.replace(/'"\\%_;--.*$/, "")],
];

test.each(idMistakes)("a store that ignores %s in ids is rejected", async (_, change) => {
  const store = memoryStore();
  const changed: IdempotencyStore = {
    claim: (id, ...rest) => store.claim(change(id), ...rest),
    complete: (id, ...rest) => store.complete(change(id), ...rest),
    extend: (id, ...rest) => store.extend(change(id), ...rest),
    release: (id, ...rest) => store.release(change(id), ...rest),
  };
  expect(await broken(storeTests(() => changed))).toEqual([
    expect.stringMatching(/^ids are compared .*: The first claim of "evt_.*: expected "claimed"/i),
  ]);
});

test.each(idMistakes)("a poison store that ignores %s in ids is rejected", async (_, change) => {
  const store = memoryPoison();
  const changed: PoisonStore = {
    ...store,
    fail: (attempt) => store.fail({ ...attempt, id: change(attempt.id) }),
    setAside: (id, payload) => store.setAside(change(id), payload),
    get: async (id) => {
      const event = await store.get(change(id));
      return event && { ...event, id };
    },
    remove: (id) => store.remove(change(id)),
  };
  expect(await broken(poisonTests(() => changed))).toEqual([
    expect.stringMatching(/^ids are compared .*: The first fail of "evt_.*: expected 1/i),
  ]);
});

describe("a poison store is rejected that", () => {
  const HOUR = 3_600_000;
  const shift = (date: Date, by: number): Date => new Date(date.getTime() + by);
  const changes: readonly (readonly [string, (event: KeptEvent) => object, string])[] = [
    ["changes the type", () => ({ type: "plan.updated" }), "type by"],
    ["counts one attempt", () => ({ attempts: 1 }), "attempts by"],
    ["keeps the first error", () => ({ error: "Error" }), "error by"],
    [
      "has failed last before it failed first",
      ({ firstFailedAt }) => ({ lastFailedAt: shift(firstFailedAt, -1) }),
      "Whether the times by",
    ],
    [
      "was set aside before it failed last",
      ({ lastFailedAt }) => ({ setAsideAt: shift(lastFailedAt, -1) }),
      "Whether the times by",
    ],
    [
      "is an hour behind",
      ({ firstFailedAt }) => ({ firstFailedAt: shift(firstFailedAt, -HOUR) }),
      "Whether a time by",
    ],
    [
      "is an hour ahead",
      ({ setAsideAt }) => ({ setAsideAt: shift(setAsideAt, HOUR) }),
      "Whether a time by",
    ],
    [
      "returns a time as a number",
      ({ setAsideAt }) => ({ setAsideAt: setAsideAt.getTime() }),
      "Whether a time by",
    ],
  ];
  const both = changes.flatMap(([title, change, message]) =>
    (["list", "get"] as const).map((call) => [title, call, change, message] as const),
  );

  test.each(both)("%s, in what %s returns", async (_, call, change, message) => {
    const store = memoryPoison();
    const changed: PoisonStore = {
      ...store,
      ...(call === "get" && {
        get: async (id: string) => {
          const event = await store.get(id);
          return event && { ...event, ...change(event) };
        },
      }),
      ...(call === "list" && {
        list: async () =>
          (await store.list()).map((event) => ({ ...event, ...change(event as KeptEvent) })),
      }),
    };
    expect((await broken(poisonTests(() => changed))).join("\n")).toContain(`${message} ${call}`);
  });

  test.each<[string, (payload: string) => string]>([
    ["keeps Latin-1 only", (payload) => payload.replaceAll(/[\u0100-\uFFFF]/g, "?")],
    ["doubles quotes", (payload) => payload.replaceAll("'", "''")],
    ["reads backslashes", (payload) => payload.replaceAll("\\\\", "\\")],
    ["trims members", (payload) => payload.replaceAll(' "', '"')],
  ])("%s of a payload", async (_, change) => {
    const store = memoryPoison();
    const setAside: PoisonStore["setAside"] = (id, payload) =>
      store.setAside(id, payload && change(payload));
    expect((await broken(poisonTests(() => ({ ...store, setAside })))).join("\n")).toContain(
      "Whether get returns the payload: expected true",
    );
  });

  const rejected: readonly (readonly [
    string,
    (store: PoisonStore) => Partial<PoisonStore>,
    string,
  ])[] = [
    [
      "lists events that only failed",
      (store) => {
        const failed: KeptEvent[] = [];
        return {
          fail: async (attempt) => {
            failed.push({ id: attempt.id } as KeptEvent);
            return store.fail(attempt);
          },
          list: async () => failed,
        };
      },
      "Whether list has an event that only failed: expected false",
    ],
    [
      "gets no event whose id has a quote",
      (store) => ({ get: async (id) => (id.includes("'") ? undefined : store.get(id)) }),
      "get after setAside: expected the event, but got none.",
    ],
    [
      "gets events that only failed",
      (store) => ({ get: async (id) => (await store.get(id)) ?? ({ id } as KeptEvent) }),
      "get of an event that only failed: expected undefined",
    ],
    [
      "replaces a payload by none",
      (store) => ({
        setAside: async (id, payload) => {
          const isKept = await store.setAside(id, payload);
          if (payload === undefined) kept.add(id);
          else kept.delete(id);
          return isKept;
        },
        get: async (id) => {
          const event = await store.get(id);
          return event && (kept.has(id) ? { ...event, payload: undefined } : event);
        },
      }),
      "Whether the payload stays: expected true",
    ],
    [
      "takes no later payload",
      (store) => ({
        setAside: async (id, payload) =>
          (await store.get(id)) === undefined ? store.setAside(id, payload) : true,
      }),
      'payload by get after setAside with one: expected "later"',
    ],
    [
      "invents a payload",
      (store) => ({ setAside: (id, payload) => store.setAside(id, payload ?? "null") }),
      "payload by get without one: expected undefined",
    ],
    [
      "renews the time of setting aside",
      (store) => {
        let renewed = 0;
        return {
          get: async (id) => {
            const event = await store.get(id);
            return event && { ...event, setAsideAt: shift(event.setAsideAt, (renewed += 1)) };
          },
        };
      },
      "setAsideAt after that",
    ],
    [
      "lists an event twice",
      (store) => ({ list: async () => [...(await store.list()), ...(await store.list())] }),
      "How often list has it: expected 1",
    ],
    [
      "keeps the failures of a removed event",
      (store) => {
        const counts = new Map<string, number>();
        return {
          fail: async (attempt) => {
            await store.fail(attempt);
            const count = (counts.get(attempt.id) ?? 0) + 1;
            counts.set(attempt.id, count);
            return count;
          },
        };
      },
      "The first fail after that: expected 1",
    ],
    [
      "removes only what was set aside",
      (store) => ({
        remove: async (id) => {
          if ((await store.get(id)) !== undefined) await store.remove(id);
        },
      }),
      "The first fail after removing a failure: expected 1",
    ],
    [
      "returns the last count to all that fail together",
      (store) => {
        const counts = new Map<string, number>();
        return {
          fail: async (attempt) => {
            counts.set(attempt.id, await store.fail(attempt));
            await sleep(1);
            return counts.get(attempt.id) ?? 0;
          },
        };
      },
      "The number of different counts among them: expected 20",
    ],
  ];
  const kept = new Set<string>();

  test.each(rejected)("%s", async (_, change, message) => {
    const store = memoryPoison();
    const changed = { ...store, ...change(store) };
    expect((await broken(poisonTests(() => changed))).join("\n")).toContain(message);
  });

  test("locks a count within its process only", async () => {
    const counts = new Map<string, number>();
    const inOneProcess = (): PoisonStore => {
      let last = Promise.resolve();
      const fail: PoisonStore["fail"] = async ({ id }) => {
        const before = last;
        const ended = Promise.withResolvers<void>();
        last = ended.promise;
        await before;
        const count = (counts.get(id) ?? 0) + 1;
        await sleep(1);
        counts.set(id, count);
        ended.resolve();
        return count;
      };
      return { ...memoryPoison(), fail };
    };
    expect((await broken(poisonTests(inOneProcess))).join("\n")).toContain(
      "The highest of 20 simultaneous fails after two: expected 22",
    );
  });
});

describe("a store is rejected whose leases", () => {
  test.each([
    ["end after half an hour", 1_800_000],
    ["end a millisecond too late", 3_600_001],
    ["are endless", Number.POSITIVE_INFINITY],
    ["have no end", undefined],
    ["end at a string", "3600000"],
  ])("%s", async (_, endsIn) => {
    const store = memoryStore();
    const claim: IdempotencyStore["claim"] = async (...args) => {
      const claimed = await store.claim(...args);
      return claimed.status === "in_progress" ? { ...claimed, endsIn: endsIn as number } : claimed;
    };
    expect((await broken(storeTests(() => ({ ...store, claim })))).join("\n")).toContain("endsIn");
  });

  test("not if they end exactly an hour later", async () => {
    const store = memoryStore();
    const claim: IdempotencyStore["claim"] = async (...args) => {
      const claimed = await store.claim(...args);
      return claimed.status === "in_progress" ? { ...claimed, endsIn: 3_600_000 } : claimed;
    };
    expect(await broken(storeTests(() => ({ ...store, claim })))).toEqual([]);
  });
});

describe("the kit of inboxes", () => {
  /** An inbox in memory. A second run of an event waits for the first one, as it may in a database that locks rows. */
  const waiting = (): TestableInbox & { readonly seen: object[] } => {
    const seen: object[] = [];
    const done = new Set<string>();
    const rows: string[] = [];
    const lent = new Map<object, string[]>();
    const last = new Map<string, Promise<void>>();
    const inbox: Inbox = {
      run: async (id, work) => {
        expect(id).toMatch(EVENT_ID);
        const before = last.get(id);
        const ended = Promise.withResolvers<void>();
        last.set(id, ended.promise);
        await before;
        const contexts: object[] = [];
        const written: string[] = [];
        try {
          if (done.has(id)) return "done";
          await work({
            signal: new AbortController().signal,
            enter: (context) => {
              seen.push({ id, ...context });
              contexts.push(context);
              lent.set(context, written);
            },
          });
          rows.push(...written);
          done.add(id);
          return "committed";
        } finally {
          for (const context of contexts) lent.delete(context);
          ended.resolve();
        }
      },
    };
    const rowsOf = (context: object): string[] => {
      const written = lent.get(context);
      if (written === undefined) throw new Error("It has ended.");
      return written;
    };
    return {
      inbox,
      seen,
      write: async (context, id) => void rowsOf(context).push(id),
      fail: async () => Promise.reject(new Error("nonsense")),
      count: async (id) => rows.filter((each) => each === id).length,
    };
  };

  test("accepts an inbox whose second run waits for the first", async () => {
    expect(await broken(inboxTests(waiting))).toEqual([]);
  });

  test("passes the context of a delivery", async () => {
    const testable = waiting();
    expect(await broken(inboxTests(() => testable))).toEqual([]);
    for (const { id, ...context } of testable.seen as { id: string }[])
      expect(context).toEqual({
        idempotencyKey: id,
        attempt: 1,
        delivery: undefined,
        signal: expect.any(AbortSignal),
      });
  });

  test.each<[string, (testable: TestableInbox) => Partial<TestableInbox>, string]>([
    ["a fail that passes", () => ({ fail: async () => {} }), "Whether fail rejects: expected true"],
    [
      "a write outside of the transaction",
      () => ({ count: async () => 0 }),
      "The rows after the first run: expected 1",
    ],
    [
      "a second run that handles the event",
      ({ inbox }) => ({
        inbox: {
          run: async (id, work) => {
            const outcome = await inbox.run(id, work);
            return outcome === "done" ? "committed" : outcome;
          },
        },
      }),
      "Whether the second run has handled the event: expected false",
    ],
    [
      "another error than that of the handler",
      ({ inbox }) => ({
        inbox: {
          run: (id, work) =>
            inbox.run(id, work).catch((cause: unknown) => {
              throw new Error("rolled back", { cause });
            }),
        },
      }),
      "What run rejects with: expected Error: a handler has failed (object)",
    ],
    [
      "a rejection without an error",
      ({ inbox }) => ({
        inbox: { run: (id, work) => inbox.run(id, work).catch(() => Promise.reject()) },
      }),
      "but got Error: It rejected without an error.",
    ],
  ])("rejects %s", async (_, change, message) => {
    const create = (): TestableInbox => {
      const testable = waiting();
      return { ...testable, ...change(testable) };
    };
    expect((await broken(inboxTests(create))).join("\n")).toContain(message);
  });
});

describe("the kit of orders that join an inbox", () => {
  /** A transaction that finds the object locked is rolled back. */
  const locking = (claimAs: (claim: ObjectClaim | undefined) => ObjectClaim | undefined) => {
    let newest = new Map<string, number>();
    let holder: unknown;
    let runs = 0;
    const inbox: Inbox = {
      uses: (client) => client === inbox,
      run: async (id, work) => {
        expect(id).toMatch(EVENT_ID);
        runs += 1;
        // As while a former attempt is still running.
        if (runs % 3 === 0) return "in_progress";
        const transaction = { signal: new AbortController().signal, enter: () => {} };
        const undo = new Map(newest);
        try {
          await work({ ...transaction, transaction } as never);
          return "committed";
        } catch (error) {
          if (holder === transaction) newest = undo;
          throw error;
        } finally {
          if (holder === transaction) holder = undefined;
        }
      },
    };
    const firsts = new Map<string, number>();
    const order: InboxOrder = {
      ...memoryOrder(),
      firstClaim: async ({ id }, now) => {
        firsts.set(id, now);
        return now;
      },
      joins: (other) => other.uses?.(inbox) === true,
      claimObject: async (event, transaction) => {
        const { id } = checkEvent(event).data["object"] as { id?: string };
        const time = firsts.get(event.id) ?? Date.parse(event.created_at);
        if (id === undefined || Number.isNaN(time)) return claimAs(undefined);
        if (holder !== undefined) return "locked";
        const known = newest.get(id) ?? Number.NEGATIVE_INFINITY;
        if (time < known) return claimAs("older");
        holder = transaction;
        newest.set(id, time);
        return claimAs(time === known ? "ambiguous" : "newest");
      },
    };
    return { inbox, order };
  };

  test("retries an event that is in progress, or whose object is locked", async () => {
    const testable = locking((claim) => claim);
    expect(await broken(inboxOrderTests(() => testable))).toEqual([]);
  });

  test.each<[string, ObjectClaim | undefined, ObjectClaim | undefined, string]>([
    ["an older event as newest", "older", "newest", 'expected "older", but got "newest"'],
    ["a newest event as older", "newest", "older", 'expected "newest", but got "older"'],
    ["an event without an order", undefined, "newest", "claimObject: expected undefined"],
  ])("rejects an order that claims %s", async (_, from, to, message) => {
    const testable = locking((claim) => (claim === from ? to : claim));
    expect((await broken(inboxOrderTests(() => testable))).join("\n")).toContain(message);
  });

  test.each<[string, (testable: ReturnType<typeof locking>) => object, string]>([
    [
      "joins nothing",
      ({ inbox, order }) => ({ inbox, order: { ...order, joins: () => false } }),
      "joins of its inbox: expected true",
    ],
    [
      "has an inbox that is done at once",
      ({ order }) => ({ order, inbox: { run: async () => "done", uses: () => true } }),
      'run: expected "committed", but got "done"',
    ],
    [
      "has an inbox that hides errors",
      ({ inbox, order }) => ({
        order,
        inbox: {
          ...inbox,
          run: (id: string, work: never) =>
            inbox.run(id, work).catch(() => Promise.reject(new Error("rolled back"))),
        },
      }),
      "What run rejects with: expected Error: a handler has failed (object)",
    ],
  ])("rejects an order that %s", async (_, change, message) => {
    const testable = change(locking((claim) => claim)) as ReturnType<typeof locking>;
    const rules = inboxOrderTests(() => testable);
    expect((await broken(rules)).join("\n")).toContain(message);
  });
});
