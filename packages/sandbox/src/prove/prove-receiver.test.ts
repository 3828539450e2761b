import type { Clock } from "@fieldmesh/core";
import { createReceiver, memoryStore, noStore } from "@fieldmesh/webhook-types/receiver";
import { describe, expect, test } from "vitest";
import { ProofError } from "./proof-error.ts";
import { proveReceiver, type ProveOptions } from "./prove-receiver.ts";
import type { Build } from "./subject.ts";
import { correct } from "./testing/correct.ts";
import { planted } from "./testing/planted.ts";

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

test("finds no failure of a receiver that keeps the rules, and returns how many runs it tried", async () => {
  const build = correct["an order, a store, rows and a mail"]!;
  const proof = await proveReceiver(build, { events, seed: 7, runs: 10 });
  expect(proof).toEqual({ seed: 7, runs: 10, deliveries: expect.any(Number) as number });
  expect(proof.deliveries).toBeGreaterThan(20);
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

test("each of ten seeds finds a simple mistake", async () => {
  for (let seed = 0; seed < 10; seed++)
    for (const name of ["swallows an error of the work", "responds first and works afterwards"])
      expect(await errorOf(planted[name], { seed, runs: 1 })).toMatchObject({
        rule: "nothing is lost",
      });
});

test("the same seed finds the same sequence", async () => {
  const [one, two] = [
    await errorOf(planted["checks whether the event is done, and marks it a moment later"]),
    await errorOf(planted["checks whether the event is done, and marks it a moment later"]),
  ];
  expect(one.message).toBe(two.message);
});

test("a custom rule is checked after each run", async () => {
  const build = correct["no store, and keys"]!;
  const invariants = {
    "no mail at all": ({ effects }: { effects: readonly unknown[] }) =>
      effects.length > 0 ? "a mail was sent" : undefined,
  };
  expect(await errorOf(build, { invariants })).toMatchObject({ rule: "no mail at all" });
  const throws = { "a query": () => Promise.reject(new Error("no such table")) };
  const { message } = await errorOf(build, { invariants: throws });
  expect(message).toContain("“a query” does not hold: Error: no such table");
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
  expect(await proveReceiver(sleeps, options)).toMatchObject({ runs: 3 });
  const hangs = waiting(() => new Promise(() => {}));
  await expect(proveReceiver(hangs, options)).rejects.toThrow(
    "One sim.activated, delivered without any fault, leaves no effect and no row. The response was none.",
  );
});

describe("a setup that cannot work is rejected before the first run", () => {
  const build = correct["no store, and keys"]!;
  test.each<[string, unknown, unknown, string]>([
    [
      "an object in place of a function",
      {},
      { events },
      "proveReceiver requires a function that builds the receiver",
    ],
    ["no options", build, undefined, "{ events }"],
    ["no events", build, { events: [] }, "proveReceiver requires events"],
    ["an unknown type", build, { events: ["sim.activatd"] }, '"sim.activatd" is not an event type'],
    ["no runs", build, { events, runs: 0 }, "runs must be an integer from 1 up"],
    ["a seed that is a string", build, { events, seed: "a" }, "seed must be an integer"],
    ["an unknown option", build, { events, run: 5 }, "run"],
  ])("%s", async (_name, given, options, message) => {
    await expect(proveReceiver(given as Build, options as ProveOptions)).rejects.toThrow(message);
  });

  test("a receiver with its own secret", async () => {
    const stubborn: Build = ({ clock }) =>
      createReceiver({
        secret: "whsec_another_one",
        clock,
        store: noStore(),
        handlers: {},
        onOutcome: () => {},
      });
    await expect(proveReceiver(stubborn, { events })).rejects.toThrow(
      "The response was 401: pass world.secrets as the secret",
    );
  });

  test("a receiver that does nothing with an event", async () => {
    await expect(proveReceiver(build, { events: ["plan.created"] })).rejects.toThrow(
      "One plan.created, delivered without any fault, leaves no effect and no row. The response was 200.",
    );
  });
});
