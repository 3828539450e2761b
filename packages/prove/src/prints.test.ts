/* oxlint-disable no-console -- what is printed is what these tests are about */
import { promisify } from "node:util";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { proveJob } from "./job/prove-job.ts";
import { connect, fleet } from "./job/testing/parts.ts";
import { divertPrints, keepPrints } from "./prints.ts";
import { ProofError } from "./proof-error.ts";
import { proveReceiver } from "./prove-receiver.ts";
import type { Build } from "./subject.ts";

const events = ["sim.activated"] as const;
const METHODS = ["debug", "error", "info", "log", "trace", "warn"] as const;
const seen: string[] = [];
let own: unknown[];

beforeEach(() => {
  seen.length = 0;
  for (const name of METHODS)
    vi.spyOn(console, name).mockImplementation((...line: unknown[]) => {
      seen.push(`${name}: ${line.join(" ")}`);
    });
  own = METHODS.map((name) => console[name]);
});
afterEach(() => vi.restoreAllMocks());

/** A receiver that reports as one does by default, and prints its name. */
const printing =
  (name: string, key: (id: string) => string | undefined): Build =>
  (world) =>
    createReceiver({
      secret: world.secrets,
      clock: world.clock,
      store: world.store(() => memoryStore({ clock: world.clock })),
      handlers: {
        "sim.*": async (event) => {
          for (const method of METHODS) console[method](name);
          await world.effect("mail", event, { key: key(event.id) });
        },
      },
    });
const provePrinting = (name: string, key: (id: string) => string | undefined, runs = 5) =>
  proveReceiver(printing(name, key), { events, seed: 1, runs });
const proveDevices = (job: Parameters<typeof proveJob>[0]) =>
  proveJob(job, { devices: fleet.slice(0, 1), seed: 1, runs: 0 });

/** Each proof of a receiver or a job, and how it ends. */
const PROOFS: Readonly<Record<string, () => Promise<unknown>>> = {
  "a receiver that keeps the rules": () => provePrinting("one", (id) => id),
  "a receiver that breaks one": () => provePrinting("one", () => undefined),
  "a receiver that cannot be built": () =>
    proveReceiver(
      () => {
        console.error("no");
        throw new RangeError("not built");
      },
      { events },
    ),
  "a job that keeps the rules": () =>
    proveDevices(async (world) => {
      console.log("looks");
      const client = connect(world);
      if ((await client.devices.list()).length === 0) await client.devices.create(fleet[0]!);
    }),
  "a job that breaks one": () =>
    proveDevices(async (world) => {
      console.warn("creates");
      await connect(world).devices.create(fleet[0]!);
    }),
};

test.each(Object.entries(PROOFS))(
  "%s prints nothing, and the console is left as it was",
  async (_, prove) => {
    const end = await prove().catch((error: unknown) => error);
    expect(seen).toEqual([]);
    expect(METHODS.map((name) => console[name])).toEqual(own);
    if (end instanceof ProofError) expect(end.message).toContain("\n  It printed:\n    ");
  },
);

test("concurrent proofs keep what each prints, and what others print appears", async () => {
  const key = () => undefined;
  const proofs = [
    provePrinting("one", key, 30),
    provePrinting("two", key),
    PROOFS["a job that breaks one"]!(),
  ];
  console.info("other code");
  const ends = await Promise.allSettled(proofs);
  const printed = ends.map(
    (end) => end.status === "rejected" && (end.reason as ProofError).printed,
  );
  expect(printed.map((lines) => [...new Set(lines || [])])).toEqual([
    ["one"],
    ["two"],
    ["creates"],
  ]);
  expect(seen).toEqual(["info: other code"]);
  expect(METHODS.map((name) => console[name])).toEqual(own);
});

test("a timer of a run ends with it, and setTimeout is left as it was", async () => {
  const before = setTimeout;
  const fired: string[] = [];
  await divertPrints(async () => {
    setTimeout(() => fired.push("other code"), 1);
    await keepPrints([], async () => {
      setTimeout(() => fired.push("in time"), 1);
      await promisify(setTimeout)(5);
      setTimeout(() => fired.push("late"), 1);
    });
  });
  expect(setTimeout).toBe(before);
  await promisify(setTimeout)(20);
  expect(fired).toEqual(["other code", "in time"]);
});

test("a console that is replaced during a proof stays replaced", async () => {
  const replaced = () => {};
  await divertPrints(async () => {
    await keepPrints([], async () => console.log("kept"));
    console.log = replaced;
  });
  expect([seen, console.log]).toEqual([[], replaced]);
});
