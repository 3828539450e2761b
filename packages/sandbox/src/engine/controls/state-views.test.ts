import { expect, test } from "vitest";
import type { MapperState } from "../mapper/mapper.ts";
import { createSandbox } from "../sandbox/sandbox.ts";
import type { Served } from "../services/served.ts";
import { call, sandboxWithAllState, UPLINK } from "../testing/all-state.ts";
import { newDevice } from "../testing/console.ts";
import { viewPositions } from "./views.ts";
import { countState, listState } from "./state-views.ts";
import type { Positions, StatePage, StateRow } from "./wire.ts";

const ALL = { offset: 0, search: "" };
const HOOK = {
  type: "http",
  endpoint: "http://127.0.0.1:3000/",
  method: "post",
  headers: {},
  url_params: {},
};

/** A sandbox with an empty console and three accounts, and functions that read its lists. */
function open() {
  const sandbox = createSandbox({ console: { data: "empty" }, ledger: { accounts: 3 } });
  const source = (events = sandbox.webhooks.events()) => ({
    served: sandbox as unknown as Served,
    events,
  });
  const rows = (name: string, search = ""): readonly StateRow[] =>
    listState(source(), name, { ...ALL, search }).rows;
  /** Creates a record, and returns its id. */
  const create = async (path: string, body: object): Promise<string> => {
    const { text } = await call(sandbox, `console POST /api/v1/${path}`, body);
    return (JSON.parse(text) as { id: string }).id;
  };
  return { sandbox, source, rows, create };
}

/** Two devices: one with two labels, three integrations and an uplink, and one without anything. */
async function connected() {
  const all = open();
  const { create, sandbox } = all;
  const north = await create("labels", { name: "North" });
  const south = await create("labels", { name: "South" });
  const tank = await create("devices", { ...newDevice(1), label_ids: [north, south] });
  const spare = await create("devices", newDevice(2));
  const [first, second, third] = [
    await create("integrations", { ...HOOK, name: "First" }),
    await create("integrations", { ...HOOK, name: "Second" }),
    await create("integrations", { ...HOOK, name: "Third" }),
  ];
  await create("flows", { integration_id: third, device_id: tank });
  await create("flows", { integration_id: first, label_id: north });
  await create("flows", { integration_id: second, label_id: north });
  await sandbox.console.sendUplink({ device_id: tank, decoded: {} });
  return { ...all, north, south, tank, spare, first, second, third };
}

test("a device shows its labels, its integrations and when it was connected, and no key", async () => {
  const { rows, tank, spare } = await connected();
  expect(rows("devices")).toEqual([
    {
      name: "Tank 1",
      dev_eui: "0004A30B00000001",
      active: true,
      labels: "North, South",
      flows: "Third, First, Second",
      last_connected: "2026-11-20T08:00:00.000Z",
      total_packets: 1,
      id: tank,
    },
    {
      name: "Tank 2",
      dev_eui: "0004A30B00000002",
      active: true,
      labels: "",
      flows: "",
      last_connected: null,
      total_packets: 0,
      id: spare,
    },
  ]);
});

test("a label shows the number of its devices, and its integrations", async () => {
  const { rows, north, south, create } = await connected();
  const empty = await create("labels", { name: "Empty" });
  await create("devices", { ...newDevice(3), label_ids: [north] });
  expect(rows("labels")).toEqual([
    { name: "North", devices: 2, flows: "First, Second", id: north },
    { name: "South", devices: 1, flows: "", id: south },
    { name: "Empty", devices: 0, flows: "", id: empty },
  ]);
});

test("a flow shows what it connects, and an integration its type", async () => {
  const { sandbox, rows, first, second, third } = await connected();
  const flows = [...sandbox.console.state.flows.keys()];
  expect(rows("flows")).toEqual([
    { from: "device Tank 1", integration: "Third", id: flows[0] },
    { from: "label North", integration: "First", id: flows[1] },
    { from: "label North", integration: "Second", id: flows[2] },
  ]);
  expect(rows("integrations")).toEqual([
    { name: "First", type: "http", id: first },
    { name: "Second", type: "http", id: second },
    { name: "Third", type: "http", id: third },
  ]);
});

test("an account shows its exact balance", () => {
  const { sandbox, rows } = open();
  const { hotspots, chain } = sandbox.ledger.state;
  const address = (index: number) => chain.addresses.of(index);
  expect(rows("accounts")).toEqual([
    {
      address: address(0),
      balance: "12345678901234567",
      dc_balance: expect.any(Number),
      nonce: 0,
      hotspots,
    },
    {
      address: address(1),
      balance: "6172839450617283",
      dc_balance: expect.any(Number),
      nonce: 1,
      hotspots,
    },
    {
      address: address(2),
      balance: "4115226300411522",
      dc_balance: expect.any(Number),
      nonce: 2,
      hotspots,
    },
  ]);
});

test("each list is counted", async () => {
  const { sandbox, source } = await connected();
  await call(sandbox, "mapper POST /api/v1/ingest/uplink", UPLINK);
  for (const each of ["a", "b"])
    await call(sandbox, "mobile POST /v1/subscribers", {
      email: `${each}@example.com`,
      name: each,
    });
  const [subscriber] = sandbox.mobile.state.subscribers.keys();
  await call(sandbox, "mobile POST /v1/subscriptions", { subscriber_id: subscriber, plan_id: "p" });
  await sandbox.webhooks.trigger("sim.activated");
  expect(countState(source())).toEqual({
    devices: 2,
    labels: 2,
    flows: 3,
    integrations: 3,
    accounts: 3,
    uplinks: 1,
    subscribers: 2,
    subscriptions: 1,
    sims: 1,
  });
});

