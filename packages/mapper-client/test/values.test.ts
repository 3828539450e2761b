import { describe, expect, test } from "vitest";
import { fromConsoleUplink, fromNetworkServer, type MappingResult } from "../src/index.ts";
import { parseConsoleUplink, UplinkParseError } from "../src/uplink.ts";
import { consoleUplink, networkUplink } from "../../../tools/testing/uplinks.ts";

// How the builders read values that decoders and network servers send.

function built(result: MappingResult): {
  uplink: Record<string, unknown>;
  changes: readonly string[];
} {
  if (!result.isMappable) throw new Error(JSON.stringify(result.problems));
  return { uplink: result.uplink as never, changes: result.changes };
}
const decoded = (payload: object, options = {}) =>
  fromConsoleUplink(consoleUplink({}, { decoded: { payload } }), options);
const payloadOf = ({ uplink }: ReturnType<typeof built>) =>
  (uplink["decoded"] as { payload: Record<string, unknown> }).payload;

const unreadable = new Proxy(
  {},
  {
    get() {
      throw new Error("canary");
    },
  },
);
const rest = { longitude: 8.5, altitude: 408, accuracy: 3 };

test.each([
  ["47.3769", 47.3769],
  [" 47.5\n", 47.5],
  ["+47", 47],
  ["-0.25", -0.25],
])("the string %j is read as the number %d", (text, number) => {
  const result = built(decoded({ latitude: text, ...rest }));
  expect(payloadOf(result)["latitude"]).toBe(number);
  expect(result.changes).toEqual(["latitude: string was read as a number"]);
});

test.each(["", " ", "47.", ".5", "1e1", "47,3", "0x1f", "47.3N", "N47.3", "4 7", "--4"])(
  "the string %j is not accepted as a number",
  (text) => {
    expect(decoded({ latitude: text, ...rest })).toEqual({
      isMappable: false,
      problems: [{ path: "decoded.payload.latitude", message: "is a string: send a number" }],
    });
  },
);

test("an integer of any size is accepted as a number", async () => {
  expect(payloadOf(built(decoded({ latitude: 47n, ...rest })))["latitude"]).toBe(47);
});

test.each<[string, object, object, Record<string, number>, string[]]>([
  [
    "lon",
    { lat: 47, lon: 8, alt: 1, acc: 2 },
    {},
    { latitude: 47, longitude: 8, altitude: 1, accuracy: 2 },
    [
      "latitude: taken from lat",
      "longitude: taken from lon",
      "altitude: taken from alt",
      "accuracy: taken from acc",
    ],
  ],
  [
    "long, in capitals",
    { LATITUDE: 47, LONG: 8, altitude: 1, HDOP: 0.5 },
    {},
    { latitude: 47, longitude: 8, altitude: 1, accuracy: 2.5 },
    [
      "latitude: taken from LATITUDE",
      "longitude: taken from LONG",
      "accuracy: taken from HDOP",
      "accuracy: 5 m per unit of HDOP",
    ],
  ],
  [
    "a path to hdop",
    { latitude: 47, ...rest, gps: { hdop: 2 } },
    { accuracy: "gps.hdop" },
    { accuracy: 10 },
    ["accuracy: taken from gps.hdop", "accuracy: 5 m per unit of gps.hdop"],
  ],
  [
    "a path to a name that only ends like hdop",
    { latitude: 47, ...rest, nohdop: 2 },
    { accuracy: "nohdop" },
    { accuracy: 2 },
    ["accuracy: taken from nohdop"],
  ],
  [
    "a path to a name that only begins like hdop",
    { latitude: 47, ...rest, hdop_m: 2 },
    { accuracy: "hdop_m" },
    { accuracy: 2 },
    ["accuracy: taken from hdop_m"],
  ],
  [
    "a configured name that is the name of the field",
    { latitude: 47, ...rest },
    { latitude: "latitude" },
    { latitude: 47 },
    [],
  ],
])("a builder finds fields under %s", (_what, payload, fields, position, changes) => {
  const result = built(decoded(payload, { fields }));
  expect(payloadOf(result)).toMatchObject(position);
  expect(result.changes).toEqual(changes);
});

test.each<[string, object]>([
  ["a path that leads nowhere", { gps: 7 }],
  ["a path to null", { gps: { y: null } }],
  ["a path through a list", { gps: ["y"] }],
])("a builder reports %s as a missing field, under its configured name", (_what, payload) => {
  expect(decoded({ ...rest, ...payload }, { fields: { latitude: "gps.y" } })).toEqual({
    isMappable: false,
    problems: [
      {
        path: "decoded.payload.latitude",
        message: "is missing: the decoder returns none of gps.y",
      },
    ],
  });
});

