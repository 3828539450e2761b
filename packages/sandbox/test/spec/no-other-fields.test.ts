import { expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { call } from "../../src/engine/testing/all-state.ts";

/** A record of the contract: its fields, and the records within it. A field with `open` is not shown any further. */
type Fields = { readonly [field: string]: Fields | typeof open };
const open = "open";
const fields = (names: string, within: Fields = {}): Fields => ({
  ...Object.fromEntries(names.split(" ").map((name) => [name, {}])),
  ...within,
});

const label = fields("adr_allowed cf_list_enabled config_profile_id id name rx_delay");
const found = fields(
  "adr_allowed app_eui app_key cf_list_enabled dc_usage dev_eui id in_xor_filter last_connected name organization_id oui total_packets",
  { labels: label },
);
const device = { ...found, ...fields("active config_profile_id rx_delay") };
const integration = fields("id name labels devices", { labels: open, devices: open });
const hotspot = fields("channel frequency id lat long name rssi snr spreading");
const event = fields(
  "category sub_category description device_id organization_id router_uuid frame_up frame_down reported_at",
);
const uplink = fields("devaddr fcnt hold_time mac payload payload_size port", {
  dc: fields("balance nonce used"),
  hotspot,
});
const body = fields(
  "app_eui dev_eui devaddr fcnt id name payload payload_size port reported_at uuid",
  {
    hotspots: { ...hotspot, ...fields("hold_time reported_at status") },
    metadata: fields("adr_allowed cf_list_enabled multi_buy organization_id"),
  },
);
const request = { integration: fields("id name status"), req: fields("qos", { body }) };
const block = fields("height hash prev_hash time transaction_count snapshot_hash");
const common = "type time signature height hash fee";
const receipt = fields("timestamp signature signal origin gateway data");
const data = (record: Fields): Fields => ({ data: record, cursor: {} });

const transactions: Readonly<Record<string, Fields>> = {
  poc_request_v1: fields(
    `${common} version secret_hash owner onion_key_hash location lng lat challenger block_hash`,
  ),
  poc_receipts_v1: fields(
    `${common} secret onion_key_hash challenger_owner challenger_loc challenger`,
    { path: { ...fields("challengee"), witnesses: open, receipt } },
  ),
};
const kindsOfEvents: Readonly<Record<string, Fields>> = {
  uplink_confirmed: { ...event, data: uplink },
  uplink_integration_req: { ...event, data: request },
};

const account = "accounts/{account}";
const everyDay = "min_time=-1%20day&max_time=now";
const responses: Readonly<Record<string, Fields>> = {
  "console GET /api/v1/organization": fields("dc_balance id name"),
  "console GET /api/v1/devices": device,
  "console GET /api/v1/devices?{euis}": fields(
    "app_eui app_key dev_eui id name organization_id oui",
  ),
  "console GET /api/v1/devices/{device}": found,
  "console GET /api/v1/labels": fields("id name"),
  "console GET /api/v1/labels/{label}": fields("id name multi_buy"),
  "console GET /api/v1/labels?name=Winter%20check": fields("id name multi_buy"),
  "console GET /api/v1/integrations/": integration,
  "console GET /api/v1/integrations/{integration}": integration,
  "console GET /api/v1/flows?integration_id={integration}": fields(
    "id integration_id label_id device_id function_id organization_id",
  ),
  "ledger GET /v1/blocks/height": data(fields("height")),
  "ledger GET /v1/blocks/height?max_time=-1%20hour": data(fields("height")),
  "ledger GET /v1/blocks/stats": data(
    Object.fromEntries(
      ["last_hour", "last_day", "last_week", "last_month"].map((span) => [
        span,
        fields("avg stddev"),
      ]),
    ),
  ),
  "ledger GET /v1/blocks/999999": data(block),
  "ledger GET /v1/blocks?cursor={blocks}": data(block),
  "ledger GET /v1/blocks/hash/{hash}": data(block),
  "ledger GET /v1/locations/8c2681a3064d9ff": data(
    fields(
      "location city_id long_city long_country long_state long_street short_city short_country short_state short_street",
    ),
  ),
  // The contract shows no field of these records, and shows their envelope.
  ...Object.fromEntries(
    [
      account,
      "accounts",
      "accounts/rich",
      `${account}/hotspots`,
      `${account}/ouis`,
      `${account}/activity/count?filter_types=payment_v1`,
      `${account}/elections`,
      `${account}/pending_transactions`,
      `${account}/rewards?${everyDay}`,
      `${account}/rewards/sum?${everyDay}`,
      `${account}/rewards/sum?${everyDay}&bucket=day`,
      `${account}/stats`,
      "vars",
      "vars/activity",
    ].map((path) => [`ledger GET /v1/${path}`, { data: open, cursor: {} }]),
  ),
};

/** Returns the paths of the fields of a response that the contract does not list. */
function beyond(value: unknown, record: Fields, at = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => beyond(each, record, at));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const stated = record[name];
    if (stated === undefined) return [`${at}${name}`];
    return stated === open ? [] : beyond(inner, stated, `${at}${name}.`);
  });
}

