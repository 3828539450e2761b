import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { EventEnvelope } from "../src/index.ts";
import {
  memoryOrder,
  memoryPoison,
  memoryStore,
  noStore,
  type IdempotencyStore,
  type Inbox,
  type InboxOrder,
  type KeptEvent,
  type ObjectOrder,
  type PoisonStore,
} from "../src/receiver/index.ts";
import {
  inboxOrderTests,
  inboxTests,
  orderTests,
  poisonTests,
  storeTests,
  type ContractTest,
  type TestableInbox,
} from "../src/store-kit/index.ts";

/** Returns the broken rules, each with its message. */
async function broken(tests: readonly ContractTest[]): Promise<string[]> {
  const messages: string[] = [];
  for (const { name, run } of tests)
    await run().catch((error: Error) => messages.push(`${name}: ${error.message}`));
  return messages;
}

/** Returns a store that breaks one of the rules. */
function storeBut(change: (store: IdempotencyStore) => Partial<IdempotencyStore>) {
  return () => {
    const store = memoryStore();
    return { ...store, ...change(store) };
  };
}

describe("the tests of stores", () => {
  test("pass for a store that follows the rules, created synchronously or asynchronously", async () => {
    expect(await broken(storeTests(() => memoryStore()))).toEqual([]);
    expect(await broken(storeTests(async () => memoryStore()))).toEqual([]);
  });

  test.for<[string, () => IdempotencyStore, string]>([
    ["remembers nothing", noStore, "A claim by another token, status: expected"],
    [
      "reads and writes in two steps",
      () => {
        const store = memoryStore();
        const claims: string[] = [];
        const claim: IdempotencyStore["claim"] = async (id, token, lease) => {
          const isFree = !claims.includes(id);
          await Promise.resolve();
          claims.push(id);
          return isFree ? { status: "claimed", attempt: 1 } : store.claim(id, token, lease);
        };
        return { ...store, claim };
      },
      "simultaneous claims that got the event: expected 1 (number), but got 20 (number)",
    ],
    [
      "counts in strings, as a database may",
      storeBut((store) => ({
        claim: async (...args) => {
          const claim = await store.claim(...args);
          return claim.status === "claimed"
            ? { ...claim, attempt: String(claim.attempt) as never }
            : claim;
        },
      })),
      'attempt: expected 1 (number), but got "1"',
    ],
    [
      "does not know its own token again",
      storeBut((store) => {
        let claims = 0;
        return {
          claim: (id, token, lease) => store.claim(id, `${token} ${(claims += 1)}`, lease),
        };
      }),
      'The same claim again, status: expected "claimed"',
    ],
    [
      "counts the end of a lease in seconds",
      storeBut((store) => ({
        claim: async (...args) => {
          const claim = await store.claim(...args);
          return claim.status === "in_progress"
            ? { ...claim, endsIn: claim.endsIn / 1_000 }
            : claim;
        },
      })),
      "endsIn must be the milliseconds until the lease ends",
    ],
    [
      "completes with any token",
      storeBut(() => ({ complete: async () => true })),
      "complete by another token: expected false",
    ],
    [
      "completes only within the lease",
      () => {
        const store = memoryStore();
        const ends = new Map<string, number>();
        return {
          ...store,
          claim: (id, token, lease) => {
            ends.set(id, Date.now() + lease);
            return store.claim(id, token, lease);
          },
          complete: async (id, token) =>
            Date.now() < (ends.get(id) ?? 0) && store.complete(id, token),
        };
      },
      "complete after the lease: expected true",
    ],
    [
      "extends with any token",
      storeBut(() => ({ extend: async () => true })),
      "extend of a done event: expected false",
    ],
    [
      "releases with any token",
      storeBut((store) => {
        const tokens = new Map<string, string>();
        return {
          claim: async (id, token, lease) => {
            const claim = await store.claim(id, token, lease);
            if (claim.status === "claimed") tokens.set(id, token);
            return claim;
          },
          release: (id) => store.release(id, tokens.get(id) ?? ""),
        };
      }),
      "A claim after a release by another token, status",
    ],
    [
      "does not release",
      storeBut(() => ({ release: async () => {} })),
      "complete of a released event: expected false",
    ],
    [
      "compares ids without case",
      storeBut((store) => ({
        claim: (id, ...rest) => store.claim(id.toLowerCase(), ...rest),
        complete: (id, token) => store.complete(id.toLowerCase(), token),
      })),
      "ids are compared character by character",
    ],
    [
      "rejects",
      storeBut(() => ({ claim: async () => Promise.reject(new Error("no connection")) })),
      "no connection",
    ],
  ])("fail for a store that %s", async ([, create, message]) => {
    expect((await broken(storeTests(create))).join("\n")).toContain(message);
  });
});

