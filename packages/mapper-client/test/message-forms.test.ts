import { expect, test } from "vitest";
import {
  check,
  createForwarder,
  createMapperClient,
  fromConsoleUplink,
  fromNetworkServer,
  type BuildOptions,
  type InputError,
} from "../src/index.ts";
import { createUplinkReceiver, parseConsoleUplink, type UplinkParseError } from "../src/uplink.ts";
import uplinkForms from "../../../tools/testing/uplink-forms.json" with { type: "json" };
import { consoleUplink, networkUplink } from "../../../tools/testing/uplinks.ts";

// What arrives at the address of an integration, in the forms that people have. Each message has one name, and each cause one
// problem, in every function that reads uplinks.

const sent: unknown[] = [];
const client = createMapperClient({
  baseUrl: "https://map.test",
  fetch: async (_, { body }) => {
    sent.push(body);
    return new Response("Success");
  },
});

async function deliver(message: unknown, options: BuildOptions = {}) {
  const forward = createForwarder({ client, authorization: "none", ...options });
  const body = JSON.stringify(message);
  const response = await forward(new Request("https://me.test", { method: "POST", body }));
  return [response.status, await response.json()];
}

const thrownBy = (call: Promise<unknown>) => call.catch((error: unknown) => error);

const eui = "0004a30b00f0a101";
const time = "2026-11-24T10:00:00Z";
const v4 = { deduplicationId: "d", time, deviceInfo: { devEui: eui, deviceName: "Tracker" } };
const v3 = { applicationID: "1", deviceName: "Tracker", devEUI: "AASjCwDwoQE=", tags: {} };
const stack = { end_device_ids: { device_id: "tracker-1", dev_eui: eui }, received_at: time };
const position = { latitude: 47.1, longitude: 8.1, altitude: 400, accuracy: 2 };
const event = (sub_category: string, data: object) => ({
  category: "uplink",
  sub_category,
  device_id: "d",
  data,
});
const integrationEvent = event("uplink_integration_req", { req: { body: consoleUplink() } });

const others: [form: string, message: object, advice?: string][] = [
  ["event of the console", integrationEvent, "pass the uplink in its data.req.body"],
  ["event of the console", event("uplink_unconfirmed", { fcnt: 4, port: 2 })],
  ["event of the console", event("uplink_integration_req", { req: { body: "the body is long" } })],
  ["join of the console", consoleUplink({}, { type: "join", decoded: undefined })],
  ["join event of ChirpStack v4", { ...v4, devAddr: "01f0a101" }],
  ["status event of ChirpStack v4", { ...v4, margin: 7, batteryLevel: 93.3 }],
  ["status event of ChirpStack v4", { ...v4, batteryLevelUnavailable: true }],
  ["ack event of ChirpStack v4", { ...v4, queueItemId: "q", acknowledged: true, fCntDown: 4 }],
  ["ack event of ChirpStack v4", { ...v4, queueItemId: "q", fCntDown: 4 }],
  ["txack event of ChirpStack v4", { ...v4, downlinkId: 1, queueItemId: "q", txInfo: {} }],
  ["log event of ChirpStack v4", { ...v4, level: "ERROR", code: "UPLINK_CODEC" }],
  ["location event of ChirpStack v4", { ...v4, location: position }],
  ["integration event of ChirpStack v4", { ...v4, integrationName: "a", object: position }],
  ["other event of ChirpStack v4", v4],
  ["join event of ChirpStack v3", { ...v3, devAddr: "AfChAQ==", rxInfo: [], txInfo: {}, dr: 0 }],
  ["status event of ChirpStack v3", { ...v3, margin: 7, batteryLevelUnavailable: true }],
  ["ack event of ChirpStack v3", { ...v3, acknowledged: false, fCnt: 4 }],
  ["txack event of ChirpStack v3", { ...v3, gatewayID: "AASjCwDwoQE=", fCnt: 4, txInfo: {} }],
  ["error event of ChirpStack v3", { ...v3, type: "UPLINK_CODEC", error: "x", fCnt: 4 }],
  ["location event of ChirpStack v3", { ...v3, location: position, fCnt: 4 }],
  ["join accept of The Things Stack v3", { ...stack, join_accept: { session_key_id: "AX" } }],
  ["location of The Things Stack v3", { ...stack, location_solved: { location: position } }],
  ["downlink event of The Things Stack v3", { ...stack, downlink_ack: {} }],
  ["downlink event of The Things Stack v3", { ...stack, downlink_queued: {} }],
  ["downlink event of The Things Stack v3", { ...stack, downlink_queue_invalidated: {} }],
  ["service data of The Things Stack v3", { ...stack, service_data: { data: position } }],
  ["normalized uplink of The Things Stack v3", { ...stack, uplink_normalized: {} }],
  [
    "event of the console of The Things Stack v3",
    { name: "as.up.data.forward", identifiers: [{}], data: stack },
    "pass its data",
  ],
  ["event of The Things Network v2", { app_id: "a", dev_id: "d", message: { port: 1 } }],
  ["event of The Things Network v2", { app_id: "a", dev_id: "d", payload_raw: "AA", config: {} }],
  [
    "event of The Things Network v2",
    { app_eui: eui, dev_eui: eui, dev_addr: "26001716", metadata: { time, gateways: [] } },
  ],
  ["event of ThingPark", { DevEUI_downlink_Sent: { DevEUI: eui } }],
  ["event of ThingPark", { DevEUI_location: { DevEUI: eui, DevLAT: 1, DevLON: 2 } }],
];

