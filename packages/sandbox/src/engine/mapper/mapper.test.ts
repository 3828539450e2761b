import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  createForwarder,
  createMapperClient,
  fromConsoleUplink,
  fromNetworkServer,
  type ForwardReport,
  type ForwarderOptions,
} from "@fieldmesh/mapper-client";
import { mapper } from "@fieldmesh/mapper-client/samples";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
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

function open(options: MapperOptions = {}, forwarding: Partial<ForwarderOptions> = {}) {
  const sandbox = createSandbox({ mapper: options });
  const { baseUrl, fetch } = sandbox.mapper;
  const client = createMapperClient({ baseUrl, fetch, retry: false });
  const reports: ForwardReport[] = [];
  const forward = createForwarder({
    client,
    authorization: "none",
    clock: sandbox.clock,
    onReport: (report) => reports.push(report),
    ...forwarding,
  });
  const deliver = (message: unknown) =>
    forward(
      new Request("https://backend.test/", { method: "POST", body: JSON.stringify(message) }),
    );
  const send = (body: unknown) =>
    fetch(`${baseUrl}/api/v1/ingest/uplink`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
  return { sandbox, client, forward, deliver, reports, send };
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
    ["a latitude above 90", uplink({}, { latitude: 90.1 }), 400, "latitude is out of range"],
    ...(["latitude", "longitude", "altitude", "accuracy"] as const).map(
      (field): [string, unknown, number, string] => [
        `an uplink without ${field}`,
        uplink({}, { [field]: undefined }),
        400,
        `${field} is required`,
      ],
    ),
    ["a latitude of 0", uplink({}, { latitude: 0 }), 400, "latitude is out of range"],
    [
      "an empty object, which is preferred",
      { ...uplink(), object: {} },
      400,
      "latitude is required",
    ],
    ["a payload that is null", uplink({ decoded: { payload: null } }), 400, "latitude is required"],
    ["decoded that is null", uplink({ decoded: null }), 400, "latitude is required"],
    ["a latitude below -90", uplink({}, { latitude: -90.1 }), 400, "latitude is out of range"],
    ["a longitude above 180", uplink({}, { longitude: 180.1 }), 400, "longitude is out of range"],
    ["a longitude below -180", uplink({}, { longitude: -180.1 }), 400, "longitude is out of range"],
    ["hotspots that are null", uplink({ hotspots: null }), 500, "Internal Server Error"],
    ["a hotspot that is null", uplink({ hotspots: [null] }), 500, "Internal Server Error"],
    [
      "one hotspot of two without a time",
      uplink({ hotspots: [{ reported_at: 1 }, {}] }),
      500,
      "Internal Server Error",
    ],
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
  const zero = { latitude: 0, longitude: 0, altitude: 0, accuracy: 0 };
  test.each<[what: string, body: object]>([
    ["decoded.payload", { decoded: { payload: four } }],
    ["object", { object: four }],
    ["decoded.payload at 0 degrees", { decoded: { payload: zero } }],
    ["object at 0 degrees", { object: zero }],
    ["decoded.payload, beside an empty object", { decoded: { payload: four }, object: {} }],
    ["decoded.payload, beside an object with text", { decoded: { payload: four }, object: "x" }],
    ["object, beside other decoded data", { object: four, decoded: { payload: { level: 3 } } }],
    ["object, beside a payload in base64", { object: four, decoded: null, payload: "AQID" }],
  ])("accepts an uplink with only the four fields in %s", async (_what, body) => {
    const { send, sandbox } = open();
    const response = await send(body);
    expect([response.status, await response.text()]).toEqual([200, "Success"]);
    const { position } = sandbox.mapper.state.uplinks[0]!;
    expect([four, zero]).toContainEqual(position);
    const hosted = await open({ deployment: "hosted" }).send(body);
    expect([400, 500]).toContain(hosted.status);
  });

  test("responds with 200, 400 or 429 to any JSON body, and never with 500", async () => {
    const { sandbox } = open({ requestsPerMinute: Infinity });
    const { baseUrl, fetch } = sandbox.mapper;
    const place = fc.record(
      { latitude: fc.jsonValue(), longitude: fc.jsonValue(), altitude: fc.jsonValue() },
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record(
        { decoded: fc.oneof(fc.jsonValue(), fc.record({ payload: place })), object: place },
        { requiredKeys: [] },
      ),
      fc.record(Object.fromEntries(Object.keys(uplink()).map((key) => [key, fc.jsonValue()]))),
    );
    await fc.assert(
      fc.asyncProperty(body, async (value) => {
        const response = await fetch(`${baseUrl}/api/v1/ingest/uplink`, {
          method: "POST",
          body: JSON.stringify(value),
          headers: { "content-type": "application/json" },
        });
        expect([200, 400, 429]).toContain(response.status);
      }),
    );
  });

  test.each(["spec", "hosted"] as const)(
    "with deployment %s, accepts what the builder makes of the uplinks of any network server",
    async (deployment) => {
      const { client } = open({ deployment, requestsPerMinute: 1_000 });
      const folder = join(import.meta.dirname, "../../../../mapper-client/test/forms");
      const built = readdirSync(folder).flatMap((name) => {
        const form = JSON.parse(readFileSync(join(folder, name), "utf8")) as { message: unknown };
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

describe("the forwarder", () => {
  test("forwards mappable uplinks, corrects small mistakes, and reports which uplinks it skipped and why", async () => {
    const { deliver, reports, sandbox, forward } = open();
    expect(await (await deliver(uplink({}, { altitude: 408.4 }))).json()).toEqual({
      outcome: "forwarded",
      changes: ["altitude: rounded to whole meters"],
      problems: [],
    });
    const out = await deliver(uplink({}, { latitude: 0 }));
    expect([out.status, reports[1]]).toMatchObject([
      200,
      {
        outcome: "left_out",
        dev_eui: "0004A30B001C0530",
        problems: [{ path: "decoded.payload.latitude" }],
      },
    ]);
    expect(sandbox.mapper.state.uplinks).toHaveLength(1);
    expect(forward.totals()).toEqual({
      forwarded: 1,
      left_out: 1,
      rejected: 0,
      unknown: 0,
      not_sent: 0,
    });
  });

  test("accepts the uplinks of a network server through their builder", async () => {
    const { deliver, reports, sandbox } = open({}, { build: fromNetworkServer });
    const { object, ...message } = mapper.ingest.input as { object: Record<string, number> };
    const { latitude, longitude, ...rest } = object;
    const response = await deliver({
      ...message,
      object: { ...rest, lat: latitude, lng: longitude },
    });
    expect([response.status, reports[0]]).toMatchObject([
      200,
      { outcome: "forwarded", dev_eui: "0004a30b001c0530" },
    ]);
    expect(sandbox.mapper.state.uplinks[0]!.position).toEqual(object);
    await deliver(uplink());
    expect(reports[1]).toMatchObject({ outcome: "left_out", problems: [{ path: "object" }] });
  });

  test("keeps the rate limit of the map: 150 deliveries at once are forwarded within 3 min, 0 rejected", async () => {
    const { deliver, sandbox, reports } = open({}, { maxWaiting: 200 });
    const began = sandbox.clock.now();
    const all = Promise.all(Array.from({ length: 150 }, (_, fcnt) => deliver(uplink({ fcnt }))));
    await sandbox.clock.advance(3 * 60_000);
    await all;
    expect(reports.every(({ outcome }) => outcome === "forwarded")).toBe(true);
    expect(sandbox.log.requests("mapper.ingest").map(({ status }) => status)).toEqual(
      Array.from({ length: 150 }, () => 200),
    );
    expect(sandbox.mapper.state.uplinks.at(-1)!.at - began).toBe(2 * 60_000);
  });

  test("gives up a delivery if the map keeps responding with 429", async () => {
    const { deliver, sandbox, reports } = open();
    sandbox.setFaults([{ on: "mapper.ingest", kind: "status", status: 429, times: Infinity }]);
    const response = deliver(uplink());
    await sandbox.clock.advance(60 * 60_000);
    await response;
    expect(reports).toMatchObject([{ outcome: "not_sent" }]);
  });

  test("waits if the map responds with 429 because others share the address", async () => {
    const { deliver, sandbox } = open();
    sandbox.setFaults([{ on: "mapper.ingest", kind: "status", status: 429, times: 1 }]);
    const response = deliver(uplink());
    await sandbox.clock.advance(61_000);
    expect((await response).status).toBe(200);
    expect(sandbox.mapper.state.uplinks).toHaveLength(1);
  });

  test.each([86_400, 61])(
    "a 429 with a Retry-After of %i s holds no delivery, and sends the map no request meanwhile",
    async (seconds) => {
      const { sandbox } = open();
      let asked = 0;
      const client = createMapperClient({
        baseUrl: sandbox.mapper.baseUrl,
        retry: false,
        fetch: async () => {
          asked++;
          return new Response("Too many requests", {
            status: 429,
            headers: { "retry-after": String(seconds) },
          });
        },
      });
      const { deliver, reports } = open({}, { client, clock: sandbox.clock });
      for (let i = 0; i < 3; i++) {
        const { status, headers } = await deliver(uplink());
        expect([status, headers.get("retry-after")]).toEqual([503, "60"]);
      }
      expect(asked).toBe(1);
      expect(reports.map(({ outcome }) => outcome)).toEqual(Array(3).fill("not_sent"));
      await sandbox.clock.advance(Math.min(seconds * 1_000, 3_600_000));
      await deliver(uplink());
      expect(asked).toBe(2);
    },
  );

  test("resubmits uplinks that were never sent, because the client retries them", async () => {
    const noConnection = Object.assign(new TypeError("fetch failed"), {
      cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED", syscall: "connect" }),
    });
    const { sandbox } = open();
    const { baseUrl, fetch } = sandbox.mapper;
    const through = async (failures: number) => {
      const client = createMapperClient({
        baseUrl,
        retry: { baseDelay: 1, maxDelay: 2 },
        fetch: async (...request) => {
          if (failures-- > 0) throw noConnection;
          return await fetch(...request);
        },
      });
      const { deliver, reports } = open({}, { client });
      const { status } = await deliver(uplink());
      return [status, reports[0]!.outcome];
    };
    expect(await through(2)).toEqual([200, "forwarded"]);
    expect(await through(9)).toEqual([503, "not_sent"]);
    expect(sandbox.mapper.state.uplinks).toHaveLength(1);
  });

  test("never exceeds its concurrency, and asks the sender to retry if too many deliveries wait", async () => {
    let [running, most] = [0, 0];
    const gates: (() => void)[] = [];
    const client = {
      ingest: async () => {
        most = Math.max(most, ++running);
        await new Promise<void>((resolve) => gates.push(resolve));
        running--;
        return { status: "success" as const };
      },
    };
    const { deliver, reports } = open(
      {},
      { client: client as never, concurrency: 2, maxWaiting: 3 },
    );
    const answers = Array.from({ length: 6 }, () => deliver(uplink()));
    while (reports.length < 6) {
      gates.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(most).toBe(2);
    expect(statuses.filter((status) => status === 503)).toHaveLength(1);
    expect(reports.filter(({ outcome }) => outcome === "not_sent")).toHaveLength(1);
  });

  test("never resends a submission that the map may have accepted: the caller decides that", async () => {
    const { deliver, sandbox, reports, client } = open();
    sandbox.setFaults([{ on: "mapper.ingest", kind: "lost", times: 1 }]);
    expect((await deliver(uplink())).status).toBe(200);
    expect(reports[0]).toMatchObject({ outcome: "unknown" });
    expect(sandbox.mapper.state.uplinks).toHaveLength(1);
    await client.ingest(reports[0]!.uplink!);
    expect(sandbox.mapper.state.uplinks).toHaveLength(2);
  });

  test("asks the sender to retry if nothing was sent, and not if the map rejected the uplink", async () => {
    const { deliver, reports, sandbox } = open({ responses: "json" });
    sandbox.setFaults([
      {
        on: "mapper.ingest",
        kind: "status",
        status: 400,
        body: { error: ["accuracy is odd"] },
        times: 1,
      },
    ]);
    expect((await deliver(uplink())).status).toBe(200);
    expect(reports[0]).toMatchObject({
      outcome: "rejected",
      problems: [{ path: "", message: "accuracy is odd" }],
    });
    sandbox.setFaults([{ on: "mapper.ingest", kind: "status", status: 403, times: 1 }]);
    const response = await deliver(uplink());
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "60"]);
  });

  test("rejects a body that is not JSON, and invalid options", async () => {
    const { forward, client } = open();
    const response = await forward(
      new Request("https://backend.test/", { method: "POST", body: "{" }),
    );
    expect(response.status).toBe(400);
    expect(() => createForwarder({ client } as never)).toThrow(/authorization is missing/);
    expect(() => createForwarder({ client, authorization: "none", perMinute: 0 })).toThrow(
      /perMinute/,
    );
  });
});
