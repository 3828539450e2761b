import { expect, test } from "vitest";
import { RETRY_DELAYS } from "@fieldmesh/sandbox/internal/engine";
import { runPlan } from "./run-plan.ts";
import type { Build } from "./subject.ts";
import { carryOut, one, ONE, START, two, TWO, types, type Handle } from "./testing/carry-out.ts";
import { byHand } from "./testing/parts.ts";

const once = { steps: [{ deliver: [one] }] };

test("the sender retries nine times by its schedule, of which the story shows one", async () => {
  const times: number[] = [];
  const { sent, lines, moved } = await carryOut(once, async (_event, { clock }) => {
    times.push(clock.now() - START);
    return 503;
  });
  let sum = 0;
  const expected = [0, ...RETRY_DELAYS.map((delay) => (sum += delay))];
  expect([times, moved]).toEqual([expected, sum]);
  expect(sent).toEqual(Array.from({ length: 10 }, () => [ONE, 503]));
  expect(lines).toEqual([
    `deliver ${ONE}`,
    `  ${ONE} → 503`,
    `deliver ${ONE}`,
    `  ${ONE} → 503`,
    "the sender retries until its schedule ends",
  ]);
});

test.each([
  [200, 1],
  [299, 1],
  [300, 10],
  [404, 10],
])("after the status %d, an event is delivered %d times", async (status, times) => {
  const { sent } = await carryOut(once, async () => status);
  expect(sent).toHaveLength(times);
});

test("what was accepted once is not delivered again, and each other event on its own", async () => {
  const seen: string[] = [];
  const handle: Handle = async ({ id }) => {
    seen.push(id);
    // The first copy of the first event is accepted, and what follows fails twice.
    return seen.length > 1 && seen.length < 5 ? 500 : 200;
  };
  const plan = { steps: [{ deliver: [one, two] }, { deliver: [one] }, { deliver: [two, two] }] };
  const { sent, lines } = await carryOut(plan, handle);
  expect(seen).toEqual([ONE, TWO, ONE, TWO, TWO]);
  expect(sent.map(([, status]) => status)).toEqual([200, 500, 500, 500, 200]);
  expect(lines.filter((line) => line.startsWith("deliver"))).toHaveLength(5);
});

test("a delivery that neither waits nor ends is given ten seconds of the clock", async () => {
  let calls = 0;
  const hang: Handle = () => (++calls === 1 ? new Promise(() => {}) : Promise.resolve());
  const { sent, lines, worlds, moved } = await carryOut(once, hang);
  expect(sent).toEqual([
    [ONE, undefined],
    [ONE, 200],
  ]);
  expect(lines[1]).toBe(`  ${ONE} → no response`);
  // Its process lives on.
  expect([worlds.length, moved]).toEqual([1, 10_000 + 30_000]);
});

test("a receiver is built again after a crash only, and reads its database in a process that lives", async () => {
  let number = 0;
  const read: number[] = [];
  const build: Build = (world) => {
    const own = ++number;
    const effects = () => {
      read.push(own);
      return [];
    };
    const rows = () => {
      read.push(own);
      return [];
    };
    const receive = byHand(world, () => world.rows.get("any").then(() => 200));
    return { receive, effects, rows };
  };
  // The event was accepted before, so that the sender has nothing to retry after the crash.
  const fault = { kind: "crash after", at: 0 } as const;
  const plan = { steps: [{ deliver: [one] }, { deliver: [one] }, { deliver: [one], fault }] };
  await runPlan({ build, types, settle: 0 }, plan);
  expect([number, read]).toEqual([2, [2, 2]]);
});

test("a process that crashes between two deliveries of a step is replaced for the next one", async () => {
  const lines: string[] = [];
  let built = 0;
  // A call at once, so that the crash comes before the second delivery begins.
  const build: Build = (world) => {
    built++;
    const { exec } = world.database({ exec: () => {}, prepare: () => {}, isTransaction: false });
    return byHand(world, async () => {
      exec();
      return 200;
    });
  };
  const fault = { kind: "crash before", at: 0 } as const;
  const plan = { steps: [{ deliver: [one, two], fault }] };
  const run = await runPlan({ build, types, settle: 0 }, plan, (line) => lines.push(line));
  expect(lines.slice(0, 5)).toEqual([
    `deliver ${ONE}`,
    "  database: query: the process crashes before it",
    `deliver ${TWO}`,
    "  database: query",
    `  ${ONE} → no response`,
  ]);
  expect(run.deliveries.map(({ status }) => status)).toEqual([undefined, 200, 200]);
  expect(built).toBe(2);
});

test("a crash ends the other deliveries of its process without a response", async () => {
  const gate = Promise.withResolvers<void>();
  let calls = 0;
  const handle: Handle = async ({ id }, world) => {
    // The second one would respond as soon as the call of the first one is carried out.
    if (++calls === 2) await gate.promise;
    else if (id === ONE)
      await world.rows.update("any", () => {
        gate.resolve();
        return {} as never;
      });
  };
  const fault = { kind: "crash after", at: 0 } as const;
  const { sent } = await carryOut({ steps: [{ deliver: [one, two], fault }] }, handle);
  expect(sent.slice(0, 2)).toEqual([
    [ONE, undefined],
    [TWO, undefined],
  ]);
});

test("nobody wakes a process that has crashed, whatever it waits for", async () => {
  const woken: string[] = [];
  let calls = 0;
  const controller = new AbortController();
  const handle: Handle = async (_event, world) => {
    if (++calls > 1) return;
    const wake = (name: string) => () => void woken.push(name);
    void world.clock.sleep(1_000).then(wake("slept"), wake("failed"));
    void world.clock.sleep(1_000, controller.signal).then(wake("slept"), wake("failed"));
    await world.rows.get("any");
  };
  const fault = { kind: "crash after", at: 0 } as const;
  await carryOut({ steps: [{ deliver: [one], fault, wait: 5 }] }, handle);
  controller.abort();
  expect([woken, calls]).toEqual([[], 2]);
});