test.for(others)("%s is named by every reader, and nothing is sent: %j", async (row) => {
  const [form, message, advice = ""] = row;
  const article = form.startsWith("service data") ? "" : /^[aeiou]/.test(form) ? "an " : "a ";
  const named = `is ${article}${form}, not an uplink: `;
  const problems = [{ path: "", message: expect.stringContaining(named) }];
  const result = { isMappable: false, isUplink: false, form, problems };
  expect(fromConsoleUplink(message)).toEqual(result);
  expect(fromNetworkServer(message, { observedRules: false })).toEqual(result);
  expect(check(message)).toEqual(problems);
  expect(check(message)[0]!.message).toContain(advice);
  if (!("object" in message) && !("decoded" in message))
    expect(await thrownBy(client.ingest(message as never))).toMatchObject({ problems });
  const report = { outcome: "not_an_uplink", form, changes: [], problems };
  expect(await deliver(message)).toEqual([200, report]);
  const error = (await thrownBy(parseConsoleUplink(message))) as UplinkParseError;
  expect(error).toMatchObject({ problems, message: expect.stringContaining(named) });
  expect(error.message).not.toContain("body template");
  const receive = createUplinkReceiver({
    authorization: "none",
    handler: () => expect.unreachable(),
  });
  const body = JSON.stringify(message);
  const response = await receive(new Request("https://me.test", { method: "POST", body }));
  expect([response.status, await response.text()]).toEqual([400, error.message]);
  expect(sent).toEqual([]);
});

test.for<[string, object, string]>([
  ["uplink of the console", consoleUplink({}, { decoded: null }), "decoded.payload"],
  ["uplink of ChirpStack v4", { ...v4, fCnt: 1, rxInfo: [], data: "AAAA" }, "object"],
  ["uplink of ChirpStack v4", { ...v4, devAddr: "01f0a101", fCnt: 1 }, "object"],
  ["uplink of ChirpStack v3", { ...v3, fPort: 1, data: "AAAA", rxInfo: [] }, "object"],
  ["uplink of ChirpStack v3", { ...v3, fPort: 1, objectJSON: "" }, "objectJSON"],
  [
    "uplink of The Things Stack v3",
    { ...stack, uplink_message: { frm_payload: "AAAA" } },
    "uplink_message.decoded_payload",
  ],
  ["uplink of The Things Network v2", { dev_id: "d", hardware_serial: eui, payload_raw: "AA" }, ""],
  ["uplink of ThingPark", { DevEUI_uplink: { DevEUI: eui, payload_hex: "00" } }, ""],
  ["uplink of The Things Stack v3", { ...stack, uplink_message: {}, simulated: true }, ""],
])("%s without a decoded payload has one problem: %j", async ([form, message, path]) => {
  const result = fromConsoleUplink(message);
  expect(result).toMatchObject({ isUplink: true, form, problems: [{ path }] });
  expect(!result.isMappable && result.problems).toHaveLength(1);
  expect(check(message)).toHaveLength(1);
  expect(await deliver(message)).toMatchObject([200, { outcome: "left_out", form }]);
  if (path === "decoded.payload") return;
  const error = (await thrownBy(parseConsoleUplink(message))) as UplinkParseError;
  expect(error.message).toContain(`is an ${form}`);
});

