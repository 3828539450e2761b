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
const common = "type time signature height hash fee";
const receipt = fields("timestamp signature signal origin gateway data");
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
/** The contract shows no field of these records, and shows their envelope. The statements have the other responses. */
const enveloped = [
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
];

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
  const address = sandbox.ledger.state.chain.addresses.of(3);
  const read = async (route: string): Promise<unknown> => {
    const { status, text } = await call(sandbox, route.replace("{account}", address));
    expect(status).toBe(200);
    return JSON.parse(text);
  };
  return { devices: [...sandbox.console.state.devices.values()], read };
}

test.each(enveloped)("%s has no field beside those of the envelope", async (path) => {
  const { read } = await prepare();
  const received = await read(`ledger GET /v1/${path}`);
  expect(beyond(received, { data: open, cursor: {} })).toEqual([]);
});

test("a transaction of the contract has no field beyond it, in a block, an activity or a challenge", async () => {
  const { read } = await prepare();
  const paths = ["blocks/999999/transactions", `${account}/activity`, `${account}/challenges`];
  const lists = paths.map((path) => read(`ledger GET /v1/${path}`));
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