async function prepare() {
  const sandbox = createSandbox({ ledger: { emptyPages: 0 } });
  await sandbox.clock.advance(3_600_000);
  const read = async (route: string): Promise<unknown> => {
    const { status, text } = await call(sandbox, route);
    expect(status).toBe(200);
    return JSON.parse(text);
  };
  const { state } = sandbox.console;
  const devices = [...state.devices.values()];
  const { dev_eui, app_eui, app_key, id } = devices[0]!;
  const { chain, height } = sandbox.ledger.state;
  const { cursor } = (await read("ledger GET /v1/blocks")) as { cursor: string };
  const values: Readonly<Record<string, string | undefined>> = {
    euis: String(new URLSearchParams({ dev_eui, app_eui, app_key })),
    device: id,
    label: state.labels.keys().next().value,
    integration: state.integrations.keys().next().value,
    account: chain.addresses.of(3),
    hash: chain.block(height - 1).hash,
    blocks: cursor,
  };
  return { sandbox, devices, read, values };
}

test.each(Object.entries(responses))(
  "%s has no field beyond the contract",
  async (route, stated) => {
    const { read, values } = await prepare();
    const received = await read(route.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name]!));
    expect(received).not.toEqual([]);
    expect([...new Set(beyond(received, stated))]).toEqual([]);
  },
);

test("a transaction of the contract has no field beyond it, in a block, an activity or a challenge", async () => {
  const { read, values } = await prepare();
  const lists = ["blocks/999999/transactions", "activity", "challenges"].map((path) =>
    read(`ledger GET /v1/${path.includes("/") ? path : `accounts/${values["account"]}/${path}`}`),
  );
  const all = ((await Promise.all(lists)) as { data: { type: string }[] }[]).flatMap(
    (page) => page.data,
  );
  for (const [type, stated] of Object.entries(transactions)) {
    const own = all.filter((each) => each.type === type);
    expect(own).not.toEqual([]);
    expect([...new Set(beyond(own, stated))]).toEqual([]);
  }
});

test("events of devices are of the kinds of the contract, and have no field beyond it", async () => {
  const { read, devices } = await prepare();
  const routes = devices.map(({ id }) => `console GET /api/v1/devices/${id}/events`);
  const lists = (await Promise.all(routes.map(read))) as { sub_category: string }[][];
  const byKind = Map.groupBy(lists.flat(), (each) => each.sub_category);
  expect([...byKind.keys()].toSorted()).toEqual(Object.keys(kindsOfEvents));
  for (const [kind, all] of byKind)
    expect([...new Set(beyond(all, kindsOfEvents[kind] ?? {}))]).toEqual([]);
});

test("a hosted ledger has the fields that were observed", async () => {
  const { fetch, baseUrl } = createSandbox({ ledger: { deployment: "hosted" } }).ledger;
  const read = async (path: string) =>
    (await fetch(baseUrl + path, { headers: { "user-agent": "tests" } })).text();
  expect(await read("/v1/blocks/height")).toContain('"meta":{}');
  expect(await read("/v1/blocks/999999/transactions")).toContain('"request_block_hash":');
});
