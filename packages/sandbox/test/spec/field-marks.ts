// Each field of each response that the contract shows, what the contract says of it, and the mark of its schema.

/** The type in the words of the contract: `"boolean or null"`. */
export type Form =
  `${"array" | "boolean" | "integer" | "number" | "object" | "string"}${"" | " or null"}`;

/** A way in which a response may differ from the form. */
export type Difference = "absent" | "null" | "another type";

/** A field of a record. */
export interface Cell {
  readonly form: Form;
  /** `required`: an error if it is absent or null. `shown`: drift. Another type is an error of both. */
  readonly mark: "required" | "shown";
  /** What running deployments send without drift, and the first words of the field note that shows it. */
  readonly seen?: { readonly fits: readonly Difference[]; readonly note: string };
}

/** A record of the contract, and the places where responses have it. */
export interface ShownRecord {
  /** Its heading or its route in the contract. */
  readonly section: string;
  /** Its place in the sample of a call: `"devices.list 0.labels.0"`. */
  readonly at: readonly string[];
  /** The contract does not show the body around it: an error is drift. */
  readonly isOpen?: true;
  /** The record, for samples that lack one. */
  readonly sample?: object;
  /** The transaction that has the record, in place of that in the sample. */
  readonly inside?: object;
  readonly fields: Readonly<Record<string, Cell>>;
}

const required = (form: Form): Cell => ({ form, mark: "required" });
const shown = (form: Form): Cell => ({ form, mark: "shown" });
const seen = (cell: Cell, fits: readonly Difference[], note: string): Cell => ({
  ...cell,
  seen: { fits, note },
});

const id = required("string");
const name = required("string");
const identity = { app_eui: id, app_key: id, dev_eui: id, id, name };
const found = {
  ...identity,
  adr_allowed: shown("boolean or null"),
  cf_list_enabled: shown("boolean or null"),
  dc_usage: required("integer"),
  in_xor_filter: required("boolean"),
  labels: required("array"),
  last_connected: seen(shown("string"), ["null"], "Devices may also carry region, devaddr, …"),
  organization_id: id,
  oui: required("integer"),
  total_packets: required("integer"),
};
const ONLY = "Console: `uplink_unconfirmed` has exactly the nine …";
const uuid = "5f2d6f0e-3b7a-4c4a-8d55-0a1b2c3d4e5f";
const linked = { id, name, labels: shown("array"), devices: shown("array") };

const consoleRecords: readonly ShownRecord[] = [
  {
    section: "Organization",
    at: ["organization.list 0"],
    fields: { dc_balance: required("integer"), id, name },
  },
  {
    section: "Device (full form, from the device list)",
    at: ["devices.list 0"],
    fields: {
      ...found,
      active: shown("boolean"),
      config_profile_id: shown("string or null"),
      rx_delay: shown("integer"),
    },
  },
  { section: "GET /api/v1/devices/:device_id", at: ["devices.get"], fields: found },
  {
    section: "Device-label object (inside a device's labels array)",
    at: ["devices.list 0.labels.0", "devices.get labels.0"],
    sample: {
      adr_allowed: null,
      cf_list_enabled: null,
      config_profile_id: null,
      id: uuid,
      name: "Pumps",
      rx_delay: null,
    },
    fields: {
      adr_allowed: seen(shown("boolean or null"), ["absent"], ONLY),
      cf_list_enabled: seen(shown("boolean or null"), ["absent"], ONLY),
      config_profile_id: seen(shown("string or null"), ["absent"], ONLY),
      id,
      name,
      rx_delay: seen(shown("integer or null"), ["absent"], ONLY),
    },
  },
  {
    section: "GET /api/v1/devices",
    at: ["devices.find"],
    fields: { ...identity, organization_id: id, oui: required("integer") },
  },
  {
    section: "POST /api/v1/devices",
    at: ["devices.createBatch"],
    fields: { failure: required("array"), success: required("array") },
  },
  {
    section: "Notes, 4: success",
    at: ["devices.createBatch success.0"],
    fields: { ...identity, config_profile_id: shown("string or null"), labels: shown("array") },
  },
  {
    section: "Notes, 4: failure",
    at: ["devices.createBatch failure.0"],
    fields: {
      app_eui: shown("string"),
      app_key: shown("string"),
      dev_eui: shown("string"),
      error: required("string"),
      organization_id: shown("string"),
      oui: shown("integer"),
    },
  },
  { section: "GET /api/v1/labels", at: ["labels.list 0"], fields: { id, name } },
  {
    section: "Label",
    at: ["labels.find", "labels.get"],
    fields: {
      id,
      name,
      multi_buy: seen(shown("integer"), ["absent"], "Devices may also carry region, devaddr, …"),
    },
  },
  {
    section: "GET /api/v1/integrations/",
    at: ["list 0", "get", "find", "createPrebuilt"].map((call) => `integrations.${call}`),
    fields: linked,
  },
  // A record without an id is not the integration.
  {
    section: "POST /api/v1/flows",
    at: ["flows.create"],
    fields: { name, labels: shown("array"), devices: shown("array") },
  },
  {
    section: "Integration",
    at: ["Http", "Mqtt", "CloudA", "CloudB"].map((type) => `integrations.create${type}`),
    fields: { ...linked, type: shown("string"), credentials: shown("object") },
  },
  {
    section: "DELETE /api/v1/integrations/:integration_id",
    at: ["integrations.delete"],
    fields: { id, name },
  },
  {
    section: "Flow",
    at: ["flows.list 0"],
    fields: {
      id,
      integration_id: id,
      label_id: shown("string or null"),
      device_id: shown("string or null"),
      function_id: shown("string or null"),
      organization_id: id,
    },
  },
];

