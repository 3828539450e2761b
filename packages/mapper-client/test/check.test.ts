import { describe, expect, test } from "vitest";
import { check } from "../src/index.ts";
import { consoleUplink, networkUplink } from "../../../tools/testing/uplinks.ts";

const [rx] = networkUplink()["rxInfo"] as [Record<string, unknown>];
const rxWith = (fields: object, metadata: object = {}) =>
  networkUplink({
    rxInfo: [{ ...rx, metadata: { ...(rx["metadata"] as object), ...metadata }, ...fields }],
  });
const seen = (fields: object) => consoleUplink({}, { hotspots: [{ name: "x", ...fields }] });

test("check finds no problem in valid uplinks of both forms", () => {
  expect(check(consoleUplink())).toEqual([]);
  expect(check(networkUplink())).toEqual([]);
});

const four = ["latitude", "longitude", "altitude", "accuracy"] as const;

test.each(four)("check requires %s at the top level of the position, in both forms", (field) => {
  const [inPayload, inObject] = [`decoded.payload.${field}`, `object.${field}`];
  expect(check(consoleUplink({ [field]: undefined })).map(({ path }) => path)).toEqual([inPayload]);
  const nested = consoleUplink({ [field]: undefined, gps: { [field]: 7 } });
  expect(check(nested).map(({ path }) => path)).toEqual([inPayload]);
  const { object } = networkUplink() as { object: Record<string, unknown> };
  const { [field]: _, ...rest } = object;
  expect(check(networkUplink({ object: rest })).map(({ path }) => path)).toEqual([inObject]);
});

test.each([
  { latitude: 90, longitude: 180, altitude: -500, accuracy: 0 },
  { latitude: -90, longitude: -180, altitude: 9_000, accuracy: 0.25 },
  { latitude: 1e-9, longitude: -1e-9, altitude: 0, accuracy: 30_000 },
])("check accepts the ends of each range: %j", (position) => {
  expect(check(consoleUplink(position))).toEqual([]);
  expect(check(networkUplink({ object: position }))).toEqual([]);
});

/** Removes the value at a path such as `rxInfo[0].metadata.gateway_id`. */
function removed(uplink: Record<string, unknown>, path: string): Record<string, unknown> {
  const copy = structuredClone(uplink);
  const keys = path.split(/[.[\]]+/);
  const last = keys.pop()!;
  const parent = keys.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown>)[key],
    copy,
  );
  delete (parent as Record<string, unknown>)[last];
  return copy;
}

test.each([
  "deviceInfo.devEui",
  "fCnt",
  "time",
  "txInfo.frequency",
  "txInfo.modulation.lora.spreadingFactor",
  "txInfo.modulation.lora.bandwidth",
  "rxInfo[0].rssi",
  "rxInfo[0].snr",
  "rxInfo[0].time",
  "rxInfo[0].metadata.gateway_id",
  "rxInfo[0].metadata.gateway_name",
  "rxInfo[0].metadata.gateway_lat",
  "rxInfo[0].metadata.gateway_long",
])("check requires %s of a network server's uplink", (path) => {
  expect(check(removed(networkUplink(), path))).toEqual([
    { path, message: expect.stringMatching(/^is missing: /) },
  ]);
});

test.each(["dev_eui", "fcnt"])("check requires %s of the console's uplink", (path) => {
  expect(check(removed(consoleUplink(), path))).toMatchObject([{ path }]);
});

/** Returns the uplink with another value at a path. */
function changed(
  uplink: Record<string, unknown>,
  path: string,
  value: unknown,
): Record<string, unknown> {
  const copy = removed(uplink, path);
  const keys = path.split(/[.[\]]+/);
  const last = keys.pop()!;
  const parent = keys.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown>)[key],
    copy,
  );
  (parent as Record<string, unknown>)[last] = value;
  return copy;
}

const WRONG = {
  text: [7, "", ["x"], true],
  number: ["7", NaN, Infinity, [7], true],
  integer: ["7", NaN, 1.5, [7], true],
  degrees: [47.5, "47", "47.", ".5", "x47.5", "47.5x", " 47.5", ["47.5"]],
};