test.for([
  ["memoryStore", 0],
  ["noStore", 1],
] as const)("node:test runs those of %s, and exits with %i", ([store, status]) => {
  const src = JSON.stringify(join(import.meta.dirname, "../src/"));
  const program = `
    import { test } from "node:test";
    const { ${store} } = await import(${src} + "receiver/index.ts");
    const { storeTests } = await import(${src} + "store-kit/index.ts");
    for (const { name, run } of storeTests(() => ${store}())) test(name, run);`;
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const node = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
    env: { ...env, NODE_OPTIONS: "" },
  });
  expect([node.status, node.stderr]).toEqual([status, ""]);
  expect(node.stdout).toContain("of many tokens that claim an event at the same time");
});

describe("the tests of orders", () => {
  test("pass for an order that follows the rules", async () => {
    const order = memoryOrder();
    expect(await broken(orderTests(() => order))).toEqual([]);
  });

  const orderBut = (change: (order: ObjectOrder) => Partial<ObjectOrder>) => {
    const order = memoryOrder();
    const changed = { ...order, ...change(order) };
    return () => changed;
  };

  test.for<[string, () => ObjectOrder, string]>([
    ["is not shared", () => memoryOrder(), "isOlder of 2026-01-02T00:00:00Z: expected true"],
    [
      "keeps the last instead of the newest",
      orderBut(() => {
        let last = "";
        return {
          isOlder: async ({ created_at }) => created_at < last,
          remember: async ({ created_at }) => void (last = created_at),
        };
      }),
      "isOlder of 2026-01-02T00:58:59Z: expected true",
    ],
    [
      "compares times as strings",
      orderBut(() => {
        const newest = new Map<unknown, string>();
        const idOf = ({ data }: EventEnvelope) => (data["object"] as { id?: string }).id;
        const isOlder: ObjectOrder["isOlder"] = async (event) =>
          event.created_at < (newest.get(idOf(event)) ?? "");
        const remember: ObjectOrder["remember"] = async (event) => {
          if (!(await isOlder(event))) newest.set(idOf(event), event.created_at);
        };
        return { isOlder, remember };
      }),
      "isOlder of 2026-01-02T00:00:00Z: expected true",
    ],
    [
      "treats all objects as one",
      orderBut((order) => {
        const one = (event: EventEnvelope) => ({ ...event, data: { object: { id: "one" } } });
        return {
          isOlder: (event) => order.isOlder(one(event)),
          remember: (event) => order.remember(one(event)),
        };
      }),
      "isOlder of another object's event: expected false",
    ],
    [
      "treats equal ids of different kinds as one object",
      orderBut((order) => {
        const one = (event: EventEnvelope) => ({ ...event, type: "plan.updated" });
        return {
          isOlder: (event) => order.isOlder(one(event)),
          remember: (event) => order.remember(one(event)),
        };
      }),
      "isOlder of another kind's event: expected false",
    ],
    [
      "forgets a first claim",
      orderBut(() => ({ firstClaim: async (_event, now) => now })),
      "firstClaim of another attempt: expected 1767312000000",
    ],
    [
      "keeps a first claim, and orders by the date that is ahead",
      orderBut((order) => {
        const anew = (event: EventEnvelope) => ({ ...event, id: `${event.id}_anew` });
        return {
          isOlder: (event) => order.isOlder(anew(event)),
          remember: (event) => order.remember(anew(event)),
        };
      }),
      "isOlder of 2026-01-02T00:00:01Z: expected false",
    ],
    [
      "drops events without a time",
      orderBut((order) => ({
        isOlder: async (event) => event.created_at === "soon" || order.isOlder(event),
      })),
      "isOlder of an event without a time: expected false",
    ],
  ])("fail for an order that %s", async ([, create, message]) => {
    expect((await broken(orderTests(create))).join("\n")).toContain(message);
  });
});