test("an uplink that The Things Stack simulated is left out, whatever its payload is", async () => {
  const { message: received } = uplinkForms["things-stack-3"];
  const message = { ...received, simulated: true };
  expect(fromConsoleUplink(received)).toMatchObject({ isMappable: true });
  const text = expect.stringContaining("no gateway received it: leave it out");
  const problems = [{ path: "", message: text }];
  for (const build of [fromConsoleUplink, fromNetworkServer])
    expect(build(message, { observedRules: false })).toMatchObject({ isUplink: true, problems });
  expect(check(message)).toEqual(problems);
  expect(await deliver(message)).toMatchObject([200, { outcome: "left_out", problems }]);
});

test("advice on a missing payload names the part of the network server that decodes", () => {
  const adviceOn = (message: object) => JSON.stringify(fromConsoleUplink(message));
  expect(adviceOn({ ...stack, uplink_message: {} })).toContain("payload formatter");
  expect(adviceOn({ ...v4, rxInfo: [] })).toContain("codec");
  expect(adviceOn({ ...v3, objectJSON: "{" })).toContain("is not JSON: correct the codec");
});

const gatewayInfo = { gatewayID: "0101", rssi: -57, loRaSNR: 10, time, location: position };
const v3Of = (txInfo: object) => ({
  ...v3,
  fPort: 1,
  object: position,
  publishedAt: time,
  rxInfo: [gatewayInfo],
  txInfo: { frequency: 868_100_000, ...txInfo },
});
const stackOf = (data_rate: object) => ({
  ...stack,
  uplink_message: {
    decoded_payload: position,
    rx_metadata: [{ gateway_ids: { gateway_id: "g" }, rssi: -86, snr: 9, location: position }],
    settings: { frequency: "868100000", data_rate },
  },
});
const NOT_LORA = ["txInfo.modulation", "is not LoRa"] as const;

test.for<[string, object, string, string]>([
  ["ChirpStack v3, FSK", v3Of({ modulation: "FSK", fskModulationInfo: {} }), ...NOT_LORA],
  ["ChirpStack v3, LR-FHSS", v3Of({ modulation: "LR_FHSS" }), ...NOT_LORA],
  ["ChirpStack v3, only a data rate", v3Of({ dr: 5 }), "txInfo", 'set marshaler="json"'],
  ["The Things Stack, FSK", stackOf({ fsk: { bit_rate: 50_000 } }), ...NOT_LORA],
  ["The Things Stack, LR-FHSS", stackOf({ lrfhss: { coding_rate: "1/3" } }), ...NOT_LORA],
])("an uplink without LoRa has one problem that can be solved: %s", ([, message, path, text]) => {
  const problems = [{ path, message: expect.stringContaining(text) }];
  expect(fromNetworkServer(message)).toMatchObject({ isUplink: true, problems });
  expect((fromNetworkServer(message) as { problems: readonly unknown[] }).problems).toHaveLength(1);
  const free = fromNetworkServer(message, { observedRules: false });
  expect(free).toMatchObject({ isMappable: true, uplink: { object: position } });
});

test("a message in an unknown form has one problem, and fromNetworkServer names an uplink of the console", () => {
  for (const build of [fromConsoleUplink, fromNetworkServer])
    expect(build({ temperature: 21.5 })).toEqual({
      isMappable: false,
      isUplink: false,
      form: "unknown message",
      problems: [{ path: "", message: expect.stringMatching(/^is in no known form: send /) }],
    });
  expect(fromConsoleUplink({ topic: "a", body: consoleUplink() })).toMatchObject({
    problems: [
      { message: expect.stringMatching(/: pass its body, which is an uplink of the console$/) },
    ],
  });
  expect(fromNetworkServer(consoleUplink())).toMatchObject({
    isUplink: true,
    form: "uplink of the console",
    problems: [{ path: "", message: expect.stringContaining("build it with fromConsoleUplink") }],
  });
});

test("check asks to build an uplink in a form that the map does not read", async () => {
  const message = { ...v3, fPort: 1, object: position };
  const problems = [
    { path: "", message: expect.stringContaining("build it with fromNetworkServer") },
  ];
  expect(check(message)).toEqual(problems);
  const strict = client.withOptions({ observedRules: true });
  const error = (await thrownBy(strict.ingest(message as never))) as InputError;
  expect(error.problems).toEqual(problems);
});

