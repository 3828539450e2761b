import { expect, test } from "vitest";
import { answering, errorOf } from "../../test/answering.ts";
import { deviceOf } from "../../test/model-console.ts";
import { contextOf, NOW } from "../../test/run-context.ts";
import type { NewDevice } from "../device.ts";
import { readDevice } from "./new-device.ts";
import type { PendingDevice } from "./pending-device.ts";
import { sendBatch } from "./send-batch.ts";

const pendingOf = (number: number, changed: object = {}): PendingDevice =>
  readDevice({ ...deviceOf(number), ...changed }, number, true) as PendingDevice;
const wire = (number: number, changed: object = {}) => ({
  id: `00000000-0000-4000-8000-00000000000${number}`,
  ...deviceOf(number),
  ...changed,
});
const TWIN_KEY = "11112222333344445555666677778888";
const unsettled = { since: NOW, timedOut: false, hasResponded: true, error: undefined };

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
  const { results, ambiguity, seen, context } = await send(batch, {
    success: [wire(3), wire(2)],
    failure,
  });
  expect(results).toEqual([
    { status: "created", ...batch[2]!.identity, id: wire(3).id },
    { status: "created", ...batch[1]!.identity, id: wire(2).id },
    { status: "failed", reason: "rejected", ...batch[0]!.identity, error: "name: is odd" },
  ]);
  expect(ambiguity).toBeUndefined();
  expect(seen).toEqual(
    [3, 2].map((number) => [
      "devices.createBatch",
      "POST /api/v1/devices",
      "success",
      deviceOf(number).dev_eui,
    ]),
  );
  expect(context.used.waits[0]?.why).toBe("devices.createBatch has not responded yet");
  expect(batch.every(({ hasResponse }) => hasResponse)).toBe(true);
});

test("devices that a response does not name are in doubt, and have a response", async () => {
  const batch = [pendingOf(1), pendingOf(2)];
  const { results, ambiguity } = await send(batch, { success: [wire(1), wire(7)], failure: [] });
  expect(results).toHaveLength(1);
  expect(ambiguity).toEqual(unsettled);
  expect(batch.map(({ hasResponse }) => hasResponse)).toEqual([true, true]);
});

test.each([null, [], "text", { success: null, failure: 7 }, { success: [null], failure: ["no"] }])(
  "the response %j settles no device",
  async (body) => {
    const { results, ambiguity } = await send([pendingOf(1)], body);
    expect([results, ambiguity]).toEqual([[], unsettled]);
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
  const device = { ...pendingOf(1), sentBefore: true };
  const failure = [{ ...deviceOf(1), error: "is taken" }];
  const { results, ambiguity } = await send([device], { success: [], failure });
  expect([results, ambiguity, device.rejection]).toEqual([[], unsettled, "is taken"]);
});

test("a request that broke leaves its devices without a response, and a 2xx that broke off does not", async () => {
  for (const [body, status, hasResponse] of [
    ["Bad Gateway", 502, undefined],
    ['{"success":[', 200, true],
  ] as const) {
    const device = pendingOf(1);
    const { results, ambiguity } = await send([device], body, status);
    expect(results).toEqual([]);
    expect(ambiguity).toMatchObject({ hasResponded: hasResponse === true, timedOut: false });
    expect(device.hasResponse).toBe(hasResponse);
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
