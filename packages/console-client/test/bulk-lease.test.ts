import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { memoryStore } from "@fieldmesh/webhook-types/receiver";
import { InputError } from "../src/index.ts";
import { fleet, LEAST, lossOf, QUICK, recording } from "./lease.ts";
import { idOf } from "./model-console.ts";
import { startOddConsole } from "./odd-console.ts";

test("a run claims its lease before it reads or sends anything, and forgets it at the end", async () => {
  const { calls, lease } = recording();
  const console = startOddConsole({ receive: () => void calls.push("send") });
  const inputs = (function* () {
    calls.push("read");
    yield* fleet.slice(0, 2);
  })();
  const report = await console.client.devices.createMany(inputs, { ...QUICK, lease });
  expect(report.created).toBe(2);
  expect(calls).toEqual(["claim", "read", "send", "forget"]);
});

test("a lease that another run holds ends the run before anything is sent, and says until when", async () => {
  const store = memoryStore();
  await store.claim("job-1", "another", 60_000);
  const console = startOddConsole({});
  const { devices } = console.client;
  const options = { ...QUICK, lease: { id: "job-1", store } };
  for (const run of [
    devices.createMany(fleet, { ...options, ifExists: "skip" }),
    devices.deleteMany([{ id: idOf(1) }], options),
    devices.setActiveMany([{ device_id: idOf(1), active: true }], options),
    devices.addLabelMany([{ device_id: idOf(1), label: idOf(2) }], options),
    devices.removeLabelMany([{ device_id: idOf(1), label_id: idOf(2) }], options),
  ]) {
    const error = await lossOf(run);
    expect(error.heldUntil!.getTime()).toBeGreaterThan(Date.now() + 50_000);
    expect(error).toMatchObject({ progress: { settled: 0, unsettled: 0 } });
    expect(error.message).toContain("Nothing was sent.");
  }
  expect(console.counts).toEqual({ creates: 0, lists: 0, changes: 0 });
});

test("the next owner looks up what an earlier one may have sent, before it sends anything", async () => {
  const store = memoryStore();
  await store.claim("job-1", "killed", 1);
  await sleep(10);
  const console = startOddConsole({});
  await console.client.devices.createMany(fleet.slice(0, 3), QUICK);
  const lease = { id: "job-1", store };
  const report = await console.client.devices.createMany(fleet, { ...QUICK, lease });
  expect(report).toMatchObject({ created: 6, failed: 0, unknown: 0 });
  expect(console.devices).toHaveLength(6);
  expect(console.counts.lists).toBe(2);
});

test("a store that hangs or fails ends the run before anything is sent", async () => {
  const console = startOddConsole({});
  const { lease } = recording();
  const claim = (): never => {
    throw new Error("the store is down");
  };
  const store = { ...lease.store, claim };
  const error = await lossOf(
    console.client.devices.createMany(fleet, { ...QUICK, lease: { id: "job-1", store } }),
  );
  expect(error.cause).toMatchObject({ message: "the store is down" });
  expect(error.message).toContain("the store of the lease failed, see `cause`. Nothing was sent.");
  expect(console.counts.creates).toBe(0);
});

test("a lease that is too short, or not a lease, is an InputError before any request", () => {
  const { devices } = startOddConsole({}).client;
  const { lease } = recording();
  const of = (changed: object) => () =>
    devices.createMany(fleet, { lease: { ...lease, ...changed } });
  expect(of({ duration: LEAST - 1 })).toThrow(InputError);
  expect(of({ duration: LEAST - 1 })).toThrow("lease.duration: must be a whole number");
  expect(of({ id: "" })).toThrow("lease.id: must be a string");
  expect(of({ store: {} })).toThrow(
    "lease.store: must have the methods claim, extend, release and forget",
  );
  expect(of({ unknown: 1 })).toThrow("unknown");
});