const text = required("string");
const integer = required("integer");
const OLD = "Ledger: the last row of a …";
const older = (form: Form): Cell => seen(shown(form), ["absent"], OLD);
const statistic = seen(required("number"), ["null"], "Block statistics are seconds; any of …");
const place = seen(text, ["null"], "Hotspot: address, mode (full, light, dataonly), …");
const TRANSACTIONS = "Transaction (in a block)";
const common = { type: text, fee: older("integer"), signature: older("string") };
const known = { ...common, time: integer, height: integer, hash: text };
const [transaction, byHash] = ["blocks.transactions data.0", "blocks.transactionsByHash data.0"];
const sent = { hash: "h", height: 1, time: 1, fee: 0, signature: "s" };
const receipts = {
  ...sent,
  type: "poc_receipts_v1",
  secret: "s",
  path: [
    {
      witnesses: [],
      receipt: { timestamp: 1, signature: "s", signal: 1, origin: "p2p", gateway: "g", data: "d" },
      challengee: "c",
    },
  ],
  onion_key_hash: "o",
  challenger_owner: "o",
  challenger_loc: "l",
  challenger: "c",
};

const ENVELOPE = "Resources and their fields";

const ledgerRecords: readonly ShownRecord[] = [
  {
    section: ENVELOPE,
    at: ["height", "stats", "get", "getByHash"].map((call) => `blocks.${call}`),
    fields: { data: required("object") },
  },
  { section: ENVELOPE, at: ["locations.get"], fields: { data: required("object") } },
  {
    section: ENVELOPE,
    at: ["list", "transactions", "transactionsByHash"].map((call) => `blocks.${call}`),
    fields: {
      data: required("array"),
      // The contract has it "when more results are available".
      cursor: seen(shown("string"), ["absent"], "Envelope `{data, cursor?, meta?}`; `meta` on …"),
    },
  },
  {
    section: "Block descriptor",
    at: ["blocks.list data.0", "blocks.get data", "blocks.getByHash data"],
    fields: {
      height: integer,
      hash: text,
      prev_hash: older("string"),
      time: integer,
      transaction_count: integer,
      snapshot_hash: older("string"),
    },
  },
  { section: "Height", at: ["blocks.height data"], fields: { height: integer } },
  {
    section: "Block statistics",
    at: ["blocks.stats data"],
    fields: Object.fromEntries(
      ["last_hour", "last_day", "last_week", "last_month"].map((span) => [
        span,
        required("object"),
      ]),
    ),
  },
  {
    section: "Block statistics",
    at: ["hour", "day", "week", "month"].map((span) => `blocks.stats data.last_${span}`),
    fields: { avg: statistic, stddev: statistic },
  },
  {
    section: TRANSACTIONS,
    at: [transaction, byHash],
    fields: {
      ...known,
      version: older("integer"),
      secret_hash: text,
      owner: older("string"),
      onion_key_hash: text,
      location: older("string"),
      lng: older("number"),
      lat: older("number"),
      challenger: text,
      block_hash: older("string"),
    },
  },
  {
    section: TRANSACTIONS,
    at: [transaction, byHash],
    sample: receipts,
    fields: {
      ...known,
      secret: older("string"),
      path: required("array"),
      onion_key_hash: text,
      challenger_owner: older("string"),
      challenger_loc: older("string"),
      challenger: text,
    },
  },
  {
    section: TRANSACTIONS,
    at: [transaction, byHash].map((at) => `${at}.path.0`),
    inside: receipts,
    fields: { witnesses: required("array"), receipt: shown("object or null"), challengee: text },
  },
  {
    section: TRANSACTIONS,
    at: [transaction, byHash].map((at) => `${at}.path.0.receipt`),
    inside: receipts,
    fields: {
      timestamp: shown("integer"),
      signature: shown("string"),
      signal: shown("integer"),
      origin: shown("string"),
      gateway: shown("string"),
      data: shown("string"),
    },
  },
  // A transaction of another type has the common keys.
  {
    section: TRANSACTIONS,
    at: [transaction],
    sample: { ...sent, type: "payment_v1" },
    fields: { ...common, time: older("integer"), height: older("integer"), hash: older("string") },
  },
  {
    section: "Location",
    at: ["locations.get data"],
    fields: {
      location: text,
      city_id: place,
      ...Object.fromEntries(
        ["long", "short"].flatMap((length) =>
          ["city", "country", "state", "street"].map((part) => [`${length}_${part}`, place]),
        ),
      ),
    },
  },
  {
    section: "Account",
    at: ["accounts.get data"],
    isOpen: true,
    fields: {
      speculative_nonce: seen(
        shown("integer"),
        ["absent"],
        "Unknown account: 200 with zeros, `block: …",
      ),
    },
  },
];

