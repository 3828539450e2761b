import { expect, test } from "vitest";
import { newDevice, NOBODY, openConsole } from "../../testing/console.ts";

test("a created label is listed, and is found by its id and its name", async () => {
  const { client } = openConsole();
  const label = await client.labels.create({ name: "Pumps" });
  expect(label).toEqual({ id: label.id, name: "Pumps", multi_buy: 1 });
  expect(await client.labels.list()).toEqual([{ id: label.id, name: "Pumps" }]);
  expect(await client.labels.get({ label_id: label.id })).toEqual(label);
  expect(await client.labels.get({ label_id: label.id.toUpperCase() })).toEqual(label);
  expect(await client.labels.find({ name: "Pumps" })).toEqual(label);
  expect(await client.labels.find({ name: "pumps" })).toBeUndefined();
});

test("a name must be unique, not empty, and have at most 50 characters in a hosted deployment", async () => {
  const { client, send } = openConsole({ console: { data: "empty", inputs: "observed" } });
  await client.labels.create({ name: "Pumps" });
  const refusal = async (body: object) => {
    const response = await send("POST /api/v1/labels", body);
    return [response.status, await response.json()];
  };
  const name = (rule: string) => [422, { errors: { name: [rule] } }];
  expect(await refusal({ name: "Pumps" })).toEqual(
    name("This label name has already been used in this organization"),
  );
  expect(await refusal({ name: "x".repeat(51) })).toEqual(
    name("should be at most 50 character(s)"),
  );
  expect(await refusal({ name: "" })).toEqual(name("can't be blank"));
  expect(await refusal({})).toEqual(name("can't be blank"));
  expect(await refusal({ name: 7 })).toEqual(name("is invalid"));
  expect((await send("POST /api/v1/labels", { name: "x".repeat(50) })).status).toBe(201);
  expect(await client.labels.list()).toHaveLength(2);
});

test("a deleted label is removed from its devices, which remain", async () => {
  const { client, send, sandbox } = openConsole();
  const [pumps, tanks] = [
    await client.labels.create({ name: "Pumps" }),
    await client.labels.create({ name: "Tanks" }),
  ];
  const device = await client.devices.create({ ...newDevice(), label_ids: [pumps.id, tanks.id] });
  const response = await send(`DELETE /api/v1/labels/${pumps.id}`);
  expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
    200,
    null,
    "Label deleted",
  ]);
  expect(
    (await client.devices.get({ device_id: device.id })).labels.map(({ name }) => name),
  ).toEqual(["Tanks"]);
  expect(sandbox.console.state.devices.get(device.id)?.label_ids).toEqual(new Set([tanks.id]));
  await expect(client.labels.delete({ label_id: pumps.id })).rejects.toMatchObject({ status: 404 });
});

test("setActive changes only the devices of the label", async () => {
  const { client, sandbox } = openConsole();
  const pumps = await client.labels.create({ name: "Pumps" });
  await client.devices.create({ ...newDevice(1), label_ids: [pumps.id] });
  await client.devices.create(newDevice(2));
  const said = await client.labels.setActive({ label_id: pumps.id, active: false });
  expect(said).toBe("Devices updated");
  expect(Array.from(sandbox.console.state.devices.values(), ({ active }) => active)).toEqual([
    false,
    true,
  ]);
  expect((await client.devices.list()).map(({ active }) => active)).toEqual([false, true]);
});

test("a config profile is set, and removed with null", async () => {
  const { client, sandbox } = openConsole();
  const label = await client.labels.create({ name: "Pumps", config_profile_id: NOBODY });
  const profile = () => sandbox.console.state.labels.get(label.id)?.config_profile_id;
  expect(profile()).toBe(NOBODY);
  await client.labels.setConfigProfile({ label_id: label.id, config_profile_id: null });
  expect(profile()).toBeNull();
});

// The messages of the console, because programs compare them.

const EUIS = new URLSearchParams({
  dev_eui: "0004A30BFFFFFFFF",
  app_eui: newDevice().app_eui,
  app_key: newDevice().app_key,
});

test.each<[route: string, body: unknown, what: string]>([
  [`GET /api/v1/labels/${NOBODY}`, undefined, "Label"],
  ["GET /api/v1/labels?name=Nothing", undefined, "Label"],
  [`DELETE /api/v1/labels/${NOBODY}`, undefined, "Label"],
  [`GET /api/v1/devices/${NOBODY}`, undefined, "Device"],
  [`GET /api/v1/devices/${NOBODY}/events`, undefined, "Device"],
  [`GET /api/v1/devices?${EUIS.toString()}`, undefined, "Device"],
  ["PUT /api/v1/devices/active?dev_eui=0004A30BFFFFFFFF", { active: true }, "Device"],
  [`PUT /api/v1/devices/${NOBODY}`, { active: true }, "Device"],
  [`PUT /api/v1/labels/${NOBODY}`, { config_profile_id: NOBODY }, "Label"],
  [`PUT /api/v1/labels/${NOBODY}/active`, { active: true }, "Label"],
  [`DELETE /api/v1/devices/${NOBODY}`, undefined, "Device"],
  [`POST /api/v1/devices/${NOBODY}/labels`, { label: NOBODY }, "Device"],
  ["POST /api/v1/devices/:device/labels", { label: NOBODY }, "Label"],
  [`DELETE /api/v1/devices/:device/labels/${NOBODY}`, undefined, "Label"],
  [`DELETE /api/v1/devices/${NOBODY}/labels/:label`, undefined, "Device"],
  [`GET /api/v1/integrations/${NOBODY}`, undefined, "Integration"],
  ["GET /api/v1/integrations?name=Nothing", undefined, "Integration"],
  [`DELETE /api/v1/integrations/${NOBODY}`, undefined, "Integration"],
  [`GET /api/v1/flows?integration_id=${NOBODY}`, undefined, "Integration"],
  ["POST /api/v1/flows", { integration_id: NOBODY, label_id: NOBODY }, "Integration"],
  [`DELETE /api/v1/flows/${NOBODY}`, undefined, "Flow"],
])("%s: the error names the missing record", async (route, body, what) => {
  const { client, send } = openConsole();
  const { id: device } = await client.devices.create(newDevice());
  const { id: label } = await client.labels.create({ name: "Pumps" });
  const response = await send(route.replace(":device", device).replace(":label", label), body);
  expect([response.status, await response.json()]).toEqual([
    404,
    { errors: { error: [`${what} not found`] } },
  ]);
});

test.each(["dev_eui", "app_eui", "app_key", "name"])("an empty %s is blank", async (field) => {
  const { send } = openConsole();
  const response = await send("POST /api/v1/devices", { ...newDevice(), [field]: "" });
  expect([response.status, await response.json()]).toEqual([
    422,
    { errors: { [field]: ["can't be blank"] } },
  ]);
});
