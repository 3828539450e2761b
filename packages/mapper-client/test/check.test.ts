import { describe, expect, test } from "vitest";
import { check } from "../src/index.ts";
import { consoleUplink, networkUplink } from "../../../tools/testing/uplinks.ts";

const [rx] = networkUplink()["rxInfo"] as [Record<string, unknown>];
const rxWith = (fields: object, metadata: object = {}) =>
  networkUplink({
    rxInfo: [{ ...rx, metadata: { ...(rx["metadata"] as object), ...metadata }, ...fields }],
  });

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

/** Returns the uplink with another value at a path such as `rxInfo[0].metadata.gateway_id`, or without one. */
function changed(
  uplink: Record<string, unknown>,
  path: string,
  value?: unknown,
): Record<string, unknown> {
  const copy = structuredClone(uplink);
  const keys = path.split(/[.[\]]+/);
  const last = keys.pop()!;
  const parent = keys.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown>)[key],
    copy,
  );
  if (value === undefined) delete (parent as Record<string, unknown>)[last];
  else (parent as Record<string, unknown>)[last] = value;
  return copy;
}

test.each(["dev_eui", "fcnt"])("check requires %s of the console's uplink", (path) => {
  expect(check(changed(consoleUplink(), path))).toMatchObject([{ path }]);
});

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
])("check requires %s of a network server, as %s", (path, kind) => {
  expect(check(changed(networkUplink(), path))).toEqual([
    { path, message: expect.stringMatching(/^is missing: /) },
  ]);
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

test("check uses object if an uplink has both forms", () => {
  const { decoded } = consoleUplink({ latitude: "text" });
  expect(check(networkUplink({ decoded }))).toEqual([]);
  expect(check({ ...consoleUplink(), object: {} }).map(({ path }) => path)).toContain(
    "object.latitude",
  );
});

const NO_FIX = "is exactly 0, which trackers without a fix send: omit that uplink";
const DIVIDE = "send decimal degrees, so let the decoder divide this whole number";
const SINCE_1970 = "send milliseconds since 1970";

describe("check reports the path and the fix for", () => {
  test.each<[Record<string, unknown>, string, string]>([
    [{ latitude: "47.3769" }, "latitude", "is a string: send a number"],
    [{ latitude: "47,3769" }, "latitude", "has a decimal comma: send a number"],
    [{ longitude: "47.3, 8.5" }, "longitude", "has two numbers: return each in its own field"],
    [{ latitude: undefined, Latitude: 47 }, "Latitude", "write latitude: names are case-sensitive"],
    [{ accuracy: undefined }, "accuracy", "is missing: let the decoder return accuracy"],
    [{ altitude: null }, "altitude", "is missing: let the decoder return altitude"],
    [{ longitude: true }, "longitude", "is not a number: send a number"],
    [{ latitude: Number.NaN }, "latitude", "is not a finite number: omit an uplink without a fix"],
    [{ latitude: 90.1 }, "latitude", "is not between -90 and 90: send decimal degrees"],
    [{ longitude: -180.5 }, "longitude", "is not between -180 and 180: send decimal degrees"],
    [{ latitude: 473_769_000 }, "latitude", `is not between -90 and 90: ${DIVIDE}`],
    [{ longitude: -8_541 }, "longitude", `is not between -180 and 180: ${DIVIDE}`],
    [{ latitude: 0 }, "latitude", NO_FIX],
    [{ longitude: -0 }, "longitude", NO_FIX],
    [{ altitude: 12.3 }, "altitude", "is not a whole number: round it"],
    [{ altitude: -501 }, "altitude", "is less than -500: send meters above the sea"],
    [{ accuracy: -1 }, "accuracy", "is less than 0: send meters"],
  ])("a payload with %o", (payload, field, message) => {
    expect(check(consoleUplink(payload))).toEqual([{ path: `decoded.payload.${field}`, message }]);
  });

  test.each<[object, string, string]>([
    [
      { decoded: undefined },
      "decoded.payload",
      "is missing: add a decoder to the flow, or put the fields into object",
    ],
    [
      { decoded: { payload: "error" } },
      "decoded.payload",
      "is not an object: let the decoder return the four fields",
    ],
    [{ hotspots: [] }, "hotspots", "is empty: the map needs at least one hotspot that received it"],
    [{ hotspots: [{ name: "x" }] }, "hotspots[0].reported_at", `is missing: ${SINCE_1970}`],
    [
      { hotspots: [{ name: "x", reported_at: "1795165173796" }] },
      "hotspots[0].reported_at",
      `is not a whole number: ${SINCE_1970}`,
    ],
    [
      { hotspots: [{ name: "x", reported_at: 1_795_165_173 }] },
      "hotspots[0].reported_at",
      `looks like seconds: ${SINCE_1970}`,
    ],
    [{ fcnt: undefined }, "fcnt", "is missing: send a whole number"],
    [{ fcnt: "5" }, "fcnt", "has another type: send a whole number"],
  ])("an uplink of the console with %o", (fields, path, message) => {
    expect(check(consoleUplink({}, fields as Record<string, unknown>))).toEqual([
      { path, message },
    ]);
  });

  test.each<[string, unknown, string, string]>([
    [
      "gwTime",
      rxWith({ time: undefined, gwTime: "2026-11-20T08:00:00Z" }),
      "rxInfo[0].time",
      "is missing: write gwTime as time, or use fromNetworkServer",
    ],
    [
      "a latitude of a gateway that is a number",
      rxWith({}, { gateway_lat: 47.1 }),
      "rxInfo[0].metadata.gateway_lat",
      "is not a string: send a string with a decimal point",
    ],
    [
      "a longitude of a gateway without a decimal point",
      rxWith({}, { gateway_long: "8" }),
      "rxInfo[0].metadata.gateway_long",
      "has no decimal point: send a string such as 52.0",
    ],
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
      "FSK",
      networkUplink({ txInfo: { frequency: 868_800_000, modulation: { fsk: {} } } }),
      "txInfo.modulation",
      "is not LoRa, the only modulation that the map reads: leave the uplink out",
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

test("check ignores inherited properties such as __proto__", () => {
  expect(
    check(JSON.parse('{"__proto__":{"object":{}},"decoded":{"payload":{}}}')).length,
  ).toBeGreaterThan(4);
});
