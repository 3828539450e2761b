import { expect, test } from "vitest";
import { systemClock } from "@fieldmesh/core";
import { createGate } from "./gate.ts";

test("a slow task holds up no task for which there is room, and the order of arrival is kept", async () => {
  const gate = createGate({ concurrency: 2, perMinute: 100, clock: systemClock });
  const slow = Promise.withResolvers<void>();
  const started: number[] = [];
  const start = (number: number, end?: Promise<void>): Promise<void> =>
    gate.run(async () => {
      started.push(number);
      await end;
    });
  const first = start(1, slow.promise);
  await Promise.all([2, 3, 4, 5].map((number) => start(number)));
  expect(started).toEqual([1, 2, 3, 4, 5]);
  expect(gate.size).toBe(1);
  slow.resolve();
  await first;
  expect(gate.size).toBe(0);
});

test("a task that fails makes room for the next one", async () => {
  const gate = createGate({ concurrency: 1, perMinute: 100, clock: systemClock });
  const failed = gate.run(() => Promise.reject(new Error("broken")));
  const next = gate.run(() => Promise.resolve("done"));
  await expect(failed).rejects.toThrow("broken");
  expect(await next).toBe("done");
});