describe("the tests of poison stores", () => {
  const poisonBut = (change: (store: PoisonStore) => Partial<PoisonStore>) => {
    const store = memoryPoison();
    const changed = { ...store, ...change(store) };
    return () => changed;
  };

  test("pass for a store that follows the rules, created synchronously or asynchronously", async () => {
    const store = memoryPoison();
    expect(await broken(poisonTests(() => store))).toEqual([]);
    expect(await broken(poisonTests(async () => store))).toEqual([]);
  });

  test("find their own events among others, and leave none behind", async () => {
    const store = memoryPoison();
    await store.fail({ id: "evt_first", type: "plan.updated", error: "RangeError" });
    await store.setAside("evt_first", undefined);
    expect(await broken(poisonTests(() => store))).toEqual([]);
    expect((await store.list()).map(({ id }) => id)).toEqual(["evt_first"]);
  });

  test.for<[string, () => PoisonStore, string]>([
    ["is not shared", () => memoryPoison(), "The second fail, by the other store: expected 2"],
    [
      "reads and writes in two steps",
      poisonBut(() => {
        const counts = new Map<string, number>();
        return {
          fail: async ({ id }) => {
            const before = counts.get(id) ?? 0;
            await Promise.resolve();
            counts.set(id, before + 1);
            return before + 1;
          },
        };
      }),
      "The highest of 20 simultaneous fails after two: expected 22",
    ],
    [
      "keeps no payload",
      poisonBut((store) => ({ setAside: (id) => store.setAside(id, undefined) })),
      "Whether get returns the payload: expected true",
    ],
    [
      "returns true without setting the event aside",
      poisonBut((store) => ({
        setAside: async (...args) => {
          await store.setAside(...args);
          return true;
        },
      })),
      "setAside of an unknown event: expected false",
    ],
    [
      "forgets an event that fails again",
      poisonBut((store) => ({
        fail: async (attempt) => {
          if ((await store.get(attempt.id)) !== undefined) await store.remove(attempt.id);
          return store.fail(attempt);
        },
      })),
      "fail of an event that was set aside: expected 2",
    ],
    [
      "lists nothing",
      poisonBut(() => ({ list: async () => [] })),
      "list after setAside: expected the event, but got none.",
    ],
    [
      "lists payloads",
      poisonBut((store) => ({
        list: async () =>
          (await Promise.all((await store.list()).map(({ id }) => store.get(id)))) as never,
      })),
      "Whether list holds the payload: expected false",
    ],
    [
      "lists events that only failed",
      poisonBut((store) => {
        const failed: KeptEvent[] = [];
        return {
          fail: async (attempt) => {
            failed.push({ id: attempt.id } as KeptEvent);
            return store.fail(attempt);
          },
          list: async () => failed,
        };
      }),
      "Whether list has an event that only failed: expected false",
    ],
    [
      "keeps the failures of a removed event",
      poisonBut((store) => {
        const counts = new Map<string, number>();
        return {
          fail: async (attempt) => {
            await store.fail(attempt);
            const count = (counts.get(attempt.id) ?? 0) + 1;
            counts.set(attempt.id, count);
            return count;
          },
        };
      }),
      "The first fail after that: expected 1",
    ],
    ["removes nothing", poisonBut(() => ({ remove: async () => {} })), "get of a removed event"],
  ])("fail for a store that %s", async ([, create, message]) => {
    expect((await broken(poisonTests(create))).join("\n")).toContain(message);
  });
});

describe("the tests of inboxes", () => {
  test("pass for an inbox that follows the rules", async () => {
    expect(await broken(inboxTests(() => inboxInMemory()))).toEqual([]);
  });

  test.for<[string, Faults, string]>([
    ["forgets the mark", { marks: false }, 'The second run: expected "done"'],
    ["does not undo", { undoes: false }, "The rows after the failure: expected 0"],
    ["swallows errors", { rejects: false }, "What run rejects with"],
    ["does not lock", { locks: false }, "Whether the second run has handled the event"],
    ["lends forever", { endsLoans: false }, "Whether a write after the end rejects"],
    ["loses on a swallowed error", { survivesErrors: false }, "The rows after that: expected 1"],
  ])("fail for an inbox with the fault: %s", async ([, faults, message]) => {
    expect((await broken(inboxTests(() => inboxInMemory(faults)))).join("\n")).toContain(message);
  });
});

