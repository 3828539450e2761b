import { expect, test } from "vitest";
import { newDevice, NOBODY, openConsole } from "../../testing/console.ts";

const LOOKED_UP =
  "adr_allowed app_eui app_key cf_list_enabled dc_usage dev_eui id in_xor_filter labels last_connected name organization_id oui total_packets";
const LISTED = `active ${LOOKED_UP} config_profile_id rx_delay`;
const BEYOND = "region devaddr nwk_s_key app_s_key";

const fields = (record: object) => Object.keys(record).toSorted((a, b) => a.localeCompare(b));
const query = (by: Record<string, string>) => new URLSearchParams(by).toString();
const words = (text: string) => text.split(" ").toSorted((a, b) => a.localeCompare(b));

test("a created device has the fields of the spec, in its own response and in the list", async () => {
  const { client } = openConsole();
  const label = await client.labels.create({ name: "Pumps" });
  const device = await client.devices.create({ ...newDevice(), label_ids: [label.id] });
  expect(device.app_key.reveal()).toBe(newDevice().app_key);
  expect(fields(device)).toEqual(words(LOOKED_UP));
  expect(device.labels).toMatchObject([{ id: label.id, name: "Pumps" }]);
  expect(await client.devices.get({ device_id: device.id })).toEqual(device);
  const [listed] = await client.devices.list();
  expect(listed).toMatchObject({
    id: device.id,
    active: true,
    last_connected: "1970-01-01T00:00:00",
    rx_delay: 1,
    total_packets: 0,
  });
  expect(fields(listed ?? {})).toEqual(words(LISTED));
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

test("a lookup by EUIs returns a descriptor, a device or a list, depending on the deployment", async () => {
  const euis = ({ dev_eui, app_eui, app_key }: ReturnType<typeof newDevice>) => ({
    dev_eui,
    app_eui,
    app_key,
  });
  const found = async (lookup: "descriptor" | "device" | "list") => {
    const { client, send } = openConsole({ console: { data: "empty", lookup } });
    await client.devices.create(newDevice());
    expect(await client.devices.find(euis(newDevice()))).toMatchObject({ name: "Tank 1" });
    return (await send(`GET /api/v1/devices?${query(euis(newDevice()))}`)).json();
  };
  expect(fields((await found("descriptor")) as object)).toEqual(
    words("app_eui app_key dev_eui id name organization_id oui"),
  );
  expect(fields((await found("device")) as object)).toEqual(words(LISTED));
  expect(await found("list")).toMatchObject([{ name: "Tank 1", active: true }]);
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

test("a deployment may allow duplicates", async () => {
  const { client } = openConsole({
    console: { data: "empty", duplicates: "allowed" },
  });
  await client.devices.create(newDevice());
  await client.devices.create(newDevice());
  const ids = (await client.devices.list()).map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
});

test("a deployment may disable the creation of single devices, but not that of many", async () => {
  const { client, send } = openConsole({
    console: { data: "empty", singleCreate: "disabled" },
  });
  const response = await send("POST /api/v1/devices", newDevice());
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({
    errors: { error: [expect.stringContaining("disabled")] },
  });
  expect((await client.devices.createBatch({ devices: [newDevice()] })).success).toHaveLength(1);
});

test("an unknown device is a 404 on every route of one device", async () => {
  const { send } = openConsole();
  const calls: [string, object?][] = [
    [`GET /api/v1/devices/${NOBODY}`],
    [`GET /api/v1/devices/${NOBODY}/events`],
    [`GET /api/v1/devices/${NOBODY}/events?sub_category=uplink_integration_req`],
    [`DELETE /api/v1/devices/${NOBODY}`],
    [`PUT /api/v1/devices/${NOBODY}`, { active: true }],
    [`PUT /api/v1/devices/${NOBODY}`, { config_profile_id: null }],
    [`POST /api/v1/devices/${NOBODY}/labels`, { label: NOBODY }],
    [`DELETE /api/v1/devices/${NOBODY}/labels/${NOBODY}`],
  ];
  for (const [route, body] of calls) {
    const response = await send(route, body);
    expect([route, response.status, await response.json()]).toEqual([
      route,
      404,
      { errors: { error: ["Device not found"] } },
    ]);
  }
});
