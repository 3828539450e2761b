import { withChecksum } from "@fieldmesh/core/internal";
import { BulkError, type BulkCheckpoint } from "../src/index.ts";
import { expect, test } from "vitest";
import { device, failureOf, fleet, held, start } from "../../../tools/testing/bulk-runs.ts";
import { deviceOf, startModel, type Plan } from "./model-console.ts";

const LOST = { on: "devices.createBatch", kind: "lost" } as const;
const RULES = ["allowed", "rejected"] as const;

test.for(RULES)(
  "with a list that lags, no device is duplicated and no existing device is failed, duplicates %s",
  async (duplicates) => {
    const { create, sandbox, batches } = start(
      [LOST, { on: "devices.list", kind: "stale", times: 6 }],
      duplicates,
    );
    const report = await create(fleet(300), { chunkSize: 100 });
    expect(report).toMatchObject({ created: 300, failed: 0, unknown: 0 });
    expect([batches(), held(sandbox).length]).toEqual([3, 300]);
    expect(sandbox.log.requests("devices.list")).toHaveLength(7);
  },
);

test.for(RULES)(
  "with a list that never catches up, devices are unknown, duplicates %s",
  async (duplicates) => {
    const { create, sandbox, batches } = start(
      [LOST, { on: "devices.list", kind: "stale", times: Infinity }],
      duplicates,
    );
    const report = await create(fleet(300), { chunkSize: 100 });
    expect(report).toMatchObject({ created: 200, failed: 0, unknown: 100 });
    expect(report.results.unknown[0]?.error).toContain("the device list does not show");
    expect([batches(), held(sandbox).length]).toEqual([3, 300]);
  },
);

test.for(RULES)(
  "a resumed run includes the devices that the earlier run created, duplicates %s",
  async (duplicates) => {
    const { create, sandbox } = start([{ ...LOST, skip: 1 }], duplicates);
    const error = await failureOf(
      create(fleet(30), {
        concurrency: 1,
        onCheckpoint: () => {
          // The first chunk is settled, and the request with the second is lost.
          if (sandbox.log.requests("devices.createBatch").length === 2) throw new Error("killed");
        },
      }),
    );
    if (!(error instanceof BulkError)) throw error;
    const { checkpoint } = error;
    expect(checkpoint).toMatchObject({ created: 10, open: [{ chunk: 1, kind: "broken" }] });
    // A replica that does not show the devices of the earlier run yet.
    const all = [...sandbox.console.state.devices.values()];
    for (const { id } of all) sandbox.console.state.devices.delete(id);
    sandbox.setFaults([{ on: "devices.list", kind: "stale", times: 5 }]);
    sandbox.log.clear();
    await create([device(9_999)]);
    for (const each of all) sandbox.console.state.devices.add(each);
    const report = await create(fleet(30), { checkpoint });
    expect(report).toMatchObject({ created: 30, failed: 0, unknown: 0 });
    expect(held(sandbox)).toHaveLength(31);
  },
);

test.for([3, 1_005])(
  "a resumed run does not expect %i devices in the list that the earlier run failed to create",
  async (count) => {
    const { create, sandbox } = start();
    const wrong = { label_ids: [crypto.randomUUID()] };
    const devices = [
      ...fleet(count).map((each) => ({ ...each, ...wrong })),
      ...fleet(count + 10).slice(count),
    ];
    const chunkSize = count < 10 ? count : 335;
    let checkpoint: BulkCheckpoint | undefined;
    const options = { chunkSize, concurrency: 1 };
    const killed = create(devices, {
      ...options,
      onCheckpoint: (next) => {
        checkpoint = next;
        if (next.failed === count && next.open.length > 0) throw new Error("killed");
      },
    });
    await failureOf(killed);
    expect(checkpoint).toMatchObject({ failed: count, created: 0, open: [{ kind: "at_work" }] });
    const { checksum: _old, open, ...fields } = checkpoint!;
    // A request that broke is sent again, unlike one that may be at work.
    const broken = open.map((each) => ({ ...each, kind: "broken" as const }));
    const next = withChecksum({ ...fields, open: broken });
    const resumed = create(devices, { ...options, checkpoint: next });
    expect(await resumed).toMatchObject({ created: 10, failed: count, unknown: 0 });
    expect(held(sandbox)).toHaveLength(10);
  },
);

