import {
  type DeviceEvent,
  isIntegrationEvent,
  isUplinkBody,
  isUplinkEvent,
  parseUtc,
} from "@fieldmesh/console-client";
import { expect, test } from "vitest";
import { newDevice, openConsole } from "../../testing/console.ts";

const MINUTE = 60_000;
const empty = { data: "empty" } as const;
const full = { records: "full" } as const;

async function withDevice(options: object = empty) {
  const open = openConsole({ console: { ...empty, ...options } });
  const { id: device_id } = await open.client.devices.create(newDevice());
  const events = () => open.client.devices.events({ device_id });
  return {
    ...open,
    device_id,
    events,
    advance: (minutes: number) => open.sandbox.clock.advance(minutes * MINUTE),
  };
}

/** Most uplinks of full records are unconfirmed. */
const kinds = (events: DeviceEvent[]) =>
  events.map(({ category, sub_category }) =>
    `${category} ${sub_category}`.replace("unconfirmed", "confirmed"),
  );

test("a new device joins within ten minutes, then sends an uplink every ten minutes", async () => {
  const { events, advance } = await withDevice(full);
  expect(await events()).toEqual([]);
  await advance(10);
  const joined = ["uplink uplink_confirmed", "join_accept undefined", "join_request undefined"];
  expect(kinds(await events())).toEqual(joined);
  await advance(20);
  const uplink = "uplink uplink_confirmed";
  expect(kinds(await events())).toEqual([uplink, uplink, ...joined]);
});

test("an uplink is counted, costs a credit and updates last_connected", async () => {
  const { client, sandbox, device_id, events, advance } = await withDevice();
  const [before] = await client.organization.list();
  await advance(60);
  const [after] = await client.organization.list();
  expect(Number(before?.dc_balance) - Number(after?.dc_balance)).toBe(6);
  const device = await client.devices.get({ device_id });
  expect(device).toMatchObject({ total_packets: 6, dc_usage: 6, in_xor_filter: true });
  const uplinks = (await events()).filter(isUplinkEvent);
  expect(uplinks.map(({ data }) => data.fcnt)).toEqual([5, 4, 3, 2, 1, 0]);
  expect(uplinks[0]?.data.dc?.balance).toBe(after?.dc_balance);
  expect(uplinks.at(-1)?.data.dc?.balance).toBe(Number(before?.dc_balance) - 1);

  const times = uplinks.map(({ reported_at }) => Number(reported_at));
  expect(times[0]).toBeLessThanOrEqual(sandbox.clock.now());
  expect((times[0] ?? 0) - (times[1] ?? 0)).toBe(10 * MINUTE);
  const stamp = device.last_connected ?? "";
  expect(stamp).toMatch(/^2026-11-20T08:5\d:\d\d$/);
  expect(parseUtc(stamp).getTime()).toBe(Math.floor((times[0] ?? 0) / 1_000) * 1_000);
});

test("the memory of a device does not grow with its running time", async () => {
  const { client, sandbox, device_id, advance, events } = await withDevice(full);
  const heard = () => sandbox.console.state.devices.get(device_id)?.heard.length;
  for (let i = 0; i < 20; i++) {
    await advance(10);
    await events();
  }
  expect(heard()).toBe(1);
  // The worst case: each uplink has another outcome.
  for (let i = 0; i < 300; i++) {
    await client.devices.setActive({ device_id, active: i % 2 === 0 });
    await advance(10);
  }
  expect(heard()).toBe(100);
  expect(await events()).toHaveLength(100);
});

test("the state is that of the current time of the clock, even without a request since", async () => {
  const { sandbox, advance } = await withDevice();
  const { dc_balance } = sandbox.console.state.organization;
  await advance(60);
  expect(sandbox.console.state.organization.dc_balance).toBe(dc_balance - 6);
});

test("the last 100 events of a device are kept, and the last 10 of an integration", async () => {
  const { client, device_id, events, advance } = await withDevice();
  const http = { name: "Data lake", endpoint: "https://lake.example.com", method: "post" };
  const { id: integration_id } = await client.integrations.createHttp(http);
  await advance(10 * 150);
  const before = await events();
  expect(before).toHaveLength(100);
  expect(before.filter(isUplinkEvent)).toHaveLength(100);
  expect(before.find(isUplinkEvent)?.data.fcnt).toBe(149);
  expect(await client.devices.integrationEvents({ device_id })).toEqual([]);

  await client.flows.create({ integration_id, device_id });
  await advance(10 * 30);
  const after = await events();
  expect(after).toHaveLength(100);
  expect(after.filter(isIntegrationEvent)).toHaveLength(30);
  const handedOver = (await client.devices.integrationEvents({ device_id })).filter(
    isIntegrationEvent,
  );
  expect(handedOver).toHaveLength(10);
  expect(handedOver).toEqual(after.filter(isIntegrationEvent).slice(0, 10));
});

