import { expect, test } from "vitest";
import { newDevice, NOBODY, openConsole } from "../../testing/console.ts";

const query = (by: Record<string, string>) => new URLSearchParams(by).toString();

test("a deleted device is not found, also by its EUIs", async () => {
  const { client } = openConsole();
  const { name: _, ...euis } = newDevice();
  const device = await client.devices.create(newDevice());
  expect(await client.devices.delete({ id: device.id })).toBe("Device deleted");
  expect(await client.devices.list()).toEqual([]);
  expect(await client.devices.find(euis)).toBeUndefined();
  await expect(client.devices.delete({ id: device.id })).rejects.toMatchObject({ status: 404 });
  await client.devices.create(newDevice());
});

test("a change of one device returns the device", async () => {
  const { client } = openConsole();
  const { id: device_id } = await client.devices.create(newDevice());
  expect(await client.devices.setActive({ device_id, active: false })).toMatchObject({
    id: device_id,
    active: false,
  });
  const changed = await client.devices.setConfigProfile({ device_id, config_profile_id: NOBODY });
  expect(changed).toMatchObject({ id: device_id, active: false, config_profile_id: NOBODY });
  const removed = await client.devices.setConfigProfile({ device_id, config_profile_id: null });
  expect(removed?.config_profile_id).toBeNull();
});

test("a change by EUI returns all matching devices, and one record if all three EUIs are given", async () => {
  const { client, send } = openConsole();
  const { dev_eui, app_eui, app_key } = newDevice(1);
  await client.devices.create(newDevice(1));
  await client.devices.create({ ...newDevice(1), app_eui: "70B3D57ED0000002" });
  await client.devices.create(newDevice(2));
  const put = async (by: Record<string, string>) =>
    (await send(`PUT /api/v1/devices/active?${query(by)}`, { active: false })).json();
  expect(await put({ dev_eui, app_eui, app_key })).toMatchObject({ app_eui, active: false });
  expect((await client.devices.list()).map(({ active }) => active)).toEqual([false, true, true]);
  expect(await put({ dev_eui })).toMatchObject([{ active: false }, { active: false }]);
  expect((await client.devices.list()).map(({ active }) => active)).toEqual([false, false, true]);
  expect(await put({ dev_eui: newDevice(3).dev_eui })).toEqual({
    errors: { error: ["Device not found"] },
  });
});

test("a device is added to a label once, and removed from it", async () => {
  const { client, send } = openConsole();
  const label = await client.labels.create({ name: "Pumps" });
  const { id: device_id } = await client.devices.create(newDevice());
  const labels = async () =>
    (await client.devices.get({ device_id })).labels.map(({ name }) => name);
  const added = await send(`POST /api/v1/devices/${device_id}/labels`, { label: label.id });
  expect([added.headers.get("content-type"), await added.text()]).toEqual([
    null,
    "Device added to label",
  ]);
  await client.devices.addLabel({ device_id, label: label.id });
  expect(await labels()).toEqual(["Pumps"]);
  expect(await client.devices.removeLabel({ device_id, label_id: label.id })).toBe(
    "Device removed from label",
  );
  expect(await labels()).toEqual([]);
  expect(await client.devices.removeLabel({ device_id, label_id: label.id })).toBe(
    "Device was not in label",
  );
  await expect(client.devices.addLabel({ device_id, label: NOBODY })).rejects.toMatchObject({
    status: 404,
  });
  await expect(
    client.devices.removeLabel({ device_id: NOBODY, label_id: label.id }),
  ).rejects.toMatchObject({ status: 404 });
});
