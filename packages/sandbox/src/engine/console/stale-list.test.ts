import { parseJson } from "@fieldmesh/core";
import { expect, test } from "vitest";
import { newDevice, openConsole } from "../testing/console.ts";

const STALE = { on: "devices.list", kind: "stale", times: Infinity } as const;

test("the list shows the devices at the time when the faults were set, although they have changed since", async () => {
  const { client, sandbox } = openConsole();
  const { id } = await client.devices.create(newDevice(1));
  const label = await client.labels.create({ name: "Pumps" });
  sandbox.setFaults([{ ...STALE, skip: 1, times: 2 }]);
  await client.devices.create(newDevice(2));
  await client.devices.setActive({ device_id: id, active: false });
  await client.devices.addLabel({ device_id: id, label: label.id });
  const seen = async () =>
    (await client.devices.list()).map(({ active, labels }) => [active, labels.length]);
  const now = [
    [false, 1],
    [true, 0],
  ];
  const before = [[true, 0]];
  expect([await seen(), await seen(), await seen(), await seen()]).toEqual([
    now,
    before,
    before,
    now,
  ]);
  expect(await client.devices.get({ device_id: id })).toMatchObject({ id });
  expect(sandbox.log.requests("devices.list").map(({ fault }) => fault?.kind)).toEqual([
    undefined,
    "stale",
    "stale",
    undefined,
  ]);
});

test("the list shows a device that was deleted after the faults were set", async () => {
  const { client, sandbox } = openConsole();
  const { id } = await client.devices.create(newDevice(1));
  sandbox.setFaults([STALE]);
  await client.devices.delete({ id });
  expect(await client.devices.list()).toMatchObject([{ id }]);
  sandbox.setFaults(undefined);
  expect(await client.devices.list()).toEqual([]);
  sandbox.setFaults([STALE]);
  expect(await client.devices.list()).toEqual([]);
});

test("with ms, the list shows the devices as they were that many milliseconds ago", async () => {
  const { client, sandbox } = openConsole({
    console: { data: "empty" },
    faults: [{ ...STALE, ms: 200 }],
  });
  await client.devices.create(newDevice(1));
  await new Promise((resolve) => setTimeout(resolve, 300));
  await client.devices.create(newDevice(2));
  expect(await client.devices.list()).toHaveLength(1);
  await expect.poll(() => client.devices.list()).toHaveLength(2);
  sandbox.reset();
  await client.devices.create(newDevice(3));
  expect(await client.devices.list()).toEqual([]);
});

test("a lookup by dev_eui matches the devices of the earlier list", async () => {
  const { client, send, sandbox } = openConsole();
  const { id, dev_eui } = await client.devices.create(newDevice(1));
  const other = await client.devices.create(newDevice(2));
  sandbox.setFaults([STALE]);
  await client.devices.delete({ id });
  const late = await client.devices.create(newDevice(3));
  const lookUp = async (query: string) => {
    const response = await send(`GET /api/v1/devices?${query}`);
    const body = (await response.json()) as { id: string }[];
    return [response.status, response.ok ? body.map((device) => device.id) : body];
  };
  expect(await lookUp(`dev_eui=${dev_eui.toLowerCase()}`)).toEqual([200, [id]]);
  const none = { errors: { error: ["Devices not found"] } };
  expect(await lookUp(`dev_eui=${dev_eui}&app_eui=0`)).toEqual([404, none]);
  expect(await lookUp(`dev_eui=${late.dev_eui}`)).toEqual([404, none]);
  expect(await lookUp("app_eui=0")).toEqual([200, [id, other.id]]);
});

test("a function and a rate can return this fault, and other rows are not affected", async () => {
  const { client, sandbox } = openConsole();
  for (const faults of [
    () => ({ kind: "stale" }) as const,
    { rate: 1, kinds: [{ kind: "stale" }] as const },
  ]) {
    sandbox.reset();
    sandbox.setFaults(faults);
    await client.devices.create(newDevice(1));
    await client.labels.create({ name: "Pumps" });
    expect(await client.devices.list()).toEqual([]);
    expect(await client.labels.list()).toHaveLength(1);
  }
});

test("a snapshot keeps the earlier lists, in this process and in JSON", async () => {
  const { client, sandbox } = openConsole({ console: { data: "empty" }, faults: [STALE] });
  const label = await client.labels.create({ name: "Pumps" });
  const { id } = await client.devices.create({ ...newDevice(1), label_ids: [label.id] });
  sandbox.setFaults([STALE]);
  await client.devices.delete({ id });
  await client.labels.delete({ label_id: label.id });
  const shown = await client.devices.list();
  expect(shown).toMatchObject([{ id, labels: [{ name: "Pumps" }] }]);
  const snapshot = sandbox.snapshot();
  for (const saved of [snapshot, parseJson(JSON.stringify(snapshot)) as typeof snapshot]) {
    sandbox.restore(saved);
    expect(await client.devices.list()).toEqual(shown);
  }
});

test("the first of the earlier lists is kept, and at most 999 after it", async () => {
  const { client, sandbox } = openConsole({ console: { data: "empty" }, logSize: 1 });
  const { id } = await client.devices.create(newDevice(1));
  sandbox.setFaults(({ method }) => (method === "GET" ? { kind: "stale" } : undefined));
  await client.devices.create(newDevice(2));
  for (let write = 0; write < 1_100; write++)
    await client.devices.setActive({ device_id: id, active: write % 2 === 0 });
  expect(await client.devices.list()).toMatchObject([{ id, active: true }]);
  expect(JSON.stringify(sandbox.snapshot()).match(/"until":/g)).toHaveLength(1_000);
});
