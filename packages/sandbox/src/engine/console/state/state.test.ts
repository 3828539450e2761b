import { expect, test } from "vitest";
import { newDevice, openConsole } from "../../testing/console.ts";

test("an uplink has arrived at exactly its time, and not a millisecond earlier", async () => {
  const { client, sandbox } = openConsole();
  const { id } = await client.devices.create(newDevice());
  const { next_uplink } = sandbox.console.state.devices.get(id)!;
  await sandbox.clock.advance(next_uplink - sandbox.clock.now() - 1);
  expect(await client.devices.get({ device_id: id })).toMatchObject({ total_packets: 0 });
  await sandbox.clock.advance(1);
  expect(await client.devices.get({ device_id: id })).toMatchObject({ total_packets: 1 });
});

test("a change of an earlier record of a device keeps what has changed since", async () => {
  const { client, sandbox } = openConsole();
  const { id } = await client.devices.create(newDevice());
  const { devices } = sandbox.console.state;
  const earlier = devices.get(id)!;
  devices.update(earlier, { name: "Tank 2" });
  expect(devices.update(earlier, { active: false })).toMatchObject({
    name: "Tank 2",
    active: false,
  });
  expect(devices.get(id)).toMatchObject({ name: "Tank 2", active: false });
});

test("devices are found by their EUIs in any letter case, and not after they are deleted", async () => {
  const { client, sandbox } = openConsole();
  const { id } = await client.devices.create(newDevice(10));
  const { devices } = sandbox.console.state;
  const { dev_eui, app_eui, app_key } = newDevice(10);
  const found = (wanted: Parameters<typeof devices.find>[0]) =>
    devices.find(wanted).map((each) => each.id);
  expect(found({ dev_eui: dev_eui.toLowerCase() })).toEqual([id]);
  expect(
    found({ dev_eui, app_eui: app_eui.toLowerCase(), app_key: app_key.toLowerCase() }),
  ).toEqual([id]);
  expect(found({ dev_eui, app_eui: "70B3D57ED0000002" })).toEqual([]);
  expect(found({ dev_eui, app_key: "0".repeat(32) })).toEqual([]);
  const { id: other } = await client.devices.create(newDevice(11));
  devices.delete("none");
  devices.delete(id);
  expect([found({ dev_eui }), found({ dev_eui: newDevice(11).dev_eui })]).toEqual([[], [other]]);
  expect([devices.size, [...devices.values()].length]).toEqual([1, 1]);
});