test("a builder ignores inherited properties", () => {
  const fields = { latitude: "constructor.length" };
  expect(decoded(rest, { fields })).toMatchObject({
    problems: [{ message: "is missing: the decoder returns none of constructor.length" }],
  });
});

test("a builder throws for a misspelled option", () => {
  for (const build of [fromConsoleUplink, fromNetworkServer])
    expect(() => build({}, { field: {} } as never)).toThrow(
      `${build.name} has no option "field". Did you mean "fields"?`,
    );
});

test("a problem with a value has the field name of the decoder", () => {
  expect(decoded({ lat: 91, ...rest })).toEqual({
    isMappable: false,
    problems: [
      {
        path: "decoded.payload.lat",
        message:
          "is not between -90 and 90: send decimal degrees (observed; `observedRules: false` turns this off)",
      },
    ],
  });
});

test("a builder reports one problem for a message that cannot be read", () => {
  for (const build of [fromConsoleUplink, fromNetworkServer])
    expect(build(unreadable)).toEqual({
      isMappable: false,
      problems: [
        {
          path: "",
          message:
            "cannot be read: a getter or a proxy in it throws, or it contains itself. Pass plain values.",
        },
      ],
    });
});

describe("the time of an uplink of a network server", () => {
  const [known] = networkUplink()["rxInfo"] as [Record<string, unknown>];
  const [at, gw, ns] = ["2026-11-20T08:00:00Z", "2026-11-20T08:00:01Z", "2026-11-20T08:00:02Z"];
  const timeOf = (time: unknown, gateway: object) => {
    const { time: _, ...untimed } = known;
    const { uplink, changes } = built(
      fromNetworkServer(networkUplink({ time, rxInfo: [{ ...untimed, ...gateway }] })),
    );
    const [first] = uplink["rxInfo"] as { time?: unknown }[];
    return [uplink["time"], first?.time, changes];
  };
  const MOVED = "rxInfo.time: taken from another field";
  const TAKEN = "time: taken from a gateway";

  test.each<[string, unknown, object, unknown[]]>([
    ["its own", at, { time: ns, gwTime: gw }, [at, ns, []]],
    ["the gateway's", undefined, { time: ns, gwTime: gw, nsTime: at }, [gw, ns, [TAKEN]]],
    ["the gateway's own", null, { time: ns, nsTime: at }, [ns, ns, [TAKEN]]],
    ["the server's", undefined, { nsTime: ns }, [ns, ns, [MOVED, TAKEN]]],
    ["the uplink's for a gateway without one", at, {}, [at, at, [MOVED]]],
    ["the gateway's before the server's", at, { gwTime: gw, nsTime: ns }, [at, gw, [MOVED]]],
  ])("is %s", (_whose, time, gateway, expected) => {
    expect(timeOf(time, gateway)).toEqual(expected);
  });
});

describe("the position of a gateway", () => {
  const [known] = networkUplink()["rxInfo"] as [{ metadata: object }];
  const place = (gateway_lat: unknown, location: object = {}) =>
    fromNetworkServer(
      networkUplink({
        rxInfo: [{ ...known, location, metadata: { ...known.metadata, gateway_lat } }],
      }),
    );

  test.each<[unknown, string]>([
    [47, "47.0"],
    ["47", "47.0"],
    [" 47.50 ", "47.5"],
    [-180, "-180.0"],
    [180, "180.0"],
    [0, "0.0"],
    [47.123456789, "47.1234568"],
    [100.1, "100.1"],
  ])("%j is written as %s", (given, text) => {
    const { uplink, changes } = built(place(given));
    expect(uplink["rxInfo"]).toMatchObject([{ metadata: { gateway_lat: text } }]);
    expect(changes).toEqual([
      "rxInfo.metadata.gateway_lat: written as a string with a decimal point",
    ]);
  });

  test.each([180.1, -180.1, "", " ", "north", Number.NaN, true, {}, [47]])(
    "%j is not accepted",
    (given) => {
      const unplaced = { ...known, metadata: { ...known.metadata, gateway_lat: given } };
      const message = networkUplink({ rxInfo: [unplaced, known] });
      expect(built(fromNetworkServer(message))).toMatchObject({
        uplink: { rxInfo: [known] },
        changes: ["rxInfo: 1 of 2 gateways left out, because they have no location"],
      });
    },
  );

  test("is that of the metadata if both are present", () => {
    const [{ metadata }] = built(place("47.5", { latitude: 1, longitude: 2 })).uplink["rxInfo"] as [
      { metadata: object },
    ];
    expect(metadata).toEqual({ ...known.metadata, gateway_lat: "47.5" });
  });
});

