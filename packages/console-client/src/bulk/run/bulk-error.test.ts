import { expect, test } from "vitest";
import { BulkError } from "./bulk-error.ts";
import type { BulkCheckpoint } from "./checkpoint.ts";
import { LeaseLostError } from "./lease-lost-error.ts";

const checkpoint = { version: 3 } as unknown as BulkCheckpoint;
const progress = {
  created: 1,
  skipped: 0,
  failed: 2,
  unknown: 3,
  unsettled: 0,
  settled: 6,
  total: 9,
};
const results = { created: [], failed: [], unknown: [], skipped: [] };
const creation = { method: "devices.createMany", progress, checkpoint, hasBegun: true, results };
const cause = new Error("the cause");
const errorOf = (state: object): Error =>
  new BulkError({ ...creation, ...state } as never, "was ended.", cause);

test.each<[string, object, string]>([
  [
    "with a checkpoint",
    {},
    "devices.createMany was ended. Until then: 1 created, 2 failed, 3 unknown. To resume, call createMany with the same devices and the `checkpoint` of this error.",
  ],
  [
    "with skipped devices",
    { progress: { ...progress, skipped: 7 } },
    "devices.createMany was ended. Until then: 1 created, 2 failed, 3 unknown, 7 skipped. To resume, call createMany with the same devices and the `checkpoint` of this error.",
  ],
  [
    "with requests at work",
    { progress: { ...progress, unsettled: 8 } },
    "devices.createMany was ended. Until then: 1 created, 2 failed, 3 unknown; 8 were sent and have no result yet: resume to settle them. To resume, call createMany with the same devices and the `checkpoint` of this error.",
  ],
  [
    "before anything was carried out",
    { hasBegun: false },
    "devices.createMany was ended. Until then: 1 created, 2 failed, 3 unknown. No device was created or changed: call createMany again.",
  ],
  [
    "without a checkpoint",
    { checkpoint: undefined },
    "devices.createMany was ended. Until then: 1 created, 2 failed, 3 unknown. There is no checkpoint, because the organization could not be read: compare devices.list with the input before you send it again.",
  ],
])("the error of a run %s says how far it was and what to do", (_what, state, message) => {
  expect(errorOf(state).message).toBe(message);
});

const lost = {
  method: "devices.createMany",
  progress,
  heldUntil: undefined,
  unclaimed: undefined,
  checkpoint,
  results,
};

test.each<[string, object, string]>([
  [
    "that another run holds names until when",
    { heldUntil: new Date(0), unclaimed: "the store failed" },
    "was not started: another run holds the lease until 1970-01-01T00:00:00.000Z. Nothing was sent. Call again after that time, if the other run does not complete the work.",
  ],
  [
    "that was not claimed names the reason",
    { unclaimed: "the store failed" },
    "was not started: the store failed. Nothing was sent. Check the store and the id of the lease, then call again.",
  ],
  [
    "that was lost between two requests says that none is in progress",
    {},
    "has lost its lease, and was ended. No request is in progress. The next owner of the lease looks them up before it sends anything: start the run again with the same lease.",
  ],
  [
    "that was lost during requests names the devices that were sent",
    { progress: { ...progress, unsettled: 200 } },
    "has lost its lease, and was ended. 200 devices were sent and have no result yet. The next owner of the lease looks them up before it sends anything: start the run again with the same lease.",
  ],
])("the error of a lease %s", (_what, details, message) => {
  const error = new LeaseLostError({ ...lost, ...details } as never, cause);
  expect(error.message).toBe(`devices.createMany ${message}`);
  expect(error).toMatchObject({ name: "LeaseLostError", cause });
});

test("logs show the numbers of an error, and neither its checkpoint, results nor cause", () => {
  const bulk = errorOf({});
  expect(Object.keys(bulk)).toEqual(["progress"]);
  const lease = new LeaseLostError(lost as never, cause);
  expect(Object.keys(lease)).toEqual(["progress", "heldSince", "heldUntil"]);
  for (const error of [bulk, lease]) {
    expect(error).toMatchObject({ checkpoint, results, cause });
    expect(error.name).toBe(error instanceof BulkError ? "BulkError" : "LeaseLostError");
  }
});
