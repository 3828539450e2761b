import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check, fromConsoleUplink, fromNetworkServer, type MappingResult } from "../src/index.ts";
import { consoleUplink, networkUplink } from "../../../tools/testing/uplinks.ts";

function built(result: MappingResult): {
  uplink: Record<string, unknown>;
  changes: readonly string[];
} {
  if (!result.isMappable) throw new Error(JSON.stringify(result.problems));
  return { uplink: result.uplink as never, changes: result.changes };
}

const payloadOf = (uplink: Record<string, unknown>) =>
  (uplink["decoded"] as { payload: Record<string, unknown> }).payload;

describe("fromConsoleUplink", () => {
  test("returns a valid uplink unchanged", () => {
    const message = consoleUplink();
    expect(built(fromConsoleUplink(message))).toEqual({ uplink: message, changes: [] });
  });

  test("finds fields with other names, reads strings, rounds the altitude, and reports each change", () => {
    const payload = { Lat: "47.3769000", lng: 8.5417, alt: 408.6, hdop: 1.2 };
    const message = consoleUplink({}, { decoded: { status: "success", payload } });
    const { uplink, changes } = built(fromConsoleUplink(message));
    expect(payloadOf(uplink)).toEqual({
      latitude: 47.3769,
      longitude: 8.5417,
      altitude: 409,
      accuracy: 6,
    });
    expect(changes).toEqual([
      "latitude: string was read as a number",
      "latitude: taken from Lat",
      "longitude: taken from lng",
      "altitude: taken from alt",
      "altitude: rounded to whole meters",
      "accuracy: taken from hdop",
      "accuracy: 5 m per unit of hdop",
    ]);
    expect(check(uplink)).toEqual([]);
  });

  test("reads the configured paths", () => {
    const payload = { gps: { a: 47.1, b: 8.1 }, alt: 1, acc: 2, lat: 1 };
    const message = consoleUplink({}, { decoded: { payload } });
    const { uplink } = built(
      fromConsoleUplink(message, { fields: { latitude: "gps.a", longitude: "gps.b" } }),
    );
    expect(payloadOf(uplink)).toMatchObject({ latitude: 47.1, longitude: 8.1 });
  });

  test("prefers the exact name, and skips a field that is null", () => {
    const payload = { LAT: null, lat: 5, LNG: 9, lng: 8, alt: -0.4, acc: 1 };
    const { uplink } = built(fromConsoleUplink(consoleUplink({}, { decoded: { payload } })));
    expect(payloadOf(uplink)).toMatchObject({ latitude: 5, longitude: 8 });
    expect(Object.is(payloadOf(uplink)["altitude"], 0)).toBe(true);
  });

  test("reports the missing fields of the position and of the uplink", () => {
    const message = consoleUplink({ latitude: undefined, longitude: "far" }, { hotspots: [] });
    expect(fromConsoleUplink(message)).toEqual({
      isMappable: false,
      problems: [
        {
          path: "decoded.payload.latitude",
          message: "is missing: the decoder returns none of latitude, lat",
        },
        { path: "decoded.payload.longitude", message: "is a string: send a number" },
        {
          path: "hotspots",
          message:
            "is empty: the map needs at least one hotspot that received it (observed; `observedRules: false` turns this off)",
        },
      ],
    });
  });

  test.each([undefined, null, 7, "text", [], {}, { decoded: 1 }, { decoded: { payload: [] } }])(
    "does not throw for %j",
    (message) => {
      expect(fromConsoleUplink(message)).toMatchObject({ isMappable: false });
    },
  );

  test("with observedRules: false, reports only violations of the published spec", () => {
    const message = consoleUplink({ latitude: 0, longitude: "far" }, { hotspots: [] });
    expect(fromConsoleUplink(message, { observedRules: false })).toEqual({
      isMappable: false,
      problems: [{ path: "decoded.payload.longitude", message: "is a string: send a number" }],
    });
    expect(fromConsoleUplink({}, { observedRules: false })).toMatchObject({
      problems: [{ path: "decoded.payload" }],
    });
    expect(fromConsoleUplink(7, { observedRules: false })).toMatchObject({
      problems: [{ path: "" }],
    });
  });

  test("removes a field that belongs to the other form", () => {
    const { uplink } = built(fromConsoleUplink({ ...consoleUplink(), object: { latitude: 1 } }));
    expect(uplink).not.toHaveProperty("object");
  });
});

