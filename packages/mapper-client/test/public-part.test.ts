import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  createForwarder,
  createMapperClient,
  fromConsoleUplink,
  fromNetworkServer,
  Secret,
  type BuildOptions,
} from "../src/index.ts";
import { consoleUplink, networkUplink } from "../../../tools/testing/uplinks.ts";

// What of a message is submitted. Each value that must not be is named "canary".

const position = { latitude: 1.5, longitude: 2.5, altitude: 3, accuracy: 2 };
const decoded = { ...position, wifi_password: "canary", battery: "canary" };
const gatewayPlace = { gateway_lat: "1.0", gateway_long: "1.0" };
const lora = { bandwidth: 125_000, spreadingFactor: 7 };

const hotspot = {
  channel: 1,
  frequency: 868.1,
  hold_time: 0,
  id: "h",
  lat: 1,
  long: 1,
  name: "n",
  reported_at: 1_795_000_000_000,
  rssi: -1,
  snr: 1,
  spreading: "SF7BW125",
  status: "success",
};
/** The fields of the contract. */
const stated = {
  app_eui: "0004A30B001C0531",
  dev_eui: "0004A30B001C0530",
  devaddr: "01020304",
  fcnt: 1,
  port: 2,
  id: "8c9b1d2e-3f4a-4b5c-8d6e-7f8091a2b3c4",
  uuid: "u",
  name: "Tracker",
  payload: "AA==",
  payload_size: 1,
  reported_at: 1_795_000_000_000,
  metadata: { adr_allowed: true, cf_list_enabled: false, multi_buy: 1, organization_id: "o" },
};
const fromConsole = {
  ...stated,
  decoded: { status: "success", payload: position },
  hotspots: [hotspot],
};
/** What else the console is known to send, and what it may. */
const more = {
  type: "canary",
  replay: "canary",
  raw_packet: "canary",
  downlink_url: "canary",
  dc: { balance: "canary" },
  new_field: ["canary"],
  metadata: {
    ...stated.metadata,
    labels: [{ name: "canary" }],
    token: "canary",
    rx_delay: "canary",
  },
  hotspots: [{ ...hotspot, secret: "canary", place: { city: "canary" } }],
};

const gateway = { gatewayId: "g", rssi: -1, snr: 1 };
const fromChirpStack = {
  deviceInfo: { devEui: "0004a30b001c0530", deviceName: "d" },
  devAddr: "01020304",
  fCnt: 1,
  fPort: 2,
  time: "2026-11-25T00:00:00Z",
  txInfo: { frequency: 868_100_000, modulation: { lora } },
  rxInfo: [
    {
      ...gateway,
      gwTime: "2026-11-25T00:00:00Z",
      time: "2026-11-25T00:00:00Z",
      metadata: { gateway_id: "g", gateway_name: "g", ...gatewayPlace },
    },
  ],
  object: position,
};
const [{ time: _, ...rx }] = fromChirpStack.rxInfo as [(typeof fromChirpStack.rxInfo)[0]];
const chirpStack = {
  ...fromChirpStack,
  deduplicationId: "canary",
  adr: "canary",
  data: "canary",
  deviceInfo: {
    ...fromChirpStack.deviceInfo,
    tenantId: "canary",
    tenantName: "canary",
    applicationId: "canary",
    tags: { owner_phone: "canary" },
  },
  joinServerContext: { sessionKeyId: "canary", appSKey: { aesKey: "canary" } },
  object: decoded,
  rxInfo: [{ ...rx, context: "canary", metadata: { ...rx.metadata, api_key: "canary" } }],
  txInfo: { ...fromChirpStack.txInfo, board: "canary" },
};

