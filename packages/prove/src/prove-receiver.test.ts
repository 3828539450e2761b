import { DatabaseSync } from "node:sqlite";
import type { Clock } from "@fieldmesh/core";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { sqliteInbox, sqliteOrder } from "@fieldmesh/webhook-types/stores";
import { expect, test } from "vitest";
import { ProofError } from "./proof-error.ts";
import { proveReceiver, type ProveOptions } from "./prove-receiver.ts";
import type { Build, Subject } from "./subject.ts";
import { correct } from "./testing/correct.ts";
import { objectOf, receiver, brokenRules, byHand, mail } from "./testing/parts.ts";
import { planted } from "./testing/planted.ts";
import type { EventEnvelope } from "@fieldmesh/webhook-types";
import type { World } from "./world.ts";

const events = ["sim.activated", "sim.suspended"] as const;

async function errorOf(build: Build | undefined, options: Partial<ProveOptions> = {}) {
  const error: unknown = await proveReceiver(build!, { events, seed: 1, ...options }).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProofError)) throw error;
  return error;
}

/** The slow tests run all of them. */
const SOME: Readonly<Record<string, string>> = {
  "claims the event before the work": "nothing is lost",
  "overwrites the state with the last delivery": "the newest state wins",
  "sends the mail without a key": "an effect happens once",
  "reads the secret once": "every delivery is accepted in the end",
  "verifies nothing": "forged deliveries are rejected",
};
for (const [name, rule] of Object.entries(SOME))
  test(`finds a receiver that ${name}`, async () => {
    expect(await errorOf(planted[name])).toMatchObject({ rule });
  });

test("finds no failure of a receiver that keeps the rules, and returns how many runs it has done", async () => {
  const build = correct["an order, a store, rows and a mail"]!;
  const proof = await proveReceiver(build, { events, seed: 7, runs: 10 });
  // The plain runs: of each type, 12 without a fault, and 34 faults for one delivery and for two: six calls, and two more, are struck.
  const plain = 2 * (12 + 34 * 2);
  expect(proof).toEqual({ seed: 7, runs: plain + 10, deliveries: expect.any(Number) as number });
  expect(proof.deliveries).toBeGreaterThan(plain);
});

test("the message shows the shortest failing sequence, and a test that repeats it", async () => {
  const build = planted["sends the mail without a key"]!;
  const one = { events: ["sim.activated"] } as const;
  const { message, plan } = await errorOf(build, one);
  expect(message)
    .toBe(`“an effect happens once” does not hold: the effect "mail" of evt_sim.activated_0_0 happened 2 times.

  deliver evt_sim.activated_0_0
    store: claim
    effect "mail": the process crashes after it
    evt_sim.activated_0_0 → no response
  deliver evt_sim.activated_0_0
    store: claim
    effect "mail"
    store: complete
    evt_sim.activated_0_0 → 200

Found with seed 1. To repeat it:

test("an effect happens once", async () => {
  await proveReceiver(build, { events, replay: { steps: [ { deliver: [ [ 0, 0, 0 ] ], fault: { kind: 'crash after', at: 1 } } ] } });
});`);
  const replayed = await errorOf(build, { ...one, replay: plan });
  expect(replayed.message).toBe(message.replace("Found with seed 1. To", "To"));
  expect(
    await proveReceiver(correct["no store, and keys"]!, { events, replay: plan }),
  ).toMatchObject({ runs: 1, deliveries: 1 });
});

test("the clock advances for a handler that waits for it, and a handler that never ends is abandoned", async () => {
  const waiting =
    (wait: (clock: Clock) => Promise<void>): Build =>
    (world) =>
      createReceiver({
        secret: world.secrets,
        clock: world.clock,
        store: world.store(() => memoryStore({ clock: world.clock })),
        handlers: {
          "sim.*": async (event, { idempotencyKey }) => {
            await wait(world.clock);
            await world.effect("mail", event, { key: idempotencyKey });
          },
        },
      });
  const options = { events, seed: 1, runs: 3 };
  const sleeps = waiting((clock) => clock.sleep(2_000));
  expect(await proveReceiver(sleeps, options)).toMatchObject({ runs: 3 + 2 * (12 + 22 * 2) });
  const hangs = waiting(() => new Promise(() => {}));
  await expect(proveReceiver(hangs, options)).rejects.toThrow(
    "One sim.activated, delivered without any fault, leaves no effect and no row. It did not respond: the handler waits for something",
  );
});

