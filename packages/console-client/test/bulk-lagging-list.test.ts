import { expect, test } from "vitest";
import { deviceOf, startModel, type Plan } from "./model-console.ts";

const numbers = Array.from({ length: 12 }, (_, index) => index);
const QUICK = { chunkSize: 4, settleTime: 1 } as const;

/** Creates 12 devices with 3 requests in a console that allows duplicates. */
async function create(plan: Omit<Plan, "duplicates">) {
  const model = startModel({ ...plan, duplicates: "allowed" });
  const report = await model
    .connect()
    .devices.createMany(numbers.map(deviceOf), { ...QUICK, timeout: model.timeout });
  const reads = model.seen.filter(({ kind }) => kind === "read").length;
  await model.quiet();
  return { report, reads, devices: model.devices.size };
}

test("after a list that shows something new, the run reads the list again", async () => {
  // Each list shows the devices of one more of the lost requests.
  const { report, reads, devices } = await create({
    fates: ["lost", "lost", "lost"],
    lag: { catchesUp: [1, 1, 1] },
  });
  expect(report).toMatchObject({ created: 12, unknown: 0 });
  expect([devices, reads]).toEqual([12, 3]);
});

test("a single list without the devices of a lost request is not enough to fail them", async () => {
  const { report, devices } = await create({
    fates: ["ok", "ok", "lost"],
    lag: { behind: [1, 0] },
  });
  expect(report).toMatchObject({ created: 12, unknown: 0 });
  expect(devices).toBe(12);
});

test("a list that lacks confirmed devices is never evidence, however often it is returned", async () => {
  const { report, reads, devices } = await create({
    fates: ["lost", "ok", "ok"],
    lag: { behind: [3, 3, 3, 3, 3, 0] },
  });
  expect(report).toMatchObject({ created: 12, unknown: 0 });
  expect([devices, reads]).toEqual([12, 6]);
});

test("after a chunk is sent again, two more lists are required", async () => {
  const { report, reads, devices } = await create({
    fates: ["ok", "ok", "reset", "lost"],
    lag: { behind: [0, 0, 1, 0] },
  });
  expect(report).toMatchObject({ created: 12, unknown: 0 });
  expect([devices, reads]).toEqual([12, 4]);
});

test("a request that timed out is not sent again, even if the lists lag", async () => {
  const { report, devices } = await create({
    fates: ["ok", "late", "ok"],
    lag: { behind: [4, 4, 0] },
  });
  expect([report.failed, report.created + report.unknown]).toEqual([0, 12]);
  expect(devices).toBe(12);
});

test("a device whose request timed out is not sent again, even if a later request of its chunk breaks", async () => {
  const model = startModel({
    duplicates: "allowed",
    fates: ["reset", "reset", "late", "reset"],
    lag: { behind: [0] },
  });
  // Three of the first four are valid, so that the fifth device is sent again with them, and the last three are not.
  const inputs = [-1, 0, 1, 2, 3, 4, 5, 6].map(deviceOf);
  const report = await model
    .connect()
    .devices.createMany(inputs, { ...QUICK, timeout: model.timeout });
  await model.quiet();
  expect(report.created + report.unknown).toBe(7);
  const times = Map.groupBy(model.devices.values(), ({ dev_eui }) => dev_eui);
  expect(Array.from(times.values(), ({ length }) => length).filter((each) => each > 1)).toEqual([]);
  const fifth = model.seen.filter(
    (each) => each.kind === "sent" && each.what === inputs[4]!.dev_eui,
  );
  expect(fifth).toMatchObject([{ fate: "reset" }, { fate: "late" }]);
});
