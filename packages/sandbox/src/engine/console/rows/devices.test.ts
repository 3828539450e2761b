import { expect, test } from "vitest";
import { newDevice, NOBODY, openConsole } from "../../testing/console.ts";

const LOOKED_UP =
  "adr_allowed app_eui app_key cf_list_enabled dc_usage dev_eui id in_xor_filter labels last_connected name organization_id oui total_packets";
const LISTED = `active ${LOOKED_UP} config_profile_id rx_delay`;
const BEYOND = "region devaddr nwk_s_key app_s_key";

const fields = (record: object) => Object.keys(record).toSorted((a, b) => a.localeCompare(b));
const query = (by: Record<string, string>) => new URLSearchParams(by).toString();
const words = (text: string) => text.split(" ").toSorted((a, b) => a.localeCompare(b));

test("a created device has the fields of a look-up, and in the list the values of a new one", async () => {
  const { client } = openConsole();
  const device = await client.devices.create(newDevice());
  expect(fields(device)).toEqual(words(LOOKED_UP));
  const [listed] = await client.devices.list();
  expect(listed).toMatchObject({
    last_connected: "1970-01-01T00:00:00",
    rx_delay: 1,
    total_packets: 0,
  });
});

test("a deployment may return more than the spec has, such as the session keys of connected devices", async () => {
  const { client } = openConsole({ console: { records: "full" } });
  const devices = await client.devices.list();
  for (const device of devices) expect(fields(device)).toEqual(words(`${LISTED} ${BEYOND}`));
  const heard = devices.find(({ last_connected }) => last_connected !== null);
  const silent = devices.find(({ last_connected }) => last_connected === null);
  expect(heard?.nwk_s_key?.reveal()).toMatch(/^[0-9A-F]{32}$/);
  expect(silent).toMatchObject({ region: null, devaddr: null, nwk_s_key: null, app_s_key: null });
  expect(fields(await client.devices.get({ device_id: heard?.id ?? "" }))).toEqual(
    words(`${LISTED} ${BEYOND}`),
  );
});

const HOSTED = { console: { data: "empty", inputs: "observed" } } as const;

test("names, EUIs and keys are strings, kept as they were written and compared without regard to case", async () => {
  const { send } = openConsole();
  const written = {
    name: "Tank ".repeat(20),
    dev_eui: "00-04-a3-0B",
    app_eui: "70b3:any",
    app_key: "a Key of any Kind",
  };
  const created = await send("POST /api/v1/devices", written);
  expect([created.status, await created.json()]).toEqual([201, expect.objectContaining(written)]);
  const { dev_eui, app_eui, app_key } = written;
  const found = await send(
    `GET /api/v1/devices?${query({
      dev_eui: dev_eui.toUpperCase(),
      app_eui: app_eui.toUpperCase(),
      app_key: app_key.toLowerCase(),
    })}`,
  );
  expect([found.status, await found.json()]).toEqual([200, expect.objectContaining(written)]);
  const again = { ...written, dev_eui: dev_eui.toUpperCase(), app_key: app_key.toUpperCase() };
  expect((await send("POST /api/v1/devices", again)).status).toBe(422);
  const { success, failure } = (await (
    await send("POST /api/v1/devices", { devices: [again, { ...again, dev_eui: "x" }] })
  ).json()) as { success: object[]; failure: object[] };
  expect(success).toMatchObject([{ ...again, dev_eui: "x" }]);
  expect(failure).toMatchObject([
    { dev_eui: again.dev_eui, error: "dev_eui: has already been taken" },
  ]);
});