test("what never repeats is shown with its plan and the run that broke it", async () => {
  let runs = 0;
  const build: Build = (world) => {
    world.survives("run", () => runs++);
    const isOdd = runs === 19;
    return receiver(world, {
      handlers: {
        "sim.*": (event) => world.effect("mail", event, isOdd ? {} : { key: event.id }),
      },
    });
  };
  const { message, isRepeated, plan } = await errorOf(build, { runs: 5 });
  expect(isRepeated).toBe(false);
  expect(plan).toMatchObject({ steps: [{ fault: { kind: "crash after", at: 1 } }] });
  expect(message).toMatch(/happened 2 times\.\n\nBroken once, not repeated/);
  expect(message).toContain("  deliver evt_sim.activated_0_0");
  expect(message).toContain("To try the same plan again:");
});

test("a search that takes longer than maxTime says how many runs it has done", async () => {
  const build = correct["no store, and keys"]!;
  await expect(
    proveReceiver(build, { events, seed: 1, runs: 5_000, maxTime: 200 }),
  ).rejects.toThrow(
    /^\d+ of 5080 runs in 0\.2 s, no rule broken\. Raise maxTime, or lower runs\.$/,
  );
  // A rule that was broken before is reported.
  const broken = planted["sends the mail without a key"];
  expect(await errorOf(broken, { runs: 100_000, maxTime: 60_000 })).toBeInstanceOf(ProofError);
});

/** A receiver with an inbox and a table in SQLite. */
const withTable =
  (upsert: string, withOrder = true): Build =>
  (world) => {
    const opened = world.survives("database", () => {
      const made = new DatabaseSync(":memory:");
      made.exec("CREATE TABLE sims (id TEXT PRIMARY KEY, at TEXT)");
      return made;
    });
    const database = world.database(opened);
    const inbox = sqliteInbox(database, { clock: world.clock });
    const receive = receiver(world, {
      store: inbox,
      ...(withOrder && { order: sqliteOrder(database, { clock: world.clock }) }),
      handlers: {
        "sim.*": async (event, context) => {
          inbox.transaction(context).prepare(upsert).run(objectOf(event), event.created_at);
        },
      },
    });
    const select = "SELECT id, at FROM sims";
    const rows = () =>
      opened
        .prepare(select)
        .all()
        .map(({ id, at }) => ({ object: String(id), created_at: String(at) }));
    return { receive, rows };
  };
const UPSERT = "INSERT INTO sims VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at";

test("the newest state of the user's own table is checked, and an inbox with an order keeps it", async () => {
  // The slow tests search; here, an older event follows a newer one.
  const replay = { steps: [{ deliver: [[0, 0, 1]] }, { deliver: [[0, 0, 0]] }] } as const;
  const options = { events, replay, settle: 0 };
  expect(await proveReceiver(withTable(UPSERT), options)).toMatchObject({ runs: 1, deliveries: 2 });
  const stale = await errorOf(withTable(UPSERT, false), options);
  expect(stale.rule).toBe("the newest state wins");
  expect(stale.message).toContain("a row shows object_0 of 2025-12-31T23:59:00.000Z, although");
  const first = "INSERT INTO sims VALUES (?, ?) ON CONFLICT (id) DO NOTHING";
  const later = { steps: replay.steps.toReversed() };
  const kept = await errorOf(withTable(first), { ...options, replay: later });
  expect(kept.rule).toBe("the newest state wins");
  const noTime = withTable(UPSERT.replace("(?, ?)", "(?, ? || 'x')"));
  await expect(proveReceiver(noTime, options)).rejects.toThrow("is not a time: return that of");
});