test.each<[string, keyof typeof WRONG]>([
  ["deviceInfo.devEui", "text"],
  ["fCnt", "integer"],
  ["time", "text"],
  ["txInfo.frequency", "number"],
  ["txInfo.modulation.lora.spreadingFactor", "integer"],
  ["txInfo.modulation.lora.bandwidth", "integer"],
  ["rxInfo[0].rssi", "number"],
  ["rxInfo[0].snr", "number"],
  ["rxInfo[0].time", "text"],
  ["rxInfo[0].metadata.gateway_id", "text"],
  ["rxInfo[0].metadata.gateway_name", "text"],
  ["rxInfo[0].metadata.gateway_lat", "degrees"],
  ["rxInfo[0].metadata.gateway_long", "degrees"],
])("check rejects another type for %s of a network server, which must be %s", (path, kind) => {
  for (const value of WRONG[kind])
    expect(check(changed(networkUplink(), path, value))).toEqual([
      { path, message: expect.stringMatching(/^(has|is) .*: send /) },
    ]);
});

test.each<[string, keyof typeof WRONG]>([
  ["dev_eui", "text"],
  ["fcnt", "integer"],
  ["hotspots[0].reported_at", "integer"],
])("check rejects another type for %s of the console, which must be %s", (path, kind) => {
  for (const value of WRONG[kind])
    expect(check(changed(consoleUplink(), path, value))).toEqual([
      { path, message: expect.stringMatching(/^(has|is) .*: send /) },
    ]);
});

test("check reports one problem for an uplink that cannot be read", () => {
  const unreadable = {
    get object(): never {
      throw new Error("gone");
    },
  };
  expect(check(unreadable)).toEqual([{ path: "", message: expect.stringMatching(/\w+ \w+/) }]);
});

test("check uses object if an uplink has both forms", () => {
  const { decoded } = consoleUplink({ latitude: "text" });
  expect(check(networkUplink({ decoded }))).toEqual([]);
  expect(check({ ...consoleUplink(), object: {} }).map(({ path }) => path)).toContain(
    "object.latitude",
  );
});

