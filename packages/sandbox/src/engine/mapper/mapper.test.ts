import { createMapperClient, fromConsoleUplink } from "@fieldmesh/mapper-client";
import { mapper } from "@fieldmesh/mapper-client/samples";
import { describe, expect, test } from "vitest";
import uplinkForms from "../../../../../tools/testing/uplink-forms.json" with { type: "json" };
import { createSandbox } from "../sandbox/sandbox.ts";
import type { MapperOptions } from "./mapper.ts";

const uplink = (fields: object = {}, payload: object = {}) => ({
  dev_eui: "0004A30B001C0530",
  fcnt: 1,
  hotspots: [{ name: "calm-teal-heron", reported_at: 1_795_165_173_796 }],
  decoded: {
    payload: { latitude: 47.3769, longitude: 8.5417, altitude: 408, accuracy: 3.5, ...payload },
  },
  ...fields,
});

function open(options: MapperOptions = {}) {
  const sandbox = createSandbox({ mapper: options });
  const { baseUrl, fetch } = sandbox.mapper;
  const client = createMapperClient({ baseUrl, fetch, retry: false });
  const send = (body: unknown) =>
    fetch(`${baseUrl}/api/v1/ingest/uplink`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
  return { sandbox, client, send };
}

describe("the map of the sandbox", () => {
  test("accepts both forms, and responds with a string or JSON", async () => {
    const { send, sandbox } = open();
    expect(await (await send(uplink())).text()).toBe("Success");
    expect(await (await send(mapper.ingest.input)).text()).toBe("Success");
    expect(sandbox.mapper.state.uplinks.map(({ dev_eui }) => dev_eui)).toEqual([
      "0004A30B001C0530",
      "0004A30B001C0530",
    ]);
    expect(await (await open({ responses: "json" }).send(uplink())).json()).toMatchObject({
      status: "success",
    });
  });

  test.each<[string, unknown, number, string]>([
    [
      "a string in place of a number",
      uplink({}, { latitude: "47" }),
      400,
      "latitude must be a number",
    ],
    ["a longitude of 0", uplink({}, { longitude: 0 }), 400, "longitude is out of range"],
    [
      "a field name in another case",
      uplink({ decoded: { payload: { Latitude: 1 } } }),
      400,
      "latitude is required",
    ],
    [
      "an altitude that is too low",
      uplink({}, { altitude: -501 }),
      400,
      "altitude is out of range",
    ],
    ["half a meter", uplink({}, { altitude: 408.5 }), 400, "altitude must be an integer"],
    ["an accuracy below 0", uplink({}, { accuracy: -1 }), 400, "accuracy is out of range"],
    ["a latitude of 0", uplink({}, { latitude: 0 }), 400, "latitude is out of range"],
    [
      "an empty object, which is preferred",
      { ...uplink(), object: {} },
      400,
      "latitude is required",
    ],
    ["a payload that is null", uplink({ decoded: { payload: null } }), 400, "latitude is required"],
    ["a latitude below -90", uplink({}, { latitude: -90.1 }), 400, "latitude is out of range"],
    ["a longitude above 180", uplink({}, { longitude: 180.1 }), 400, "longitude is out of range"],
    [
      "an uplink without latitude",
      uplink({}, { latitude: undefined }),
      400,
      "latitude is required",
    ],
    ["hotspots that are null", uplink({ hotspots: null }), 500, "Internal Server Error"],
    ["no hotspot", uplink({ hotspots: [] }), 500, "Internal Server Error"],
    ["a hotspot without a time", uplink({ hotspots: [{}] }), 500, "Internal Server Error"],
  ])("rejects %s", async (_what, body, status, words) => {
    const response = await open({ deployment: "hosted" }).send(body);
    expect([response.status, await response.text()]).toEqual([
      status,
      expect.stringContaining(words),
    ]);
    if (status === 400)
      expect(await (await open({ inputs: "observed" }).send(body)).text()).toBe("Invalid Fields");
  });

  test.each([
    { latitude: 90, longitude: 180 },
    { latitude: -90, longitude: -180 },
    { altitude: 0, accuracy: 0 },
    { altitude: -500 },
    { altitude: 100_000, accuracy: 5_000 },
  ])("accepts %j", async (payload) => {
    const { send, sandbox } = open();
    expect((await send(uplink({}, { ...payload, more: 1 }))).status).toBe(200);
    const { position } = sandbox.mapper.state.uplinks[0]!;
    expect(position).toEqual(uplink({}, payload).decoded.payload);
  });

  const message = mapper.ingest.input as {
    deviceInfo: object;
    rxInfo: { time: string; metadata: object }[];
  };
  const [gateway] = message.rxInfo;
  test("responds with the gateways of an uplink of a network server, and keeps it in a snapshot", async () => {
    const { send, sandbox } = open({ deployment: "hosted" });
    const response = await send(message);
    expect(await response.json()).toMatchObject({ hotspots: message.rxInfo, status: "success" });
    const { uplinks } = createSandbox({ snapshot: sandbox.snapshot() }).mapper.state;
    expect(uplinks).toEqual(sandbox.mapper.state.uplinks);
    expect(uplinks).toMatchObject([{ uplink: message }]);
  });

  test.each<[what: string, changes: object]>([
    ["no devEui", { deviceInfo: {} }],
    ["no deviceInfo", { deviceInfo: null }],
    ["no spreading factor", { txInfo: { modulation: {} } }],
    ["no gateway", { rxInfo: [] }],
    ["a gateway without a time", { rxInfo: [{ ...gateway, time: 7 }] }],
    ["a gateway without coordinates", { rxInfo: [{ ...gateway, metadata: {} }] }],
    [
      "a gateway without a longitude",
      { rxInfo: [{ ...gateway, metadata: { ...gateway?.metadata, gateway_long: "unknown" } }] },
    ],
    ["one gateway of two without a time", { rxInfo: [gateway, { ...gateway, time: undefined }] }],
  ])("responds with an error to an uplink of a network server with %s", async (_what, changes) => {
    const { send, sandbox } = open({ inputs: "observed" });
    expect((await send({ ...message, ...changes })).status).toBe(500);
    expect(sandbox.mapper.state.uplinks).toEqual([]);
  });

  const four = { latitude: 47.3769, longitude: 8.5417, altitude: 408, accuracy: 3.5 };
  test.each<[what: string, body: object]>([
    ["decoded.payload, beside an empty object", { decoded: { payload: four }, object: {} }],
    ["decoded.payload, beside an object with text", { decoded: { payload: four }, object: "x" }],
    ["object, beside other decoded data", { object: four, decoded: { payload: { level: 3 } } }],
    ["object, beside a payload in base64", { object: four, decoded: null, payload: "AQID" }],
  ])("accepts an uplink with only the four fields in %s", async (_what, body) => {
    const { send, sandbox } = open();
    const response = await send(body);
    expect([response.status, await response.text()]).toEqual([200, "Success"]);
    const { position } = sandbox.mapper.state.uplinks[0]!;
    expect(position).toEqual(four);
    const hosted = await open({ deployment: "hosted" }).send(body);
    expect([400, 500]).toContain(hosted.status);
  });

  test.each(["spec", "hosted"] as const)(
    "with deployment %s, accepts what the builder makes of the uplinks of any network server",
    async (deployment) => {
      const { client } = open({ deployment, requestsPerMinute: 1_000 });
      const built = Object.entries(uplinkForms).flatMap(([name, form]) => {
        const result = fromConsoleUplink(form.message);
        return result.isMappable ? [[name, result.uplink] as const] : [];
      });
      expect(built.length).toBeGreaterThanOrEqual(8);
      for (const [name, position] of built)
        await client.ingest(position).catch((error: Error) => expect.fail(`${name}: ${error}`));
    },
  );

  test("accepts 60 requests a minute, and rejects others with 429 and a string", async () => {
    const { send, sandbox } = open();
    for (let count = 0; count < 60; count++) expect((await send(uplink())).status).toBe(200);
    const refused = await send(uplink());
    expect([refused.status, await refused.text()]).toEqual([429, "Too many requests"]);
    await sandbox.clock.advance(60_000);
    expect((await send(uplink())).status).toBe(200);
  });
});
