import { expect, test } from "vitest";
import {
  check,
  createForwarder,
  createMapperClient,
  InputError,
  type MapperClientOptions,
} from "../src/index.ts";
import { consoleUplink, networkUplink } from "../../../tools/testing/uplinks.ts";

/** Creates a client of a map that accepts everything, and records the requests. */
function open(options: Partial<MapperClientOptions> = {}) {
  const sent: unknown[] = [];
  const client = createMapperClient({
    baseUrl: "https://map.test",
    ...options,
    fetch: async (_url, { body = "" }) => {
      sent.push(JSON.parse(body));
      return new Response("Success");
    },
  });
  return { client, sent };
}

const position = { latitude: 47.3769, longitude: 8.5417, altitude: 408, accuracy: 3.5 };

// Where the published spec is silent: uplinks that the opposite of a running deployment would accept, with the paths that
// `check` reports.
const uplinks: [string, object, string[]][] = [
  ["a device on the equator", consoleUplink({ latitude: 0 }), ["decoded.payload.latitude"]],
  [
    "a device at 0, 0",
    consoleUplink({ latitude: 0, longitude: 0 }),
    ["decoded.payload.latitude", "decoded.payload.longitude"],
  ],
  [
    "values out of the ranges of running deployments",
    consoleUplink({ latitude: 91, longitude: -181, altitude: -600, accuracy: -1 }),
    ["latitude", "longitude", "altitude", "accuracy"].map((field) => `decoded.payload.${field}`),
  ],
  ["no hotspot", consoleUplink({}, { hotspots: [] }), ["hotspots"]],
  ["no list of hotspots", consoleUplink({}, { hotspots: undefined }), ["hotspots"]],
  [
    "hotspots that are addresses",
    consoleUplink({}, { hotspots: ["112a"] }),
    ["hotspots[0].reported_at"],
  ],
  [
    "no device and no frame counter",
    { ...consoleUplink(), dev_eui: undefined, fcnt: "5" },
    ["dev_eui", "fcnt"],
  ],
  [
    "the message of another network server",
    { end_device_ids: { device_id: "a" }, object: position },
    ["deviceInfo.devEui", "fCnt", "time", "txInfo.frequency"]
      .concat(["spreadingFactor", "bandwidth"].map((name) => `txInfo.modulation.lora.${name}`))
      .concat("rxInfo"),
  ],
  [
    "only a decoded payload",
    { decoded: { payload: { ...position, battery: 3.6 } } },
    ["dev_eui", "fcnt", "hotspots"],
  ],
  [
    "a gateway whose position is a number",
    networkUplink({ rxInfo: [{ rssi: -101, snr: 6.5, location: { latitude: 47 } }] }),
    ["time", "metadata.gateway_id", "metadata.gateway_name", "metadata.gateway_lat"]
      .concat("metadata.gateway_long")
      .map((path) => `rxInfo[0].${path}`),
  ],
  [
    "a position in decoded.payload next to an object without one",
    { ...consoleUplink(), object: { battery: 3.6 } },
    ["latitude", "longitude", "altitude", "accuracy"]
      .map((field) => `object.${field}`)
      .concat(["deviceInfo.devEui", "fCnt", "time", "txInfo.frequency"])
      .concat(["spreadingFactor", "bandwidth"].map((name) => `txInfo.modulation.lora.${name}`))
      .concat("rxInfo"),
  ],
];

test.for(uplinks)(
  "%s is sent once and unchanged, and only check reports it",
  async ([, uplink, places]) => {
    const { client, sent } = open();
    expect(await client.ingest(uplink as never)).toEqual({ status: "success" });
    expect(sent).toEqual([JSON.parse(JSON.stringify(uplink))]);
    expect(check(uplink).map(({ path }) => path)).toEqual(places);
  },
);

test.for(uplinks)(
  "with observedRules, %s is rejected before it is sent",
  async ([, uplink, places]) => {
    const { client, sent } = open({ observedRules: true });
    const error = await client.ingest(uplink as never).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InputError);
    const { problems } = error as InputError;
    expect(problems.map(({ path }) => path)).toEqual(places);
    for (const { message } of problems)
      expect(message).toMatch(/ \(observed; `observedRules: false` turns this off\)$/);
    expect(sent).toEqual([]);
  },
);

test("a forwarder reports an uplink that its client rejects, and does not ask the sender to retry", async () => {
  const { client, sent } = open({ observedRules: true });
  const forward = createForwarder({ client, authorization: "none", observedRules: false });
  const body = JSON.stringify(consoleUplink({ latitude: 0 }));
  const response = await forward(new Request("https://backend.test/", { method: "POST", body }));
  expect([response.status, await response.json()]).toMatchObject([
    200,
    { outcome: "left_out", problems: [{ path: "decoded.payload.latitude" }] },
  ]);
  expect(sent).toEqual([]);
});

test("with observedRules, a rule of the published spec is not reported as an observed rule", async () => {
  const { client } = open({ observedRules: true });
  const uplink = consoleUplink({ latitude: "47", longitude: 0, altitude: undefined });
  const error = await client.ingest(uplink as never).catch((thrown: unknown) => thrown);
  expect((error as InputError).problems).toEqual([
    { path: "decoded.payload.latitude", message: "is a string: send a number" },
    {
      path: "decoded.payload.longitude",
      message: expect.stringContaining("(observed; `observedRules: false` turns this off)"),
    },
    {
      path: "decoded.payload.altitude",
      message: "is missing: let the decoder return altitude",
    },
  ]);
});

test.for<[string, object, string[]]>([
  ["unknown", { lat: "unknown", long: "unknown" }, ["hotspots"]],
  ["null", { lat: null, long: null }, ["hotspots"]],
  ["half null", { lat: 47, long: null }, ["hotspots"]],
  ["missing", {}, []],
])("check ignores a hotspot whose position is %s", ([, place, places]) => {
  const hotspot = { name: "a", reported_at: 1_795_165_173_796, ...place };
  const paths = (hotspots: object[]) =>
    check(consoleUplink({}, { hotspots })).map(({ path }) => path);
  expect(paths([hotspot])).toEqual(places);
  expect(paths([hotspot, { ...hotspot, lat: 47.1, long: 8.5 }])).toEqual([]);
});