test("a device that is rejected as a duplicate after a broken request is unknown if no list shows it", async () => {
  const { create, sandbox, batches } = start(
    [LOST, { on: "devices.list", kind: "stale", times: Infinity }],
    "rejected",
  );
  const report = await create(fleet(5));
  expect(report).toMatchObject({ created: 0, failed: 0, unknown: 5 });
  expect(report.results.unknown[0]?.error).toMatch(
    /an earlier request with it broke .*; the retry was rejected: dev_eui: has already been taken/,
  );
  expect([batches(), held(sandbox).length]).toEqual([2, 5]);
});

test("a device that is rejected because of its name is failed, even after a request with it broke", async () => {
  const label_ids = [crypto.randomUUID()];
  const { create, batches } = start([{ on: "devices.createBatch", kind: "reset" }]);
  const report = await create([...fleet(4), device(4, { label_ids })]);
  expect(report).toMatchObject({ created: 4, failed: 1, unknown: 0 });
  expect(report.results.failed).toMatchObject([
    { index: 4, reason: "rejected", error: "label_ids: is invalid" },
  ]);
  expect(batches()).toBe(2);
});

test("with settleTime: 0, a single list decides immediately", async () => {
  const { create, sandbox, batches } = start([{ on: "devices.createBatch", kind: "reset" }]);
  expect(await create(fleet(20), { settleTime: 0 })).toMatchObject({ created: 20 });
  expect([batches(), sandbox.log.requests("devices.list").length]).toEqual([3, 1]);
});

test("a console that loses every request ends the run with unknown devices, and no device is listed twice", async () => {
  const { create, sandbox } = start([
    { on: "devices.createBatch", kind: "reset", times: Infinity },
  ]);
  expect(await create(fleet(5))).toMatchObject({ created: 0, failed: 0, unknown: 5 });
  expect(held(sandbox)).toHaveLength(0);
});

const numbers = Array.from({ length: 12 }, (_, index) => index);
const QUICK = { chunkSize: 4, settleTime: 1 } as const;

/** Creates 12 devices with 3 requests in a console that allows duplicates. */
async function createTwelve(plan: Omit<Plan, "duplicates">) {
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
  const { report, reads, devices } = await createTwelve({
    fates: ["lost", "lost", "lost"],
    lag: { catchesUp: [1, 1, 1] },
  });
  expect(report).toMatchObject({ created: 12, unknown: 0 });
  expect([devices, reads]).toEqual([12, 3]);
});

test("a single list without the devices of a lost request is not enough to fail them", async () => {
  const { report, devices } = await createTwelve({
    fates: ["ok", "ok", "lost"],
    lag: { behind: [1, 0] },
  });
  expect(report).toMatchObject({ created: 12, unknown: 0 });
  expect(devices).toBe(12);
});

test("a list that lacks confirmed devices is never evidence, however often it is returned", async () => {
  const { report, reads, devices } = await createTwelve({
    fates: ["lost", "ok", "ok"],
    lag: { behind: [3, 3, 3, 3, 3, 0] },
  });
  expect(report).toMatchObject({ created: 12, unknown: 0 });
  expect([devices, reads]).toEqual([12, 6]);
});

test("after a chunk is sent again, two more lists are required", async () => {
  const { report, reads, devices } = await createTwelve({
    fates: ["ok", "ok", "reset", "lost"],
    lag: { behind: [0, 0, 1, 0] },
  });
  expect(report).toMatchObject({ created: 12, unknown: 0 });
  expect([devices, reads]).toEqual([12, 4]);
});

test("a request that timed out is not sent again, even if the lists lag", async () => {
  const { report, devices } = await createTwelve({
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