test.for(["unknown_decoder", "no_context"])(
  "a decoder that the console could not run is not blamed on its author: %s",
  async (error) => {
    const message = consoleUplink({}, { decoded: { status: "error", error } });
    const text = expect.stringMatching(`^is ${error}: the console could not run the decoder`);
    const problems = [{ path: "decoded.error", message: text }];
    expect(check(message)).toEqual(problems);
    expect(fromConsoleUplink(message)).toMatchObject({ isUplink: true, problems });
    expect(await thrownBy(client.ingest(message as never))).toMatchObject({ problems });
    expect(await deliver(message)).toMatchObject([200, { outcome: "left_out", problems }]);
    // Without a schema, the uplink is one without a payload.
    expect(await parseConsoleUplink(message)).toEqual(message);
    const validate = () => ({ issues: [{ message: "a canary of the schema" }] });
    const decoded = { "~standard": { version: 1, vendor: "test", validate } } as const;
    const parsing = (await thrownBy(parseConsoleUplink(message, { decoded }))) as UplinkParseError;
    expect(parsing.problems).toEqual(problems);
    expect(parsing.message).not.toMatch(/canary|body template/);
  },
);

test("a decoder that failed is named, without what it printed", () => {
  const message = consoleUplink({}, { decoded: { status: "error", error: "canary at line 3" } });
  const text = expect.stringMatching(/^says that the decoder failed: correct the decoder/);
  expect(check(message)).toEqual([{ path: "decoded.error", message: text }]);
  expect(JSON.stringify(fromConsoleUplink(message))).not.toContain("canary");
});

// Decoded payloads in the forms of common decoders.

const decoded = (payload: unknown, fields?: BuildOptions["fields"]) =>
  fromConsoleUplink(consoleUplink({}, { decoded: { payload, status: "success" } }), { fields });
const hdop = { HDOP: 1.1, Altitude: -1.2 };
const at = (latitude: number, longitude: number, altitude: number, accuracy: number) => ({
  isMappable: true,
  uplink: { decoded: { payload: { latitude, longitude, altitude, accuracy } } },
});

test.for<[string, object, object]>([
  [
    "a LED named LON",
    { Latitude: 26.6, Longitud: -78.9, LON: "OFF", ...hdop },
    at(26.6, -78.9, -1, 5.5),
  ],
  [
    "a LED named LON that is a number",
    { Latitude: 26.6, Longitud: -78.9, LON: 1, ...hdop },
    at(26.6, -78.9, -1, 5.5),
  ],
  ["misspelled names", { lattitude: 26.6, lng: 8.1, alt: 4, acc: 3 }, at(26.6, 8.1, 4, 3)],
  [
    "names with a prefix",
    { gps_lat: "26.6", gpsLng: 8.1, positionAltitude: 4, gps_hdop: 2 },
    at(26.6, 8.1, 4, 10),
  ],
  [
    "flags with the names of fields",
    { latitude: 1.5, lat: "N", longitude: 2.5, LONG: true, alt: 4, acc: { x: 1 }, hdop: 1 },
    at(1.5, 2.5, 4, 5),
  ],
  [
    "a LED named LON of a tracker without a fix",
    { Latitude: 26.6, LON: 1, ...hdop },
    { isMappable: false, problems: [{ path: "decoded.payload.longitude" }] },
  ],
  [
    "a second name with a number",
    { latitude: "n/a", lat: 47.1, longitude: 2.5, alt: 4, acc: 1 },
    { isMappable: false, problems: [{ path: "decoded.payload.latitude" }] },
  ],
])("reads %s", ([, payload, expected]) => {
  expect(decoded(payload)).toMatchObject(expected);
});

const cayenne = [
  { channel: 1, name: "temperature", type: 103, value: 21.5 },
  { channel: 2, name: "gps", type: 136, value: { altitude: 400, latitude: 47.3, longitude: 8.5 } },
];
const nested = {
  valid: true,
  messages: [
    [
      { measurementId: "4200", type: "Event Status", measurementValue: [] },
      { measurementId: "4197", motionId: 0, type: "Longitude", measurementValue: "8.576926" },
      { measurementId: "4198", motionId: 0, type: "Latitude", measurementValue: "49.38185" },
    ],
  ],
};