test("the error of a table that cannot be read is not hidden", async () => {
  let calls = 0;
  const build: Build = async (world) => ({
    ...((await withTable(UPSERT)(world)) as Subject),
    rows: () => {
      if (calls++ > 3) throw new Error("no such table: sims");
      return [{ object: "object_0", created_at: "2025-12-31T23:59:00Z" }];
    },
  });
  await expect(proveReceiver(build, { events, seed: 1, settle: 0 })).rejects.toThrow(
    "no such table: sims",
  );
});

const build = correct["no store, and keys"]!;
const replay = { steps: [{ deliver: [[0, 0, 0]] }] } as const;

test.each<[string, unknown, unknown, string]>([
  [
    "an object in place of a function",
    {},
    { events },
    "proveReceiver requires a function that builds the receiver: (world) => createReceiver({ … }).",
  ],
  [
    "no options",
    build,
    undefined,
    "proveReceiver requires an object of options, such as { events }, not undefined.",
  ],
  [
    "no events",
    build,
    { events: [] },
    "proveReceiver requires events: the types that your handlers act on.",
  ],
  [
    "an unknown type",
    build,
    { events: ["sim.activated", "sim.activatd"] },
    '"sim.activatd" is not an event type; eventTypes lists them.',
  ],
  ["no runs", build, { events, runs: 0 }, "runs must be an integer from 1 up; it is 0."],
  ["a negative seed", build, { events, seed: -1 }, "seed must be an integer from 0 up; it is -1."],
  [
    "a negative settle",
    build,
    { events, settle: -1 },
    "settle must be an integer from 0 up; it is -1.",
  ],
  [
    "an option with another name",
    build,
    { events, only: 5 },
    'proveReceiver has no option "only". Its options are events, seed, runs, maxTime, settle, invariants, replay, onProgress.',
  ],
])("%s is rejected before the first run", async (_name, given, options, message) => {
  await expect(proveReceiver(given as Build, options as ProveOptions)).rejects.toThrow(
    new TypeError(message),
  );
});

const leaves = (type: string) =>
  `One ${type}, delivered without any fault, leaves no effect and no row. `;
const withStatus =
  (status: number): Build =>
  (world) =>
    byHand(world, async () => status);
test.each<[string, Build, string]>([
  [
    "no response",
    (world) => byHand(world, () => new Promise(() => {})),
    "It did not respond: the handler waits for something that does not come. Pass world.clock to what waits for a time, and world.database(pool) in place of a database.",
  ],
  [
    "the status 401",
    withStatus(401),
    "The response was 401: pass world.secrets as the secret, and world.clock as the clock.",
  ],
  [
    "the status 204",
    withStatus(204),
    "The response was 204, so no handler has failed. Let the handler call world.effect or world.rows and await it, or return effects or rows of your own database.",
  ],
  [
    "the status 500",
    withStatus(500),
    "The response was 500, although nothing has failed on purpose. Print what onError receives: it names the handler or the store.",
  ],
])("a receiver that leaves nothing, with %s, is told what to do", async (_name, given, advice) => {
  await expect(proveReceiver(given, { events })).rejects.toThrow(
    new Error(leaves("sim.activated") + advice),
  );
});

test("each of the events must leave something", async () => {
  const types = ["sim.activated", "plan.created"] as const;
  await expect(proveReceiver(build, { events: types })).rejects.toThrow(leaves("plan.created"));
});

test.each<[string, (world: World, event: EventEnvelope) => Promise<void>]>([
  ["an effect", mail],
  ["a row", (world, event) => world.rows.set("sim", event)],
])("a receiver that leaves %s alone can be proved", async (_name, act) => {
  const given: Build = (world) =>
    byHand(world, async (event) => {
      await act(world, event);
      return 200;
    });
  expect(await proveReceiver(given, { events, replay })).toMatchObject({ runs: 1 });
});

test("without a seed, the search has a new one, a whole number", async () => {
  const proofs = [
    await proveReceiver(build, { events, replay }),
    await proveReceiver(build, { events, replay }),
  ];
  const seeds = proofs.map(({ seed }) => seed);
  expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31)).toBe(true);
  expect(seeds.some((seed) => seed > 1_000)).toBe(true);
  expect(seeds[0]).not.toBe(seeds[1]);
});