test("fromConsoleUplink rejects a list with one number as a number", () => {
  const { problems } = fromConsoleUplink(consoleUplink({ latitude: ["47.3"] })) as {
    problems?: readonly { path: string }[];
  };
  expect(problems?.map(({ path }) => path)).toEqual(["decoded.payload.latitude"]);
});

describe("fromNetworkServer", () => {
  test("prefers the newer name of the modulation, and uses the server's time for a gateway without a time", () => {
    const message = networkUplink();
    const { modulation } = message["txInfo"] as { modulation: { lora: object } };
    const [rx] = message["rxInfo"] as [Record<string, unknown>];
    const both = { ...modulation, loRa: { spreadingFactor: 12 } };
    const { time: _, ...untimed } = rx;
    const { uplink, changes } = built(
      fromNetworkServer({
        ...message,
        txInfo: { ...(message["txInfo"] as object), modulation: both },
        rxInfo: [{ ...untimed, nsTime: "2026-11-20T08:00:01Z" }],
      }),
    );
    expect(uplink["txInfo"]).toHaveProperty("modulation", modulation);
    expect(uplink["rxInfo"]).toMatchObject([{ time: "2026-11-20T08:00:01Z" }]);
    expect(changes).toEqual(["rxInfo.time: taken from another field"]);
  });

  const gateway = { gatewayId: "a1", rssi: -90, snr: 5, gwTime: "2026-11-20T08:00:00Z" };

  test("accepts old and new names, and both fields for a gateway's position", () => {
    const message = networkUplink({
      txInfo: {
        frequency: 868_100_000,
        modulation: { loRa: { spreadingFactor: 9, bandwidth: 125_000 } },
      },
      rxInfo: [{ ...gateway, location: { latitude: 47, longitude: 8.5 } }],
    });
    const { uplink, changes } = built(fromNetworkServer(message));
    expect(changes).toEqual([
      "txInfo.modulation.lora: taken from loRa",
      "rxInfo.time: taken from another field",
      "rxInfo.metadata.gateway_id: taken from another field",
      "rxInfo.metadata.gateway_name: taken from another field",
      "rxInfo.metadata.gateway_lat: taken from another field",
      "rxInfo.metadata.gateway_long: taken from another field",
    ]);
    expect(uplink["rxInfo"]).toEqual([
      {
        ...gateway,
        time: "2026-11-20T08:00:00Z",
        location: { latitude: 47, longitude: 8.5 },
        metadata: {
          gateway_id: "a1",
          gateway_name: "a1",
          gateway_lat: "47.0",
          gateway_long: "8.5",
        },
      },
    ]);
    expect(check(uplink)).toEqual([]);
  });

  test("reads the names of older servers, and uses the time of a gateway if the uplink has none", () => {
    const old = { gatewayID: "b2", rssi: -90, loRaSNR: 5, nsTime: "2026-11-20T08:00:01Z" };
    const location = { latitude: -33.8688197, longitude: 151.2092955 };
    const message = networkUplink({ time: undefined, rxInfo: [{ ...old, location }] });
    const { uplink, changes } = built(fromNetworkServer(message));
    expect(uplink).toMatchObject({
      time: "2026-11-20T08:00:01Z",
      rxInfo: [
        {
          snr: 5,
          time: "2026-11-20T08:00:01Z",
          metadata: {
            gateway_id: "b2",
            gateway_name: "b2",
            gateway_lat: "-33.8688197",
            gateway_long: "151.2092955",
          },
        },
      ],
    });
    expect(changes).toContain("time: taken from a gateway");
    expect(check(uplink)).toEqual([]);
  });

  test("omits gateways without a position, and reports the omission", () => {
    const [known] = networkUplink()["rxInfo"] as unknown[];
    const { uplink, changes } = built(
      fromNetworkServer(networkUplink({ rxInfo: [gateway, known] })),
    );
    expect(uplink["rxInfo"]).toHaveLength(1);
    expect(changes).toEqual(["rxInfo: 1 of 2 gateways left out, because they have no location"]);
    expect(built(fromNetworkServer(networkUplink())).changes).toEqual([]);
    expect(fromNetworkServer(networkUplink({ rxInfo: [gateway] }))).toMatchObject({
      isMappable: false,
      problems: [
        { path: "rxInfo", message: expect.stringContaining("set the location of the gateway") },
      ],
    });
  });

  test("a message without gateways has no gateway, which is not one without a location", () => {
    expect(fromNetworkServer(networkUplink({ rxInfo: [] }))).toEqual({
      isMappable: false,
      problems: [
        {
          path: "rxInfo",
          message: expect.stringMatching(/^is empty: the map needs at least one gateway/),
        },
      ],
    });
  });

  test("with observedRules: false, keeps gateways without a position, and adds nothing to them", () => {
    const [known] = networkUplink()["rxInfo"] as unknown[];
    const options = { observedRules: false };
    const rxInfo = [gateway, "a1", known];
    expect(built(fromNetworkServer(networkUplink({ rxInfo }), options))).toEqual({
      uplink: networkUplink({ rxInfo: [gateway, known] }),
      changes: [],
    });
    const object = { lat: 47, lng: 8.5, alt: 408, acc: 3 };
    const { uplink } = built(fromNetworkServer({ device: "a", object }, options));
    const position = { latitude: 47, longitude: 8.5, altitude: 408, accuracy: 3 };
    expect(uplink).toEqual({ object: position });
  });

  test("reports a missing codec", () => {
    expect(fromNetworkServer(networkUplink({ object: {} }))).toEqual({
      isMappable: false,
      problems: [
        {
          path: "object",
          message: "is missing: give the device profile a codec that returns the four fields",
        },
      ],
    });
  });

  test("any uplink of a network server passes check or results in problems", () => {
    const number = fc.oneof(
      fc.double(),
      fc.integer(),
      fc.constant(0),
      fc.string(),
      fc.constant(null),
    );
    const time = fc.oneof(fc.constant("2026-11-20T08:00:00Z"), fc.string(), fc.constant(undefined));
    const place = fc.oneof(
      fc.constant("47.5"),
      fc.double({ min: -91, max: 91 }),
      fc.string(),
      fc.constant(undefined),
    );
    const rx = fc.record(
      {
        gatewayId: fc.option(fc.string()),
        rssi: number,
        snr: number,
        time,
        gwTime: time,
        metadata: fc.option(
          fc.record({
            gateway_id: fc.string(),
            gateway_name: fc.string(),
            gateway_lat: place,
            gateway_long: place,
          }),
        ),
        location: fc.option(fc.record({ latitude: number, longitude: number })),
      },
      { requiredKeys: [] },
    );
    const message = fc.record(
      {
        deviceInfo: fc.option(fc.record({ devEui: fc.oneof(fc.string(), fc.integer()) })),
        fCnt: number,
        time,
        txInfo: fc.record({
          frequency: number,
          modulation: fc.oneof(
            fc.record({ lora: fc.record({ spreadingFactor: number, bandwidth: number }) }),
            fc.anything(),
          ),
        }),
        rxInfo: fc.oneof(fc.array(rx, { maxLength: 3 }), fc.anything()),
        object: fc.oneof(
          fc.record(
            { latitude: number, lng: number, alt: number, hdop: number },
            { requiredKeys: [] },
          ),
          fc.anything(),
        ),
      },
      { requiredKeys: [] },
    );
    let mappable = 0;
    fc.assert(
      fc.property(
        fc.oneof({ weight: 9, arbitrary: message }, { weight: 1, arbitrary: fc.anything() }),
        (each) => {
          const result = fromNetworkServer(each);
          if (result.isMappable) {
            mappable++;
            expect(check(result.uplink)).toEqual([]);
          } else {
            expect(result.problems.length).toBeGreaterThan(0);
            for (const { path, message: text } of result.problems) {
              expect(typeof path).toBe("string");
              expect(text).toMatch(/^(is|has|looks|write)\b/);
            }
          }
        },
      ),
      { numRuns: 3_000 },
    );
    const good = fc.record({
      latitude: fc.double({ min: 1, max: 89, noNaN: true }),
      lng: fc.double({ min: 1, max: 179, noNaN: true }),
      alt: fc.integer({ min: -500, max: 9000 }),
      hdop: fc.double({ min: 0, max: 50, noNaN: true }),
    });
    fc.assert(
      fc.property(good, (object) => {
        expect(fromNetworkServer(networkUplink({ object }))).toMatchObject({ isMappable: true });
        mappable++;
      }),
    );
    expect(mappable).toBeGreaterThan(99);
  });
});

test("fromConsoleUplink throws a TypeError for a misspelled name in the option fields", () => {
  const options = { fields: { lattitude: "gps.lat" } } as never;
  expect(() => fromConsoleUplink(consoleUplink(), options)).toThrow('Did you mean "latitude"?');
});