const mobileRecords: readonly ShownRecord[] = [
  {
    section: "Event envelope",
    at: ["events.list data.0"],
    isOpen: true,
    fields: {
      id,
      type: shown("string"),
      created_at: shown("string"),
      livemode: shown("boolean"),
      data: shown("object"),
      idempotency_key: shown("string"),
    },
  },
];

const EVENT = "Device event";
const PARTS = "Event `data.hotspot` may be `{}` or …";
const heard = (form: Form): Cell => seen(shown(form), ["absent"], PARTS);

const eventRecords: readonly ShownRecord[] = [
  {
    section: EVENT,
    at: ["devices.events 0"],
    fields: {
      category: text,
      sub_category: shown("string"),
      description: shown("string"),
      device_id: id,
      organization_id: shown("string"),
      router_uuid: shown("string"),
      frame_up: shown("integer or null"),
      frame_down: shown("integer or null"),
      reported_at: text,
      data: required("object"),
    },
  },
  {
    section: EVENT,
    at: ["devices.events 0.data"],
    fields: {
      dc: shown("object"),
      devaddr: shown("string"),
      fcnt: integer,
      hold_time: shown("integer"),
      hotspot: shown("object"),
      mac: shown("array"),
      payload: text,
      payload_size: integer,
      port: integer,
    },
  },
  {
    section: EVENT,
    at: ["devices.events 0.data.dc"],
    fields: { balance: shown("integer"), nonce: shown("integer"), used: shown("integer") },
  },
  {
    section: EVENT,
    at: ["devices.events 0.data.hotspot"],
    fields: {
      channel: heard("integer"),
      frequency: heard("number"),
      id: heard("string"),
      lat: heard("number"),
      long: heard("number"),
      name: heard("string"),
      rssi: heard("number"),
      snr: heard("number"),
      spreading: heard("string"),
    },
  },
  {
    section: EVENT,
    at: ["devices.integrationEvents 0.data"],
    fields: { integration: required("object"), req: required("object") },
  },
  {
    section: EVENT,
    at: ["devices.integrationEvents 0.data.integration"],
    fields: { id: shown("string"), name: shown("string"), status: shown("string") },
  },
  {
    section: EVENT,
    at: ["devices.integrationEvents 0.data.req"],
    fields: {
      qos: seen(
        shown("integer"),
        ["absent"],
        "Console, `uplink_integration_req` of running deployments: `data.req` …",
      ),
      body: seen(required("object"), ["null", "another type"], PARTS),
    },
  },
];

/** The records of each service. The contract shows no record of the map. */
export const shownRecords: Readonly<Record<string, readonly ShownRecord[]>> = {
  console: [...consoleRecords, ...eventRecords],
  ledger: ledgerRecords,
  mapper: [],
  mobile: mobileRecords,
};
