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

test("an unknown label is a 404 with the message of the contract", async () => {
  const { send } = openConsole();
  const routes = [
    `GET /api/v1/labels/${NOBODY}`,
    "GET /api/v1/labels/no-uuid",
    "GET /api/v1/labels?name=Nobody",
    "GET /api/v1/labels?name=",
    `DELETE /api/v1/labels/${NOBODY}`,
  ];
  for (const route of routes) {
    const response = await send(route);
    expect([route, response.status]).toEqual([route, 404]);
    expect(await response.json()).toEqual({ errors: { error: ["Label not found"] } });
  }
  expect((await send(`PUT /api/v1/labels/${NOBODY}`, { config_profile_id: null })).status).toBe(
    404,
  );
  expect((await send(`PUT /api/v1/labels/${NOBODY}/active`, { active: true })).status).toBe(404);
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
  await client.labels.setActive({ label_id: pumps.id, active: false });
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

test("a deployment may return every field of a label", async () => {
  const { client } = openConsole({ console: { data: "empty", records: "full" } });
  const created = await client.labels.create({ name: "Pumps" });
  const fields = {
    adr_allowed: null,
    cf_list_enabled: null,
    rx_delay: null,
    config_profile_id: null,
  };
  expect(created).toEqual({ id: created.id, name: "Pumps", multi_buy: 1, ...fields });
  expect(await client.labels.list()).toEqual([created]);
});
