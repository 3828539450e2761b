import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { fleet, LEAST, lossOf, QUICK, recording } from "./lease.ts";
import { startOddConsole } from "./odd-console.ts";

test("a run extends its lease at a third of the duration", async () => {
  const { calls, lease } = recording();
  const console = startOddConsole({});
  const slow = (async function* () {
    await sleep(LEAST / 2);
    yield* fleet;
  })();
  await console.client.devices.createMany(slow, { ...QUICK, lease });
  expect(calls).toEqual(["claim", "extend", "forget"]);
});

test("a run whose lease is taken over ends at once, and sends nothing more", async () => {
  const { calls, lease } = recording(() => false);
  const console = startOddConsole({});
  let isEnded = false;
  const slow = (async function* () {
    yield* fleet.slice(0, 2);
    await sleep(LEAST);
    isEnded = true;
    yield* fleet.slice(2);
  })();
  const error = await lossOf(console.client.devices.createMany(slow, { ...QUICK, lease }));
  expect(isEnded).toBe(false);
  expect(error).toMatchObject({ heldUntil: undefined, progress: { created: 2 } });
  expect(error.results.failed).toEqual([]);
  expect(calls).toEqual(["claim", "extend"]);
  expect(console.counts.creates).toBe(1);
});

test("a process that was stopped for longer than its lease sends nothing when it continues", async () => {
  const { lease } = recording();
  const console = startOddConsole({});
  const stopped = (function* () {
    yield* fleet.slice(0, 2);
    // As after SIGSTOP, no timer has run when the process continues.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LEAST);
    yield* fleet.slice(2);
  })();
  const run = console.client.devices.createMany(stopped, { ...QUICK, lease });
  expect(await lossOf(run)).toMatchObject({ heldUntil: undefined });
  expect(console.counts.creates).toBeLessThanOrEqual(1);
});

test("a request takes at most what is left of the lease, less a second", async () => {
  const { lease } = recording();
  const began = performance.now();
  let isFirst = true;
  const { client } = startOddConsole(
    {},
    {
      fetch: async (url, init) => {
        if (init.method === "GET" || !isFirst) return Response.json([]);
        isFirst = false;
        return await new Promise((_, reject) => {
          init.signal.addEventListener("abort", () => reject(init.signal.reason as Error));
        });
      },
    },
  );
  const report = await client.devices.createMany(fleet.slice(0, 2), { ...QUICK, lease });
  expect(report.unknown).toBe(2);
  expect(performance.now() - began).toBeLessThan(LEAST);
});