const at = "decoded.payload";
describe("check reports the path and the fix for", () => {
  test.each<[string, unknown, string, string]>([
    [
      "a string in place of a number",
      consoleUplink({ latitude: "47.3769" }),
      `${at}.latitude`,
      "is a string: send a number",
    ],
    [
      "a field name in another case",
      consoleUplink({ latitude: undefined, Latitude: 47 }),
      `${at}.Latitude`,
      "write latitude: names are case-sensitive",
    ],
    [
      "a field that is missing",
      consoleUplink({ accuracy: undefined }),
      `${at}.accuracy`,
      "is missing: let the decoder return accuracy",
    ],
    [
      "null",
      consoleUplink({ altitude: null }),
      `${at}.altitude`,
      "is missing: let the decoder return altitude",
    ],
    [
      "another type",
      consoleUplink({ longitude: true }),
      `${at}.longitude`,
      "is not a number: send a number",
    ],
    [
      "NaN",
      consoleUplink({ latitude: Number.NaN }),
      `${at}.latitude`,
      "is not a finite number: omit an uplink without a fix",
    ],
    [
      "a latitude out of range",
      consoleUplink({ latitude: 90.1 }),
      `${at}.latitude`,
      "is not between -90 and 90: send decimal degrees",
    ],
    [
      "a longitude out of range",
      consoleUplink({ longitude: -180.5 }),
      `${at}.longitude`,
      "is not between -180 and 180: send decimal degrees",
    ],
    [
      "a latitude of exactly 0",
      consoleUplink({ latitude: 0 }),
      `${at}.latitude`,
      "is exactly 0, which trackers without a fix send: omit that uplink",
    ],
    [
      "a longitude of -0",
      consoleUplink({ longitude: -0 }),
      `${at}.longitude`,
      "is exactly 0, which trackers without a fix send: omit that uplink",
    ],
    [
      "an altitude that is not a whole number",
      consoleUplink({ altitude: 12.3 }),
      `${at}.altitude`,
      "is not a whole number: round it",
    ],
    [
      "an altitude below the range",
      consoleUplink({ altitude: -501 }),
      `${at}.altitude`,
      "is less than -500: send meters above the sea",
    ],
    [
      "an accuracy below 0",
      consoleUplink({ accuracy: -1 }),
      `${at}.accuracy`,
      "is less than 0: send meters",
    ],
    [
      "no decoder",
      consoleUplink({}, { decoded: undefined }),
      at,
      "is missing: add a decoder to the flow, or put the fields into object",
    ],
    [
      "a decoder that failed",
      consoleUplink({}, { decoded: { payload: "error" } }),
      at,
      "is not an object: let the decoder return the four fields",
    ],
    [
      "no hotspot",
      consoleUplink({}, { hotspots: [] }),
      "hotspots",
      "is empty: the map needs at least one hotspot that received it",
    ],
    [
      "a hotspot without a time",
      seen({}),
      "hotspots[0].reported_at",
      "is missing: send milliseconds since 1970",
    ],
    [
      "a hotspot's time as a string",
      seen({ reported_at: "1795165173796" }),
      "hotspots[0].reported_at",
      "is not a whole number: send milliseconds since 1970",
    ],
    [
      "a hotspot's time in seconds",
      seen({ reported_at: 1_795_165_173 }),
      "hotspots[0].reported_at",
      "looks like seconds: send milliseconds since 1970",
    ],
    [
      "a frame counter that is missing",
      consoleUplink({}, { fcnt: undefined }),
      "fcnt",
      "is missing: send a whole number",
    ],
    [
      "a frame counter as a string",
      consoleUplink({}, { fcnt: "5" }),
      "fcnt",
      "has another type: send a whole number",
    ],
    [
      "gwTime",
      rxWith({ time: undefined, gwTime: "2026-11-20T08:00:00Z" }),
      "rxInfo[0].time",
      "is missing: write gwTime as time, or use fromNetworkServer",
    ],
    [
      "a gateway's latitude as a number",
      rxWith({}, { gateway_lat: 47.1 }),
      "rxInfo[0].metadata.gateway_lat",
      "is not a string: send a string with a decimal point",
    ],
    [
      "a gateway's latitude without a decimal point",
      rxWith({}, { gateway_long: "8" }),
      "rxInfo[0].metadata.gateway_long",
      "has no decimal point: send a string such as 52.0",
    ],
    ...["8.", ".5", "+8.5", "8.5 ", " 8.5", "8.x"].map(
      (gateway_lat): [string, unknown, string, string] => [
        `a gateway's latitude as ${JSON.stringify(gateway_lat)}`,
        rxWith({}, { gateway_lat }),
        "rxInfo[0].metadata.gateway_lat",
        "has no decimal point: send a string such as 52.0",
      ],
    ),
    [
      "no gateway",
      networkUplink({ rxInfo: [] }),
      "rxInfo",
      "is empty: the map needs at least one gateway that received it",
    ],
    [
      "an object that is a list",
      networkUplink({ object: [] }),
      "object",
      "is not an object: let the codec return the four fields",
    ],
    [
      "a spreading factor as a string",
      networkUplink({
        txInfo: {
          frequency: 868_100_000,
          modulation: { lora: { spreadingFactor: "SF9", bandwidth: 125_000 } },
        },
      }),
      "txInfo.modulation.lora.spreadingFactor",
      "has another type: send a whole number",
    ],
    ["a list", [], "", "is not an object: send the uplink as the integration delivered it"],
  ])("%s", (_what, uplink, path, message) => {
    expect(check(uplink)).toEqual([{ path, message }]);
  });
});

test("check reports all problems at once, and quotes no value", () => {
  const problems = check(
    consoleUplink({ latitude: "c4n4ry", longitude: 777.125, altitude: 1.5, accuracy: [] }),
  );
  expect(problems.map(({ path }) => path.split(".").at(-1))).toEqual([
    "latitude",
    "longitude",
    "altitude",
    "accuracy",
  ]);
  expect(JSON.stringify(problems)).not.toMatch(/c4n4ry|777|1\.5/);
});

test("check reports all problems at once, also without a payload", () => {
  expect(check({}).map(({ path }) => path)).toEqual([
    "decoded.payload",
    "dev_eui",
    "fcnt",
    "hotspots",
  ]);
});

test("check ignores inherited properties such as __proto__", () => {
  expect(
    check(JSON.parse('{"__proto__":{"object":{}},"decoded":{"payload":{}}}')).length,
  ).toBeGreaterThan(4);
});