/** A receiver with as many calls for each type as this says. */
const withCalls =
  (...counts: number[]): Build =>
  (world) =>
    byHand(world, async (event) => {
      const count = counts[event.type === events[0] ? 0 : 1] ?? 0;
      for (let call = 1; call < count; call++) await world.rows.get("any");
      await mail(world, event);
      return 200;
    });

test.each([
  [[1, 1], 3],
  [[10, 10], 12],
  [[11, 3], 13],
  [[3, 11], 13],
  [[28, 29], 30],
  [[31, 1], 30],
])("of deliveries with %j calls, each of the first %d is struck", async (counts, struck) => {
  // Each of four faults strikes each call, and two others strike a delivery; for one delivery and for two, of each type. Twelve have none.
  const planned = ((4 * struck + 2) * 2 + 12) * 2 + 100;
  const options = { events, seed: 1, maxTime: 1 };
  const slow: Build = (world) => {
    const start = performance.now();
    while (performance.now() - start < 1);
    return withCalls(...counts)(world);
  };
  await expect(proveReceiver(slow, options)).rejects.toThrow(
    new RegExp(
      `^\\d+ of ${planned} runs in 0\\.001 s, no rule broken\\. Raise maxTime, or lower runs\\.$`,
    ),
  );
});

test("a rule of the user replaces a built-in one of the same name, and comes after the others", async () => {
  const forgets: Build = (world) => byHand(world, async () => 200);
  const twice: Build = (world) =>
    receiver(world, {
      handlers: {
        "sim.*": async (event) => {
          await world.effect("mail", event);
          await world.effect("mail", event);
        },
      },
    });
  const own = { mine: () => "never", "an effect happens once": () => undefined };
  const first = await proveReceiver(twice, {
    events,
    replay,
    invariants: { mine: own.mine },
  }).catch((error: unknown) => error);
  expect(first).toBeInstanceOf(ProofError);
  expect(first).toMatchObject({ rule: "an effect happens once", seed: undefined });
  const second = await proveReceiver(twice, { events, replay, invariants: own }).catch(
    (error: unknown) => error,
  );
  expect(second).toMatchObject({ rule: "mine" });
  await expect(proveReceiver(forgets, { events, replay, invariants: own })).rejects.toThrow(
    leaves("sim.activated"),
  );
});

test("a user's rule sees the deliveries, effects and rows of a run", async () => {
  const own = [{ object: "object_0", created_at: "2025-12-31T23:59:00.000Z" }];
  const given: Build = (world) => ({
    receive: byHand(world, async (event) => {
      await mail(world, event);
      await world.rows.set(event.type, event);
      return 200;
    }),
    effects: () => events.map((type) => ({ event: `evt_${type}_0_0`, name: "own" })),
    rows: () => own,
  });
  const seen: unknown[] = [];
  const plan = { steps: [{ deliver: [[2, 0, 0]] }, { deliver: [[0, 0, 0]] }] } as const;
  await proveReceiver(given, {
    events,
    replay: plan,
    invariants: {
      rule: ({ deliveries, effects, rows, ownRows }) => {
        seen.push(deliveries.map(({ event, ...each }) => ({ id: event.id, ...each })));
        seen.push(effects, [...rows.keys()], ownRows);
      },
    },
  });
  const id = "evt_sim.activated_0_0";
  // None of the type that nobody knows.
  expect(seen).toEqual([
    [{ id, status: 200, isForged: false, at: expect.any(Number) }],
    [
      { event: id, name: "mail" },
      { event: id, name: "own" },
      { event: "evt_sim.suspended_0_0", name: "own" },
    ],
    ["sim.activated"],
    own,
  ]);
});

test.each(brokenRules)("a rule that %s is broken", async (_name, rule, problem) => {
  const invariants = { mine: rule as () => string };
  await expect(proveReceiver(build, { events, replay, invariants })).rejects.toThrow(
    `“mine” does not hold: ${problem}\n`,
  );
});