test.each(["", "other", "__proto__", "toString"])("the list %j does not exist", (name) => {
  expect(() => listState(open().source(), name, ALL)).toThrow(
    new TypeError(
      `There is no list ${name}. Use devices, labels, flows, integrations, accounts, uplinks, subscribers, subscriptions, sims.`,
    ),
  );
});

test.each([
  ["tank 1", ["Tank 1"]],
  ["  TANK  ", ["Tank 1", "Tank 2"]],
  ["0004a30b00000002", ["Tank 2"]],
  ["third", ["Tank 1"]],
  ["false", []],
  ["TRUE", ["Tank 1", "Tank 2"]],
  ["null", []],
  ["tank1", []],
  ["   ", ["Tank 1", "Tank 2"]],
])("a search for %j finds the records with a value that includes it", async (search, names) => {
  const { source } = await connected();
  const { total, rows } = listState(source(), "devices", { offset: 0, search });
  expect(rows.map(({ name }) => name)).toEqual(names);
  expect(total).toBe(names.length);
});

const { sandbox: full, ids: fullIds } = await sandboxWithAllState();

async function view<T>(path: string): Promise<T> {
  const response = await full.handler(new Request(`https://sandbox.invalid/sandbox${path}`));
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

const rowsOf = async (name: string, search = "") =>
  (await view<StatePage>(`/state/${name}?search=${encodeURIComponent(search)}`)).rows;

test("a subscriber shows no personal data, and a subscription whose it is", async () => {
  expect(await rowsOf("subscribers")).toEqual([
    {
      id: fullIds["subscriber"],
      status: "unlocked",
      created_at: expect.stringMatching(/^2026-/),
      livemode: false,
      email: "[redacted]",
    },
  ]);
  expect(await rowsOf("subscriptions")).toEqual([
    expect.objectContaining({ subscriber_id: fullIds["subscriber"], livemode: false }),
  ]);
});

test("a SIM shows its last event, and no event of another kind is one", async () => {
  const data = { object: { id: "sim_7", state: "active", subscription_id: 7n } };
  full.webhooks.emit("sim.activated", data);
  full.webhooks.emit("sim.suspended", { object: { ...data.object, state: "suspended" } });
  expect(await rowsOf("sims", "sim_7")).toEqual([
    expect.objectContaining({
      id: "sim_7",
      state: "suspended",
      subscription_id: "7",
      last_event: "sim.suspended",
    }),
  ]);
  const { total } = await view<StatePage>("/state/sims");
  expect(total).toBe(2);
});

test("a list is shown in parts, whose total is that of the whole", async () => {
  const { devices } = full.console.state;
  const { total, rows } = await view<StatePage>(`/state/devices?offset=${devices.size - 2}`);
  expect([total, rows.length]).toEqual([devices.size, 2]);
  const accounts = await view<StatePage>("/state/accounts");
  expect([accounts.total, accounts.rows.length]).toEqual([10_000, 200]);
});

test("an uplink is at its position, and each hotspot with one is beside it", async () => {
  const { latitude, longitude } = UPLINK.decoded.payload;
  expect(await rowsOf("uplinks")).toEqual([
    expect.objectContaining({ dev_eui: UPLINK.dev_eui, latitude, longitude }),
  ]);
  const metadata = { gateway_lat: "47.1", gateway_long: "7.1", gateway_name: "river" };
  const heardBy = (place: object) =>
    full.mapper.state.uplinks.push({ at: 0, position: {}, uplink: place } as never);
  heardBy({ hotspots: [{ name: "bridge", lat: 47.2, long: 7.2 }, { id: "no place" }, null] });
  heardBy({ rxInfo: [{ metadata }, { id: "h", metadata: { ...metadata, gateway_name: 7 } }] });
  heardBy({ rxInfo: [{ lat: 47.3, long: 7.3 }] });
  heardBy({ hotspots: "none" });
  const { uplinks, hotspots } = await view<Positions>("/positions");
  expect(uplinks[0]).toMatchObject({ name: UPLINK.dev_eui, latitude, longitude });
  expect(uplinks[1]).toEqual({ at: 0, name: "", latitude: 0, longitude: 0 });
  expect(hotspots).toEqual([
    { name: "bridge", latitude: 47.2, longitude: 7.2 },
    { name: "river", latitude: 47.1, longitude: 7.1 },
    { name: "h", latitude: 47.1, longitude: 7.1 },
    { name: "hotspot", latitude: 47.3, longitude: 7.3 },
  ]);
});

test("the last 2,000 uplinks are shown with their hotspots, and none before them", () => {
  const uplinks = Array.from({ length: 2_001 }, (_, at) => ({
    at,
    dev_eui: `device ${at}`,
    position: { latitude: 10, longitude: 20 },
    uplink: { hotspots: at < 2 ? [{ name: `hotspot ${at}`, lat: 1, long: 2 }] : [] },
  }));
  const positions = viewPositions({ uplinks } as unknown as MapperState);
  expect(positions.uplinks).toHaveLength(2_000);
  expect(positions.uplinks[0]).toEqual({ at: 1, name: "device 1", latitude: 10, longitude: 20 });
  expect(positions.uplinks.at(-1)?.name).toBe("device 2000");
  expect(positions.hotspots).toEqual([{ name: "hotspot 1", latitude: 1, longitude: 2 }]);
});
