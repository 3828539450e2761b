import { expect, test } from "vitest";
import { answering, errorOf } from "../../../test/answering.ts";
import { deviceOf } from "../../../test/model-console.ts";
import { contextOf } from "../../../test/run-context.ts";
import type { NewDevice } from "../../device.ts";
import { readDevice } from "./read-device.ts";
import type { PendingDevice } from "../look/pending-device.ts";
import { sendBatch } from "./send-batch.ts";

const pendingOf = (number: number, changed: object = {}): PendingDevice =>
  readDevice({ ...deviceOf(number), ...changed }, number, true) as PendingDevice;
const wire = (number: number, changed: object = {}) => ({
  id: `00000000-0000-4000-8000-00000000000${number}`,
  ...deviceOf(number),
  ...changed,
});
const TWIN_KEY = "11112222333344445555666677778888";

/** Sends devices to a console that responds with this body. */
async function send(batch: readonly PendingDevice[], body: unknown, status = 200) {
  const { client } = answering(body, { status }, { validation: "off" });
  const seen: unknown[] = [];
  const context = contextOf();
  const outcome = await sendBatch(
    (input, options) => client.devices.createBatch(input, options),
    batch,
    context,
    ({ call, route, list }, shown) => void seen.push([call, route, list, shown["dev_eui"]]),
  );
  return { ...outcome, results: [...outcome.results.values()], seen, context };
}

test("a response names what it created and rejected, in any order", async () => {
  const batch = [pendingOf(1), pendingOf(2), pendingOf(3)];
  const failure = [{ ...deviceOf(1), error: "name: is odd" }];
  const { results, seen, context } = await send(batch, {
    success: [wire(3), wire(2)],
    failure,
  });
  expect(results).toEqual([
    { status: "created", ...batch[2]!.identity, id: wire(3).id },
    { status: "created", ...batch[1]!.identity, id: wire(2).id },
    { status: "failed", reason: "rejected", ...batch[0]!.identity, error: "name: is odd" },
  ]);
  expect(seen).toEqual(
    [3, 2].map((number) => [
      "devices.createBatch",
      "POST /api/v1/devices",
      "success",
      deviceOf(number).dev_eui,
    ]),
  );
  expect(context.used.waits[0]?.why).toBe("devices.createBatch has not responded yet");
});

test("devices that a response does not name are in doubt, and never sent again", async () => {
  const batch = [pendingOf(1), pendingOf(2)];
  const { results } = await send(batch, { success: [wire(1), wire(7)], failure: [] });
  expect(results).toHaveLength(1);
  expect(batch[1]?.doubt).toBe("responded");
});

test.each([null, [], "text", { success: null, failure: 7 }, { success: [null], failure: ["no"] }])(
  "the response %j settles no device",
  async (body) => {
    const device = pendingOf(1);
    const { results } = await send([device], body);
    expect([results, device.doubt]).toEqual([[], "responded"]);
  },
);

test("a rejection may omit all but the device EUI, if only one device of the request has it", async () => {
  const failure = [{ dev_eui: "A0:00000000000002", error: "is odd" }];
  const batch = [pendingOf(1), pendingOf(2)];
  const { results } = await send(batch, { success: [wire(1)], failure });
  expect(results).toMatchObject([{ index: 1 }, { index: 2, status: "failed", error: "is odd" }]);
  const twins = [pendingOf(2), { ...pendingOf(2, { app_key: TWIN_KEY }), index: 3 }];
  expect((await send(twins, { success: [], failure })).results).toEqual([]);
  const foreign = [{ dev_eui: "A000000000000009", error: "is odd" }];
  expect((await send(batch, { success: [], failure: foreign })).results).toEqual([]);
});

test("a device that is in both lists was created", async () => {
  const failure = [{ ...deviceOf(1), error: "is odd" }];
  const { results } = await send([pendingOf(1)], { success: [wire(1)], failure });
  expect(results).toMatchObject([{ status: "created" }]);
});

test.each<[string, unknown]>([
  ["is not a string", 7],
  ["may contain the key", `${String(deviceOf(1).app_key)} is taken`],
])("a rejection whose error %s is not shown", async (_what, error) => {
  const { results } = await send([pendingOf(1)], {
    success: [],
    failure: [{ ...deviceOf(1), error }],
  });
  expect(results).toMatchObject([
    { error: "was rejected with a message that is not shown, because it may contain a key" },
  ]);
});

test("a rejection after a broken request is kept, and settles nothing", async () => {
  const device: PendingDevice = { ...pendingOf(1), doubt: "broken" };
  const failure = [{ ...deviceOf(1), error: "is taken" }];
  const { results } = await send([device], { success: [], failure });
  expect([results, device.doubt, device.rejection]).toEqual([[], "responded", "is taken"]);
});

test("a request that broke leaves its devices without a response, and a 2xx that broke off does not", async () => {
  for (const [body, status, kind] of [
    ["Bad Gateway", 502, "broken"],
    ['{"success":[', 200, "responded"],
  ] as const) {
    const device = pendingOf(1);
    const { results, error } = await send([device], body, status);
    expect([results, device.doubt]).toEqual([[], kind]);
    expect(error).toMatchObject({ call: "devices.createBatch" });
  }
});

test("a failure that concerns every device is thrown", async () => {
  const error = await errorOf(send([pendingOf(1)], "", 401));
  expect(error).toMatchObject({ name: "ApiError", status: 401 });
});

test("the devices are sent in their order", async () => {
  const sent: NewDevice[][] = [];
  const batch = [pendingOf(2), pendingOf(1)];
  await sendBatch(
    async ({ devices }) => {
      sent.push(devices);
      return { success: [], failure: [] };
    },
    batch,
    contextOf(),
    () => undefined,
  );
  expect(sent).toEqual([batch.map(({ device }) => device)]);
});
