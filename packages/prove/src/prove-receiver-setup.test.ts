import { expect, test } from "vitest";
import type { EventEnvelope } from "@fieldmesh/webhook-types";
import { proveReceiver, type ProveOptions } from "./prove-receiver.ts";
import { ProofError } from "./proof-error.ts";
import type { Build } from "./subject.ts";
import { correct } from "./testing/correct.ts";
import { brokenRules, byHand, mail, receiver } from "./testing/parts.ts";
import type { World } from "./world.ts";

const events = ["sim.activated", "sim.suspended"] as const;
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