test.each([{}, { lora: null, loRa: null }, undefined])(
  "without a modulation, a builder adds none: %j",
  (modulation) => {
    const txInfo = { frequency: 868_100_000, modulation };
    const options = { observedRules: false };
    const { uplink, changes } = built(fromNetworkServer(networkUplink({ txInfo }), options));
    expect(uplink["txInfo"]).not.toHaveProperty("modulation.lora");
    expect(changes).toEqual([]);
  },
);

test("a builder reports a change of several gateways once, and the number of omitted gateways", () => {
  const [known] = networkUplink()["rxInfo"] as [{ metadata: object }];
  const numbered = { ...known, metadata: { ...known.metadata, gateway_lat: 47.5 } };
  const rxInfo = [numbered, {}, numbered, 7];
  expect(built(fromNetworkServer(networkUplink({ rxInfo }))).changes).toEqual([
    "rxInfo: 2 of 4 gateways left out, because they have no location",
    "rxInfo.metadata.gateway_lat: written as a string with a decimal point",
  ]);
});

describe("the names of a gateway", () => {
  const names = { gatewayId: "a", gatewayID: "b", loRaSNR: 1, snr: 2 };
  const [known] = networkUplink()["rxInfo"] as [Record<string, unknown>];
  const read = (info: object, metadata: object = {}) => {
    const place = { gateway_lat: "47.5", gateway_long: "8.5" };
    const { uplink } = built(
      fromNetworkServer(
        networkUplink({
          rxInfo: [
            { rssi: -90, time: known["time"], ...info, metadata: { ...place, ...metadata } },
          ],
        }),
      ),
    );
    const [
      {
        snr,
        metadata: { gateway_id, gateway_name },
      },
    ] = uplink["rxInfo"] as [{ snr: number; metadata: Record<string, unknown> }];
    return [gateway_id, gateway_name, snr];
  };

  test("are those of newer servers if both are present", () => {
    expect(read(names)).toEqual(["a", "a", 2]);
    expect(read({ gatewayID: "b", loRaSNR: 1 })).toEqual(["b", "b", 1]);
    expect(read(names, { gateway_id: "c" })).toEqual(["c", "c", 2]);
    expect(read(names, { gateway_id: "c", gateway_name: "d" })).toEqual(["c", "d", 2]);
  });
});

describe("a body that is not a standard uplink", () => {
  const problemsOf = async (body: unknown, options = {}) => {
    const error = await parseConsoleUplink(body, options).catch((thrown: unknown) => thrown);
    if (!(error instanceof UplinkParseError)) throw error;
    expect(error.message).toBe(
      `Not a standard uplink of the console: ${error.problems
        .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
        .join("; ")}. Check that the integration has no body template.`,
    );
    return error.problems;
  };

  test.each<[unknown, { path: string; message: string }[]]>([
    ["{", [{ path: "", message: "the body is not JSON" }]],
    [new TextEncoder().encode("canary"), [{ path: "", message: "the body is not JSON" }]],
    ["7", [{ path: "", message: "expected object, got number" }]],
    [
      { hotspots: [{ rssi: "x" }] },
      [
        { path: "dev_eui", message: "is missing" },
        { path: "fcnt", message: "is missing" },
        { path: "hotspots[0].rssi", message: "expected number, got string" },
      ],
    ],
  ])("causes an UplinkParseError with its problems: %j", async (body, problems) => {
    expect(await problemsOf(body)).toEqual(problems);
  });

  test("causes an UplinkParseError if it cannot be read", async () => {
    expect(await problemsOf(unreadable)).toEqual([
      { path: "", message: expect.stringContaining("a getter or a proxy in it throws") },
    ]);
  });
});

test("parseConsoleUplink names a misspelled option", async () => {
  await expect(parseConsoleUplink(consoleUplink(), { decode: {} } as never)).rejects.toThrow(
    'parseConsoleUplink has no option "decode". Did you mean "decoded"?',
  );
});

test("the output of the schema replaces the payload, and the rest of decoded is kept", async () => {
  const schema = { "~standard": { validate: (value: unknown) => ({ value: { was: value } }) } };
  const { decoded: output } = await parseConsoleUplink(
    consoleUplink({}, { decoded: { status: "success", payload: 7 } }),
    { decoded: schema },
  );
  expect(output).toEqual({ status: "success", payload: { was: 7 } });
  const none = await parseConsoleUplink(consoleUplink({}, { decoded: undefined }), {
    decoded: schema,
  });
  expect(none.decoded).toEqual({ payload: { was: undefined } });
});