test("an uplink is sent once to each integration of the device and of its labels that has a flow", async () => {
  const { client, device_id, advance } = await withDevice();
  const create = async (name: string) =>
    (
      await client.integrations.createHttp({
        name,
        endpoint: "https://a.example.com",
        method: "post",
      })
    ).id;
  const [lake, board, idle] = [await create("Lake"), await create("Board"), await create("Idle")];
  const label = await client.labels.create({ name: "Pumps" });
  await client.devices.addLabel({ device_id, label: label.id });
  await advance(10);
  await client.flows.create({ integration_id: lake, device_id });
  await client.flows.create({ integration_id: lake, label_id: label.id });
  await client.flows.create({ integration_id: board, label_id: label.id });
  const other = await client.labels.create({ name: "Others" });
  await client.flows.create({ integration_id: idle, label_id: other.id });
  await advance(10);
  const events = (await client.devices.integrationEvents({ device_id })).filter(isIntegrationEvent);
  expect(events.map(({ data }) => data.integration.name)).toEqual(["Lake", "Board"]);
  const [body] = events.map(({ data }) => data.req.body);
  const uplink = (await client.devices.events({ device_id })).find(isUplinkEvent);
  expect(isUplinkBody(body)).toBe(true);
  expect(body).toMatchObject({
    id: device_id,
    fcnt: 1,
    payload: uplink?.data.payload,
    port: uplink?.data.port,
  });
  expect(events[0]?.router_uuid).toBe(uplink?.router_uuid);
  expect(Buffer.from(uplink?.data.payload ?? "", "base64")).toHaveLength(
    uplink?.data.payload_size ?? 0,
  );

  await client.integrations.delete({ integration_id: board });
  await advance(10);
  const later = (await client.devices.integrationEvents({ device_id })).filter(isIntegrationEvent);
  expect(later.map(({ data }) => data.integration.name)).toEqual(["Lake", "Lake", "Board"]);
});

test("an uplink of an inactive device is dropped, costs nothing, and its frame counter continues", async () => {
  const { client, device_id, events, advance } = await withDevice(full);
  await advance(20);
  await client.devices.setActive({ device_id, active: false });
  await advance(20);
  expect(kinds(await events()).slice(0, 3)).toEqual([
    "uplink_dropped uplink_dropped_device_inactive",
    "uplink_dropped uplink_dropped_device_inactive",
    "uplink uplink_confirmed",
  ]);
  expect(await client.devices.get({ device_id })).toMatchObject({ total_packets: 2 });
  await client.devices.setActive({ device_id, active: true });
  await advance(10);
  expect((await events())[0]).toMatchObject({ data: { fcnt: 4 } });
});

test("uplinks are dropped without credits", async () => {
  const { client, sandbox, events, advance } = await withDevice(full);
  sandbox.console.state.organization.dc_balance = 2;
  await advance(40);
  expect((await client.organization.list())[0]?.dc_balance).toBe(0);
  expect(kinds(await events()).slice(0, 3)).toEqual([
    "uplink_dropped uplink_dropped_not_enough_dc",
    "uplink_dropped uplink_dropped_not_enough_dc",
    "uplink uplink_confirmed",
  ]);
  sandbox.console.state.organization.dc_balance = 10;
  await advance(10);
  expect(kinds(await events())[0]).toBe("uplink uplink_confirmed");
});

test("a deployment may return the unknown place of a hotspot as a string", async () => {
  const places = async (records: "spec" | "full") => {
    const { events, advance } = await withDevice({ records });
    await advance(600);
    return new Set(
      (await events()).filter(isUplinkEvent).map(({ data }) => typeof data.hotspot?.lat),
    );
  };
  expect(await places("spec")).toEqual(new Set(["number"]));
  expect(await places("full")).toEqual(new Set(["number", "string"]));
});

test("uplinkInterval sets how often devices send, or that they never send", async () => {
  const often = await withDevice({ uplinkInterval: 1_000 });
  await often.advance(1);
  expect((await often.events()).filter(isUplinkEvent)).toHaveLength(60);
  const never = await withDevice({ uplinkInterval: Number.POSITIVE_INFINITY });
  await never.advance(60 * 24 * 365);
  expect(await never.events()).toEqual([]);
  await expect(withDevice({ uplinkInterval: 0 })).rejects.toThrow(
    "uplinkInterval must be more than 0",
  );
});