// What to write in `fields`, which the message says, and the result with it.
test.for<[string, unknown, Record<string, string>, Record<string, number>]>([
  [
    "an object",
    { battery: {}, position: { lat: 37.1, lng: -122.1, altitude: 4 }, accuracy: 3 },
    { latitude: "position.lat", longitude: "position.lng", altitude: "position.altitude" },
    {},
  ],
  [
    "a Cayenne array",
    cayenne,
    { latitude: "1.value.latitude", longitude: "1.value.longitude", altitude: "1.value.altitude" },
    { accuracy: 10 },
  ],
  [
    "nested arrays",
    nested,
    { latitude: "messages.0.2.measurementValue", longitude: "messages.0.1.measurementValue" },
    { altitude: 0, accuracy: 10 },
  ],
  [
    "the object of another convention",
    { data: { lat: 1.5, lon: 2.5, alt: 3, hdop: 2 }, errors: [] },
    { latitude: "data.lat", longitude: "data.lon", altitude: "data.alt", accuracy: "data.hdop" },
    {},
  ],
  [
    "similar names beside a LED named LON",
    { latitudeDeg: 1.5, Longitute: 2.5, LON: 1, altitude: 4, accuracy: 5 },
    { latitude: "latitudeDeg", longitude: "Longitute" },
    {},
  ],
  [
    "objects with a value and a unit",
    { latitude: { value: 1.5 }, longitude: { value: 2.5 }, altitude: 4, accuracy: 5 },
    { latitude: "latitude.value", longitude: "longitude.value" },
    {},
  ],
  [
    "a point of GeoJSON",
    { position: { type: "Point", coordinates: [8.5, 47.3, 400] } },
    {
      latitude: "position.coordinates.1",
      longitude: "position.coordinates.0",
      altitude: "position.coordinates.2",
    },
    { accuracy: 10 },
  ],
  [
    "a list that can only begin with the latitude",
    { coordinates: [47.3, 108.5], altitude: 4 },
    { latitude: "coordinates.0", longitude: "coordinates.1" },
    { accuracy: 10 },
  ],
  [
    "the place that has the latitude, if only one of two is in range",
    { raw: { latitude: 473_000_000, longitude: 85 }, gps: { lat: 47.3, lon: 8.5 }, alt: 4, acc: 3 },
    { latitude: "gps.lat", longitude: "gps.lon" },
    {},
  ],
])("says which paths find a position in %s", ([, payload, paths, numbers]) => {
  const found = Object.entries({ ...paths, ...numbers }).map(
    ([field, value]) => `${field}: ${JSON.stringify(value)}`,
  );
  const names = new Intl.ListFormat("en").format(Object.keys(paths));
  const text = `has ${names} in another place: pass fields: { ${found.join(", ")} }`;
  const message = expect.stringContaining(text);
  const missing = Object.keys(numbers).map((field) => ({
    path: `decoded.payload.${field}`,
    message: expect.stringMatching(/or pass meters in fields$/),
  }));
  expect(decoded(payload)).toMatchObject({
    isMappable: false,
    problems: [{ path: "decoded.payload", message }, ...missing],
  });
  expect(decoded(payload, { ...paths, ...numbers })).toMatchObject({ isMappable: true });
});

const two = { start: { lat: 47.3, lng: 8.5 }, end: { latitude: 47.4, lng: 8.6 }, alt: 4, acc: 3 };

test.for<[string, object, BuildOptions["fields"], string, string]>([
  [
    "several positions",
    two,
    {},
    "",
    'has latitude and longitude in several places: pass fields: { latitude: "end.latitude", longitude: "end.lng" }, or the paths beside start.lat',
  ],
  [
    "a chosen position",
    two,
    { latitude: "start.lat" },
    "",
    'has longitude in another place: pass fields: { latitude: "start.lat", longitude: "start.lng" }',
  ],
  [
    "a list without names",
    { coordinates: [8.5, 47.3], alt: 4, acc: 3 },
    {},
    "",
    'has latitude and longitude in another place: pass fields: { latitude: "coordinates.1", longitude: "coordinates.0" }, if the list begins with the longitude, as in GeoJSON',
  ],
  [
    "whole numbers, which no path can correct",
    { latitude_i: 473_000_000, longitude_i: 85_000_000, alt: 4, acc: 3 },
    {},
    ".latitude_i",
    "is out of range: let the decoder divide it, and return decimal degrees as latitude",
  ],
  [
    "two missing fields",
    { latitude: 47.3, longitude: 8.5 },
    {},
    ".altitude",
    "is missing: the decoder returns none of altitude, altitud, alt; let it return one, or pass meters, such as fields: { altitude: 0, accuracy: 10 }",
  ],
  [
    "a path that leads nowhere",
    { latitude: 47.3, longitude: 8.5, acc: 3 },
    { altitude: "gps.alt" },
    ".altitude",
    "is missing: the decoder returns none of gps.alt; let it return one, or pass meters, such as fields: { altitude: 0 }",
  ],
  [
    "a receiver without a fix",
    { latitude: 47.3, longitude: 8.5, altitude: 4, hdop: 99.9 },
    {},
    ".hdop",
    "is above 20, which receivers without a fix send: omit that uplink (observed; `observedRules: false` turns this off)",
  ],
])("the first problem of %s is the one to solve", ([, payload, fields, path, message]) => {
  const problem = { path: `decoded.payload${path}`, message };
  expect(decoded(payload, fields)).toHaveProperty("problems.0", problem);
});