test("some of the three values find all devices that match, and a list without dev_eui is whole", async () => {
  const { client, send } = openConsole();
  for (const number of [1, 2]) await client.devices.create(newDevice(number));
  const other = { ...newDevice(1), app_eui: "70B3D57ED0000002", name: "Other" };
  await client.devices.create(other);
  const { dev_eui, app_eui, app_key } = newDevice(1);
  const namesOf = async (by: Record<string, string>) => {
    const response = await send(`GET /api/v1/devices?${query(by)}`);
    const body = (await response.json()) as { name: string }[];
    return response.status === 200 ? body.map(({ name }) => name) : [response.status, body];
  };
  expect(await namesOf({ dev_eui })).toEqual(["Tank 1", "Other"]);
  expect(await namesOf({ dev_eui: dev_eui.toLowerCase(), app_eui })).toEqual(["Tank 1"]);
  expect(await namesOf({ dev_eui, app_key })).toEqual(["Tank 1", "Other"]);
  const none = [404, { errors: { error: ["Devices not found"] } }];
  expect(await namesOf({ dev_eui: "0" })).toEqual(none);
  expect(await namesOf({ dev_eui, app_eui: "0" })).toEqual(none);
  for (const by of [{ app_eui }, { app_key }, { app_eui: "0" }, { app_eui, app_key }])
    expect(await namesOf(by)).toEqual(["Tank 1", "Tank 2", "Other"]);
});

test("a hosted deployment stores EUIs and keys in upper case", async () => {
  const { send } = openConsole(HOSTED);
  const { name, dev_eui, app_eui, app_key } = newDevice(0xabcdef);
  const lower = {
    name,
    dev_eui: dev_eui.toLowerCase(),
    app_eui: app_eui.toLowerCase(),
    app_key: app_key.toLowerCase(),
  };
  expect(await (await send("POST /api/v1/devices", lower)).json()).toMatchObject({
    dev_eui,
    app_eui,
    app_key,
  });
  const find = (euis: Record<string, string>) => send(`GET /api/v1/devices?${query(euis)}`);
  expect((await find({ dev_eui, app_eui, app_key })).status).toBe(200);
  expect((await find({ ...lower, name: "" })).status).toBe(404);
  expect((await find({ dev_eui, app_eui, app_key: "0".repeat(32) })).status).toBe(404);
});

test("a hosted deployment validates every field of a device, and names an invalid one", async () => {
  const { send } = openConsole(HOSTED);
  const refusal = async (change: object) => {
    const response = await send("POST /api/v1/devices", { ...newDevice(), ...change });
    return [response.status, ((await response.json()) as { errors?: unknown }).errors];
  };
  expect(await refusal({ dev_eui: "0004A30B001C053" })).toEqual([
    422,
    { dev_eui: ["must be 16 hexadecimal digits"] },
  ]);
  expect(await refusal({ app_eui: "G".repeat(16) })).toEqual([
    422,
    { app_eui: ["must be 16 hexadecimal digits"] },
  ]);
  expect(await refusal({ app_key: "2B7E" })).toEqual([
    422,
    { app_key: ["must be 32 hexadecimal digits"] },
  ]);
  expect(await refusal({ name: "x".repeat(53) })).toEqual([
    422,
    { name: ["should be at most 52 character(s)"] },
  ]);
  expect(await refusal({ name: undefined, dev_eui: "" })).toEqual([
    422,
    { name: ["can't be blank"], dev_eui: ["can't be blank"] },
  ]);
  expect(await refusal({ label_ids: [NOBODY] })).toEqual([422, { label_ids: ["is invalid"] }]);
  expect((await refusal({ name: "x".repeat(52), colour: "red" }))[0]).toBe(201);
});

test("a device is rejected only if another one has all three of its EUIs", async () => {
  const { client, send } = openConsole();
  await client.devices.create(newDevice(1));
  const again = await send("POST /api/v1/devices", { ...newDevice(1), name: "Another name" });
  expect([again.status, await again.json()]).toEqual([
    422,
    { errors: { dev_eui: ["has already been taken"] } },
  ]);
  await client.devices.create({ ...newDevice(1), app_eui: "70B3D57ED0000002" });
  await client.devices.create({ ...newDevice(1), app_key: "0".repeat(32) });
  expect(await client.devices.list()).toHaveLength(3);
});

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

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => newDevice(from + i));

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