const thingsStack = {
  end_device_ids: {
    device_id: "d",
    dev_eui: "0004a30b001c0530",
    join_eui: "canary",
    dev_addr: "canary",
    application_ids: { application_id: "canary" },
  },
  correlation_ids: ["canary"],
  received_at: "2026-11-25T00:00:00Z",
  uplink_message: {
    session_key_id: "canary",
    app_s_key: { key: "canary" },
    f_port: 2,
    f_cnt: 1,
    frm_payload: "canary",
    decoded_payload: decoded,
    rx_metadata: [
      {
        gateway_ids: { gateway_id: "g", eui: "canary" },
        time: "2026-11-25T00:00:00Z",
        rssi: -1,
        snr: 1,
        uplink_token: "canary",
        location: { latitude: 1, longitude: 1, source: "canary" },
      },
    ],
    settings: {
      data_rate: { lora: { bandwidth: 125_000, spreading_factor: 7, coding_rate: "canary" } },
      frequency: "868100000",
    },
    locations: { user: { note: "canary" } },
  },
};
const { devAddr: _addr, ...shared } = fromChirpStack;
const { gwTime: _gw, ...convertedGateway } = fromChirpStack.rxInfo[0]!;
const fromThingsStack = {
  ...shared,
  rxInfo: [{ ...convertedGateway, location: { latitude: 1, longitude: 1 } }],
};

const chirpStack3 = {
  applicationName: "canary",
  deviceName: "d",
  devEUI: "0004a30b001c0530",
  adr: "canary",
  fCnt: 1,
  fPort: 2,
  data: "canary",
  tags: { owner: "canary" },
  publishedAt: "2026-11-25T00:00:00Z",
  rxInfo: [
    {
      gatewayID: "g",
      time: "2026-11-25T00:00:00Z",
      rssi: -1,
      loRaSNR: 1,
      crcStatus: "canary",
      location: { latitude: 1, longitude: 1, source: "canary" },
    },
  ],
  txInfo: {
    frequency: 868_100_000,
    loRaModulationInfo: { bandwidth: 125, spreadingFactor: 7, codeRate: "canary" },
  },
  objectJSON: JSON.stringify(decoded),
};

const messages: [name: string, message: object, uplink: object][] = [
  [
    "the console",
    { ...stated, ...more, decoded: { status: "success", payload: decoded } },
    fromConsole,
  ],
  [
    "the console, with object",
    { ...stated, ...more, object: decoded },
    { ...fromConsole, decoded: { payload: position } },
  ],
  ["ChirpStack v4", chirpStack, fromChirpStack],
  ["ChirpStack v3", chirpStack3, fromThingsStack],
  ["The Things Stack v3", thingsStack, fromThingsStack],
];

/** Returns what a forwarder sends to the map. */
async function forwarded(message: object, options: BuildOptions = {}): Promise<unknown> {
  const sent: string[] = [];
  const client = createMapperClient({
    baseUrl: "https://map.test",
    fetch: async (_url, { body }) => (sent.push(body ?? ""), new Response("Success")),
  });
  const forward = createForwarder({ client, authorization: "none", ...options });
  await forward(new Request("https://me.test", { method: "POST", body: JSON.stringify(message) }));
  return JSON.parse(sent[0] ?? "null");
}

test.each(messages)(
  "of an uplink of %s, only the fields of its form are submitted",
  async (_name, message, uplink) => {
    expect(fromConsoleUplink(message)).toMatchObject({ isMappable: true });
    expect(fromConsoleUplink(message)).toHaveProperty("uplink", uplink);
    expect(await forwarded(message)).toEqual(uplink);
    if (!("dev_eui" in message))
      expect(fromNetworkServer(message)).toHaveProperty("uplink", uplink);
    const open = fromConsoleUplink(message, { observedRules: false });
    expect(open).toHaveProperty("uplink", uplink);
  },
);

test("of an uplink of any network server, only the position is submitted", () => {
  const message = { device: "canary", object: decoded };
  const result = fromConsoleUplink(message, { observedRules: false });
  expect(result).toHaveProperty("uplink", { object: position });
});

test("a field with a record, a list or a Secret in place of a value is left out", () => {
  const wrong = { name: { token: "canary" }, app_eui: ["canary"], uuid: new Secret("canary") };
  const hotspots = [
    { ...hotspot, id: { key: "canary" } },
    { ...hotspot, id: [["canary"]] },
  ];
  const result = fromConsoleUplink(consoleUplink({}, { ...wrong, hotspots, metadata: "canary" }));
  expect(result).toMatchObject({ isMappable: true });
  expect(JSON.stringify(result)).not.toMatch(/canary|redacted/);
});