describe("the tests of orders that join an inbox", () => {
  /** An inbox and an order in memory. Each fault breaks one rule. */
  const joined = (
    faults: Partial<Record<"joins" | "asks" | "undoes" | "locks" | "ambiguous", false>> = {},
  ) => {
    let newest = new Map<string, number>();
    let last = Promise.resolve();
    const inbox: Inbox = {
      uses: (client) => client === inbox,
      run: async (_id, work) => {
        const before = last;
        const ended = Promise.withResolvers<void>();
        last = ended.promise;
        if (faults.locks !== false) await before;
        const undo = new Map(newest);
        try {
          const transaction = { signal: new AbortController().signal, enter: () => {} };
          await work(transaction);
          return "committed";
        } catch (error) {
          if (faults.undoes !== false) newest = undo;
          throw error;
        } finally {
          ended.resolve();
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
      joins: (other) => {
        if (faults.joins === false) return true;
        return faults.asks === false ? other.uses !== undefined : other.uses?.(inbox) === true;
      },
      claimObject: async ({ id: event, data, created_at }) => {
        const { id } = data["object"] as { id?: string };
        const time = firsts.get(event) ?? Date.parse(created_at);
        if (id === undefined || Number.isNaN(time)) return undefined;
        const known = newest.get(id) ?? Number.NEGATIVE_INFINITY;
        if (time < known) return "older";
        newest.set(id, time);
        return time === known && faults.ambiguous !== false ? "ambiguous" : "newest";
      },
    };
    return { inbox, order };
  };

  test("pass for an order that follows the rules", async () => {
    const testable = joined();
    expect(await broken(inboxOrderTests(() => testable))).toEqual([]);
  });

  test.for([
    ["joins every inbox", { joins: false }, "joins of another inbox: expected false"],
    ["asks no inbox for its client", { asks: false }, "joins of another inbox: expected false"],
    ["survives a rollback", { undoes: false }, "claimObject of an earlier event: expected"],
    ["does not lock", { locks: false }, "The handlers of the object at once: expected 1"],
    ["guesses", { ambiguous: false }, 'claimObject of 2026-01-02T01:00:00+01:00: expected "amb'],
  ] as const)("fail for an order that %s", async ([, faults, message]) => {
    expect((await broken(inboxOrderTests(() => joined(faults)))).join("\n")).toContain(message);
  });
});

/** All functions reject, as those of a store whose database is down. */
const down = <Store extends object>(store: Store): Store =>
  Object.fromEntries(
    Object.keys(store).map((name) => [name, () => Promise.reject(new Error("down"))]),
  ) as Store;

test.each<[string, readonly ContractTest[]]>([
  ["a store", storeTests(() => down(memoryStore()))],
  ["an order", orderTests(() => down(memoryOrder()))],
  ["a poison store", poisonTests(() => down(memoryPoison()))],
  ["an inbox", inboxTests(() => ({ ...inboxInMemory(), inbox: down(inboxInMemory().inbox) }))],
])("every rule is broken by %s whose database is down", async (_, rules) => {
  expect(await broken(rules)).toHaveLength(rules.length);
});

interface Faults {
  readonly marks?: boolean;
  readonly undoes?: boolean;
  readonly rejects?: boolean;
  readonly locks?: boolean;
  readonly endsLoans?: boolean;
  /** PostgreSQL does not: it rolls back at COMMIT, without an error. */
  readonly survivesErrors?: boolean;
}

/** The smallest database with transactions. */
function inboxInMemory(faults: Faults = {}): TestableInbox {
  const { marks = true, undoes = true, rejects = true } = faults;
  const { locks = true, endsLoans = true, survivesErrors = true } = faults;
  const rows: string[] = [];
  const done = new Set<string>();
  const locked = new Set<string>();
  const loans = new WeakMap<object, { rows: string[]; hasEnded: boolean; isBroken: boolean }>();
  const transactionOf = (context: object) => {
    const loan = loans.get(context)!;
    if (loan.hasEnded) throw new Error("It has ended.");
    return loan;
  };
  const inbox: Inbox = {
    run: async (id, work) => {
      if (done.has(id)) return "done";
      if (locks && locked.has(id)) return "in_progress";
      locked.add(id);
      const loan = { rows: [] as string[], hasEnded: false, isBroken: false };
      try {
        await work({
          signal: new AbortController().signal,
          enter: (context) => loans.set(context, loan),
        });
        if (survivesErrors || !loan.isBroken) rows.push(...loan.rows);
        if (marks) done.add(id);
      } catch (error) {
        if (!undoes) rows.push(...loan.rows);
        if (rejects) throw error;
      } finally {
        loan.hasEnded = endsLoans;
        locked.delete(id);
      }
      return "committed";
    },
  };
  return {
    inbox,
    write: (context, id) => transactionOf(context).rows.push(id),
    fail: (context) => {
      transactionOf(context).isBroken = true;
      throw new Error("nonsense");
    },
    count: (id) => rows.filter((each) => each === id).length,
  };
}