test("an HDOP of 20 is used, and a larger one without the observed rules", () => {
  const own = { latitude: 47.3, longitude: 8.5, altitude: 4 };
  expect(decoded({ ...own, hdop: 20 })).toMatchObject(at(47.3, 8.5, 4, 100));
  const message = consoleUplink({}, { decoded: { payload: { ...own, hdop: 99.9 } } });
  expect(fromConsoleUplink(message, { observedRules: false })).toMatchObject({ isMappable: true });
});

test("a path of fields leads into the arrays of every form", () => {
  const fields = {
    latitude: "messages.0.2.measurementValue",
    longitude: "messages.0.1.measurementValue",
    altitude: 0,
    accuracy: 10,
  };
  const expected = { latitude: 49.38185, longitude: 8.576926, altitude: 0, accuracy: 10 };
  expect(fromNetworkServer(networkUplink({ object: nested }), { fields })).toMatchObject({
    uplink: { object: expected },
    changes: expect.arrayContaining(["accuracy: 10, from fields"]),
  });
  const own = { latitude: 1.5, longitude: 2.5, alt: 3, acc: 4 };
  expect(decoded(own, { altitude: 0, accuracy: 10 })).toMatchObject(at(1.5, 2.5, 3, 4));
  const uplink_message = { decoded_payload: nested, rx_metadata: [], settings: {} };
  const { problems } = fromConsoleUplink({ ...stack, uplink_message }, { fields }) as never;
  expect((problems as { path: string }[]).map(({ path }) => path)).not.toContain("object");
});

test.for<[object, string]>([
  [{ temperature: 21.5 }, "has no position"],
  [{}, "has no position"],
  [{ latitude: null, longitude: null, altitude: null, accuracy: null }, "has no position"],
  [[], "is not an object"],
  [{ lat: 0, lng: 0, alt: 4, acc: 3 }, "is exactly 0"],
])("a payload with one cause has one problem: %j", ([payload, message]) => {
  expect(decoded(payload)).toMatchObject({
    problems: [{ message: expect.stringMatching(message) }],
  });
  expect((decoded(payload) as { problems: readonly unknown[] }).problems).toHaveLength(1);
});

test("a payload of 200 KB, which anyone can send, is diagnosed within seconds", () => {
  const values = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`${index}value`, 1]),
  );
  const labels = Object.fromEntries(
    Array.from({ length: 22_000 }, (_, index) => [`a${index}`, "b"]),
  );
  const payloads = [
    labels,
    { in: { ...labels, ...values } },
    { in: { type: "x".repeat(2e5), ...values } },
  ];
  for (const payload of payloads) {
    const began = performance.now();
    expect(decoded(payload)).toMatchObject({ problems: [{ path: "decoded.payload" }] });
    expect(performance.now() - began).toBeLessThan(4_000);
  }
});

test.for(["", "gps..lat", ".lat", "lat.", "messages[0].lat", "decoded.payload.lat", 7, null])(
  "the path %j in fields is rejected when a forwarder is created",
  (path) => {
    const fields = { latitude: path } as never;
    expect(() => createForwarder({ client, authorization: "none", fields })).toThrow(
      "fields.latitude must be a path in the decoded payload",
    );
  },
);

test("fields accepts a finite number for altitude and accuracy only", () => {
  for (const accuracy of [Infinity, Number.NaN, true, "a..b"] as never[])
    expect(() => fromConsoleUplink({}, { fields: { accuracy } })).toThrow(
      "fields.accuracy must be",
    );
});
