import { expect, test } from "vitest";
import { createSandbox } from "../sandbox/sandbox.ts";
import type { Served } from "../services/served.ts";
import type { StoredEvent } from "../webhooks/event-copies.ts";
import { call, UPLINK } from "../testing/all-state.ts";
import { newDevice } from "../testing/console.ts";
import { countState, listState } from "./state-views.ts";
import type { StateRow } from "./wire.ts";

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

test("in place of a name that is gone, there is an id", async () => {
  const { sandbox, rows, north, tank, third } = await connected();
  const { state } = sandbox.console;
  state.labels.delete(north);
  state.integrations.delete(third);
  expect(rows("devices")[0]).toMatchObject({
    labels: `${north}, South`,
    flows: `${third}, First, Second`,
  });
  expect(rows("flows")).toMatchObject([
    { from: "device Tank 1", integration: third },
    { from: `label ${north}` },
    { from: `label ${north}` },
  ]);
  state.devices.delete(tank);
  expect(rows("flows")[0]).toMatchObject({ from: `device ${tank}` });
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

test("an uplink shows when it arrived, its device and its position", async () => {
  const { sandbox, rows } = open();
  await call(sandbox, "mapper POST /api/v1/ingest/uplink", UPLINK);
  const { dev_eui, ...rest } = UPLINK;
  await call(sandbox, "mapper POST /api/v1/ingest/uplink", rest);
  const position = { latitude: 47.5, longitude: 7.5, altitude: 260, accuracy: 2.5 };
  const at = "2026-11-20T08:00:00.000Z";
  expect(rows("uplinks")).toEqual([
    { at, dev_eui, ...position },
    { at, dev_eui: null, ...position },
  ]);
});

test("a subscriber and a subscription show what is known of their state", () => {
  const { sandbox, rows } = open();
  const { subscribers, subscriptions } = sandbox.mobile.state;
  const add = (records: Map<string, object>, id: string, fields: object) =>
    records.set(id, { id, livemode: true, ...fields });
  add(subscribers as Map<string, object>, "sub_1", {
    locked_status: "locked",
    created_at: "2026-01-01",
    email: "canary",
  });
  add(subscribers as Map<string, object>, "sub_2", { locked_status: null });
  add(subscriptions as Map<string, object>, "subn_1", { subscriber_id: "sub_1", status: "active" });
  add(subscriptions as Map<string, object>, "subn_2", {
    subscriber_id: 7n,
    status: { a: 2n ** 60n },
  });
  const email = "[redacted]";
  expect(rows("subscribers")).toEqual([
    { id: "sub_1", status: "locked", created_at: "2026-01-01", livemode: true, email },
    { id: "sub_2", status: null, created_at: null, livemode: true, email },
  ]);
  expect(rows("subscriptions")).toEqual([
    { id: "subn_1", subscriber_id: "sub_1", status: "active", livemode: true },
    { id: "subn_2", subscriber_id: "7", status: '{"a":1152921504606846976}', livemode: true },
  ]);
});

const event = (type: string, object: unknown, created_at = "2026-01-01"): StoredEvent => ({
  id: "evt_1",
  type,
  created_at,
  livemode: false,
  data: { object },
  idempotency_key: "k",
});

test("SIMs are those of events, in the order of their last one", () => {
  const { source } = open();
  const { total, rows } = listState(
    source([
      event("sim.activated", { id: "sim_1", state: "active", subscription_id: "subn_1" }),
      event("sim.activated", { id: "sim_2", state: "active", subscriber_id: "sub_2" }),
      event("sim.suspended", { id: "sim_1", state: "suspended" }, "2026-01-02"),
      event("psim.activated", { id: "sim_3" }),
      event("plan.sim.created", { id: "sim_4" }),
      event("sim.activated", { id: 7 }),
      event("sim.activated", {}),
      event("sim.activated", "sim_5"),
    ]),
    "sims",
    ALL,
  );
  expect([total, rows]).toEqual([
    2,
    [
      {
        id: "sim_2",
        state: "active",
        subscription_id: null,
        subscriber_id: "sub_2",
        last_event: "sim.activated",
        at: "2026-01-01",
      },
      {
        id: "sim_1",
        state: "suspended",
        subscription_id: null,
        subscriber_id: null,
        last_event: "sim.suspended",
        at: "2026-01-02",
      },
    ],
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
  ["null", ["Tank 2"]],
  ["tank1", []],
  ["   ", ["Tank 1", "Tank 2"]],
])("a search for %j finds the records with a value that includes it", async (search, names) => {
  const { source } = await connected();
  const { total, rows } = listState(source(), "devices", { offset: 0, search });
  expect(rows.map(({ name }) => name)).toEqual(names);
  expect(total).toBe(names.length);
});

/** A map with uplinks, the even ones of device A. `made` is how many were read. */
function uplinks(count: number) {
  const own = { made: 0 };
  const list = {
    length: count,
    *[Symbol.iterator]() {
      for (let at = 0; at < count; at++) {
        own.made += 1;
        yield { at, dev_eui: at % 2 === 0 ? "A" : "B", position: {} };
      }
    },
  };
  const served = { mapper: { state: { uplinks: list } } } as unknown as Served;
  return { own, source: { served, events: [] } };
}

test.each([
  [{ offset: 0, search: "" }, 1_000, [0, 199], 200],
  [{ offset: 300, search: "" }, 1_000, [300, 499], 500],
  [{ offset: 900, search: "" }, 1_000, [900, 999], 1_000],
  [{ offset: 1_000, search: "" }, 1_000, [undefined, undefined], 1_000],
  [{ offset: 0, search: "a" }, 500, [0, 398], 1_000],
  [{ offset: 450, search: "a" }, 500, [900, 998], 1_000],
])(
  "a part of a list has at most 200 rows, and the rest is not made: %j",
  (part, total, ends, made) => {
    const { own, source } = uplinks(1_000);
    const page = listState(source, "uplinks", part);
    expect(page.total).toBe(total);
    expect(page.rows.length).toBeLessThanOrEqual(200);
    const at = (row: StateRow | undefined) => row && Date.parse(String(row["at"]));
    expect([at(page.rows[0]), at(page.rows.at(-1))]).toEqual(ends);
    expect(own.made).toBe(made);
  },
);
