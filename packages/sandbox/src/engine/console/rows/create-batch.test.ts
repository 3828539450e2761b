import { expect, test } from "vitest";
import { newDevice, NOBODY, openConsole } from "../../testing/console.ts";

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => newDevice(from + i));

test("a device with values of another kind is a failure that repeats only strings", async () => {
  const { send } = openConsole();
  const device = { name: "Tank", dev_eui: 7, app_eui: ["70B3D57ED0000001"], app_key: "secret" };
  const response = await send("POST /api/v1/devices", { devices: [device] });
  expect(await response.json()).toMatchObject({
    success: [],
    failure: [{ dev_eui: null, app_eui: null, app_key: "secret" }],
  });
});

test("valid devices are created, and each of the others is listed with its own reason", async () => {
  const { client, send, sandbox } = openConsole({ console: { data: "empty", inputs: "observed" } });
  const label = await client.labels.create({ name: "Pumps" });
  const devices = [
    { ...newDevice(1), label_ids: [label.id] },
    { ...newDevice(2), dev_eui: "too short" },
    { ...newDevice(3), name: "" },
    { ...newDevice(4), label_ids: [NOBODY] },
    "no device at all",
    null,
    newDevice(7),
  ];
  const response = await send("POST /api/v1/devices", { devices });
  const { success, failure } = (await response.json()) as Record<
    "success" | "failure",
    Record<string, unknown>[]
  >;
  expect(response.status).toBe(200);
  expect(failure?.map(({ error }) => error).toReversed()).toEqual([
    "dev_eui: must be 16 hexadecimal digits",
    "name: can't be blank",
    "label_ids: is invalid",
    "error: is invalid",
    "error: can't be blank",
  ]);
  const [, created] = success ?? [];
  const { organization } = sandbox.console.state;
  expect(created).toEqual({
    ...newDevice(1),
    id: expect.stringMatching(/-4/),
    config_profile_id: null,
    labels: [expect.objectContaining({ id: label.id, name: "Pumps" })],
  });
  expect(failure?.at(-1)).toEqual({
    app_eui: newDevice(2).app_eui,
    app_key: newDevice(2).app_key,
    dev_eui: "too short",
    error: "dev_eui: must be 16 hexadecimal digits",
    organization_id: organization.id,
    oui: organization.oui,
  });
  expect(sandbox.console.state.devices.size).toBe(2);
});

test("both lists are in reverse order: the last device first", async () => {
  const { client } = openConsole();
  await client.devices.createBatch({ devices: numbered(1, 3) });
  const { success, failure } = await client.devices.createBatch({ devices: numbered(1, 6) });
  expect(success.map(({ name }) => name)).toEqual(["Tank 6", "Tank 5", "Tank 4"]);
  expect(failure.map(({ dev_eui }) => dev_eui)).toEqual(
    [3, 2, 1].map((number) => newDevice(number).dev_eui),
  );
});

test("a duplicate is rejected, also within the batch, or created if the deployment allows it", async () => {
  for (const duplicates of ["rejected", "allowed"] as const) {
    const { client, sandbox } = openConsole({
      console: { data: "empty", duplicates },
    });
    const { success, failure } = await client.devices.createBatch({
      devices: [newDevice(1), newDevice(1)],
    });
    expect(success).toHaveLength(duplicates === "rejected" ? 1 : 2);
    expect(failure.map(({ error }) => error)).toEqual(
      duplicates === "rejected" ? ["dev_eui: has already been taken"] : [],
    );
    expect(sandbox.console.state.devices.size).toBe(success.length);
  }
});

test("1,000 devices are accepted. More, none, or a body that is not a list is a 400 that creates nothing", async () => {
  const { client, send, sandbox } = openConsole();
  const { success } = await client.devices.createBatch({ devices: numbered(1, 1_000) });
  expect(success).toHaveLength(1_000);
  for (const devices of [numbered(2_001, 3_001), [], "all", { 0: newDevice(5_000) }, null]) {
    const response = await send("POST /api/v1/devices", { devices });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: { error: [expect.stringContaining("devices")] },
    });
  }
  expect(sandbox.console.state.devices.size).toBe(1_000);
});