test.each<[keep: string[], message: object, part: object]>([
  [
    ["decoded.payload.battery"],
    consoleUplink({ battery: 80, level: 1 }),
    { decoded: { payload: { battery: 80 } } },
  ],
  [
    ["object.battery", "not.there"],
    networkUplink({ object: { ...position, battery: 80, level: 1 } }),
    { object: { battery: 80 } },
  ],
  [["object.battery"], thingsStack, { object: { battery: "canary" } }],
  [
    ["raw_packet", "type"],
    consoleUplink({}, { raw_packet: "Q==", type: "uplink" }),
    { raw_packet: "Q==", type: "uplink" },
  ],
  [["metadata.labels"], consoleUplink({}, more), { metadata: { labels: [{ name: "canary" }] } }],
  [["hotspots.place.city"], consoleUplink({}, more), { hotspots: [{ place: { city: "canary" } }] }],
  [
    ["deviceInfo.tags.owner_phone"],
    chirpStack,
    { deviceInfo: { tags: { owner_phone: "canary" } } },
  ],
])("keep %j adds those fields, and no other", async (keep, message, part) => {
  const result = fromConsoleUplink(message, { keep });
  const without = fromConsoleUplink(message);
  if (!result.isMappable || !without.isMappable) return expect.fail(JSON.stringify(result));
  expect(result.uplink).toMatchObject(part);
  expect(leavesOf(result.uplink) - leavesOf(without.uplink)).toBe(leavesOf(part));
  expect(await forwarded(message, { keep })).toEqual(result.uplink);
});

function leavesOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, child) => sum + leavesOf(child), 0);
}

test("of a record that keep names, what its names call secret or personal is left out", () => {
  const status = {
    level: 1,
    list: [{ level: 2, token: "canary" }],
    ports: ["a", new Secret("canary")],
    apiKey: "canary",
    PIN: "canary",
    owner_email: "canary",
    url: "canary",
    cookie: ["canary"],
  };
  const message = consoleUplink({ status });
  const result = fromConsoleUplink(message, { keep: ["decoded.payload.status"] });
  expect(result).toHaveProperty("uplink.decoded.payload.status", {
    level: 1,
    list: [{ level: 2 }],
    ports: ["a"],
  });
});

const LIST = 'keep must be a list of paths, such as ["decoded.payload.battery"]';
test.each<[keep: unknown, message: string]>([
  ["decoded", LIST],
  [[7], LIST],
  [[""], LIST],
  [["decoded..battery"], LIST],
  [["metadata.labels", "downlink_url"], 'keep has the name "downlink_url"'],
  [["joinServerContext.appSKey"], 'keep has the name "appSKey"'],
  [["decoded.payload.token.part"], 'keep has the name "token"'],
])("keep %j is a TypeError of every function with the option", (keep, message) => {
  const options = { keep } as never;
  const client = createMapperClient({ baseUrl: "https://map.test" });
  for (const use of [
    () => fromConsoleUplink({}, options),
    () => fromNetworkServer({}, options),
    () => createForwarder({ client, authorization: "none", keep } as never),
  ]) {
    expect(use).toThrow(TypeError);
    expect(use).toThrow(message);
  }
});

test("ingest sends a record of the caller as it is", async () => {
  const sent: unknown[] = [];
  const client = createMapperClient({
    baseUrl: "https://map.test",
    fetch: async (_url, { body }) => (sent.push(JSON.parse(body ?? "")), new Response("Success")),
  });
  const uplink = {
    ...fromConsole,
    raw_packet: "Q==",
    decoded: { payload: { ...position, battery: 80 } },
  };
  await client.ingest(uplink);
  expect(sent).toEqual([uplink]);
});

// Anyone can see a submitted uplink at once, so the doc comment at the call must say so.
test.each([
  ["src/mapper.ts", "ingest: endpoint("],
  ["src/forwarder.ts", "export function createForwarder("],
  ["src/client.ts", "export function createMapperClient("],
])("the doc comment in %s warns of the public map", (file, declaration) => {
  const source = readFileSync(join(import.meta.dirname, "..", file), "utf8");
  const before = source.slice(0, source.indexOf(declaration));
  const comment = before.slice(before.lastIndexOf("/**"));
  expect(comment.replaceAll(/\s+\* /g, " ")).toMatch(/shown on a public map/);
});
