import { expect, test } from "vitest";
import { newDevice, NOBODY, openConsole } from "../../testing/console.ts";

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

test("the console responds with the messages of the contract", async () => {
  const { client } = openConsole();
  const { id: device_id } = await client.devices.create(newDevice());
  const { id: label_id } = await client.labels.create({ name: "Pumps" });
  const said = [
    await client.devices.addLabel({ device_id, label: label_id }),
    await client.labels.setActive({ label_id, active: false }),
    await client.devices.removeLabel({ device_id, label_id }),
    await client.devices.removeLabel({ device_id, label_id }),
    await client.labels.delete({ label_id }),
    await client.devices.delete({ id: device_id }),
  ];
  expect(said).toEqual([
    "Device added to label",
    "Devices updated",
    "Device removed from label",
    "Device was not in label",
    "Label deleted",
    "Device deleted",
  ]);
});

const NEVER = "1970-01-01T00:00:00";
const observed = { console: { data: "empty", inputs: "observed" } } as const;

test.each<[device: object, field: string, rule: string]>([
  [{ name: "" }, "name", "can't be blank"],
  [{ name: undefined }, "name", "can't be blank"],
  [{ name: 7 }, "name", "is invalid"],
  [{ dev_eui: "12" }, "dev_eui", "must be 16 hexadecimal digits"],
  [{ label_ids: [NOBODY] }, "label_ids", "is invalid"],
])("a device with %j is rejected with the message of the console", async (more, field, rule) => {
  const { send } = openConsole(observed);
  const response = await send("POST /api/v1/devices", { ...newDevice(), ...more });
  expect([response.status, await response.json()]).toEqual([422, { errors: { [field]: [rule] } }]);
});

test("a duplicate device and a duplicate name are rejected", async () => {
  const { client, send } = openConsole();
  await client.devices.create(newDevice());
  await client.labels.create({ name: "Pumps" });
  const taken = async (route: string, body: unknown) => (await send(route, body)).json();
  expect(await taken("POST /api/v1/devices", newDevice())).toEqual({
    errors: { dev_eui: ["has already been taken"] },
  });
  expect(await taken("POST /api/v1/labels", { name: "Pumps" })).toEqual({
    errors: { name: ["This label name has already been used in this organization"] },
  });
});

test("an uplink that is due at the current time has arrived, and a device that is switched off sends none", async () => {
  const { client, sandbox } = openConsole();
  const { devices } = sandbox.console.state;
  const on = devices.get((await client.devices.create(newDevice(1))).id)!;
  const off = devices.get((await client.devices.create(newDevice(2))).id)!;
  const next_uplink = sandbox.clock.now() + 60_000;
  devices.update(off, { active: false, next_uplink });
  devices.update(on, { next_uplink });
  const heard = async () => {
    const [one, two] = await client.devices.list();
    return [one!.total_packets, two!.total_packets, two!.last_connected, two!.in_xor_filter];
  };
  await sandbox.clock.advance(59_999);
  expect(await heard()).toEqual([0, 0, NEVER, false]);
  await sandbox.clock.advance(1);
  expect(await heard()).toEqual([1, 0, NEVER, false]);
});
