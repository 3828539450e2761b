import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { isIntegrationEvent, isUplinkBody } from "@fieldmesh/console-client";
import { check } from "@fieldmesh/mapper-client";
import { parseConsoleUplink } from "@fieldmesh/mapper-client/uplink";
import { afterEach, describe, expect, test } from "vitest";
import { newDevice, NOBODY, openConsole } from "../../testing/console.ts";

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

/** Starts a server on loopback that records its requests, and returns its address. */
async function listen(respond: RequestListener = (_request, response) => response.end()) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      respond(request, response);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  opened.push(close);
  const { port } = server.address() as AddressInfo;
  return { received, server, close, url: `http://127.0.0.1:${port}/uplinks` };
}

/** Creates a device with a flow to an HTTP integration. */
async function connect(endpoint: string, more: object = {}, setup: object = {}) {
  const { client, sandbox } = openConsole({ console: { data: "empty", ...setup } });
  const { id: device_id } = await client.devices
    .createBatch({ devices: [newDevice()] })
    .then(({ success }) => success[0]!);
  const attach = async (name: string, url: string, options: object = {}) => {
    const { id } = await client.integrations.createHttp({
      name,
      endpoint: url,
      method: "post",
      ...options,
    });
    await client.flows.create({ integration_id: id, device_id });
    return id;
  };
  await attach("Data lake", endpoint, more);
  const events = async () =>
    (await client.devices.integrationEvents({ device_id })).filter(isIntegrationEvent);
  return { client, sandbox, device_id, attach, events };
}

const decoded = { latitude: 47.3769, longitude: 8.5417, altitude: 408, accuracy: 3.5 };

describe("an uplink that the test sends", () => {
  test("is delivered as the standard uplink of the console, with the headers of the integration", async () => {
    const { received, url } = await listen();
    const { client, sandbox, device_id, events } = await connect(url, {
      headers: { Authorization: "Bearer canary-71aa", "x-team": "pumps" },
    });
    const before = await client.organization.list();
    const sent = await sandbox.console.sendUplink({ device_id, decoded });
    expect(sent).toMatchObject({
      dev_eui: newDevice().dev_eui,
      fcnt: 0,
      fate: "taken",
      deliveries: [
        {
          integration: { name: "Data lake" },
          outcome: "accepted",
          status: 200,
          failure: undefined,
        },
      ],
    });
    expect(received).toHaveLength(1);
    const [{ method, headers, body }] = received as [Received];
    expect([method, headers["content-type"], headers.authorization, headers["x-team"]]).toEqual([
      "POST",
      "application/json",
      "Bearer canary-71aa",
      "pumps",
    ]);
    const uplink = await parseConsoleUplink(body);
    expect(uplink).toMatchObject({
      dev_eui: newDevice().dev_eui,
      fcnt: 0,
      name: "Tank 1",
      decoded: { payload: decoded, status: "success" },
      reported_at: sandbox.clock.now(),
    });
    expect(check(uplink)).toEqual([]);
    const [event] = await events();
    expect(event).toMatchObject({
      description: "Request sent to Data lake",
      data: {
        integration: { name: "Data lake", status: "success" },
        req: { body: JSON.parse(body) },
      },
    });
    expect(isUplinkBody(event!.data.req.body)).toBe(true);
    const after = await client.organization.list();
    expect(Number(before[0]!.dc_balance) - Number(after[0]!.dc_balance)).toBe(1);
  });

  test("is delivered only to the integrations of the device and of its labels, each once", async () => {
    const [one, two, three] = [await listen(), await listen(), await listen()];
    const { client, sandbox, device_id, attach, events } = await connect(one.url);
    const label = await client.labels.create({ name: "Pumps" });
    await client.devices.addLabel({ device_id, label: label.id });
    const integration_id = await attach("Both", two.url);
    await client.flows.create({ integration_id, label_id: label.id });
    await client.integrations.createHttp({ name: "Apart", endpoint: three.url, method: "post" });
    await client.integrations
      .createMqtt({ name: "Broker", endpoint: "mqtt://x", uplink_topic: "u", downlink_topic: "d" })
      .then(({ id }) => client.flows.create({ integration_id: id, device_id }));
    const { deliveries } = await sandbox.console.sendUplink({ device_id });
    expect(deliveries.map(({ integration, outcome }) => [integration.name, outcome])).toEqual([
      ["Data lake", "accepted"],
      ["Both", "accepted"],
      ["Broker", "simulated"],
    ]);
    expect([one, two, three].map(({ received }) => received.length)).toEqual([1, 1, 0]);
    expect((await events()).map(({ data }) => data.integration.name)).toEqual([
      "Data lake",
      "Both",
      "Broker",
    ]);
    expect(JSON.parse(one.received[0]!.body)).not.toHaveProperty("decoded");
  });

  test("is sent with the method of the integration, and with url_params from the uplink", async () => {
    const { received, url } = await listen();
    const url_params = {
      device: "{{device_id}}",
      eui: "id {{ dev_eui }}&",
      level: "{{decoded.payload.level}}",
      all: "{{decoded.payload}}",
      none: "{{decoded.constructor}}{{nothing}}",
    };
    const { sandbox, device_id, attach } = await connect(`${url}?key=1`, {
      method: "PUT",
      url_params,
    });
    await attach("Reader", url, { method: "get" });
    await sandbox.console.sendUplink({
      device_id,
      decoded: { level: 12_345_678_901_234_567_890n },
    });
    const put = received.find(({ method }) => method === "PUT")!;
    expect([...new URL(put.url, url).searchParams]).toEqual([
      ["key", "1"],
      ["device", device_id],
      ["eui", `id ${newDevice().dev_eui}&`],
      ["level", "12345678901234567890"],
      ["all", '{"level":12345678901234567890}'],
      ["none", ""],
    ]);
    expect(put.body).toContain('"level":12345678901234567890');
    expect(received.find(({ method }) => method === "GET")).toMatchObject({ body: "" });
  });

  test("is listed in the events of the device in order of time, and does not change the others", async () => {
    const { url } = await listen();
    const { client, sandbox, device_id } = await connect(url);
    await sandbox.clock.advance(20 * 60_000);
    await sandbox.console.sendUplink({ device_id, decoded });
    await sandbox.console.sendUplink({ device_id, decoded });
    await sandbox.clock.advance(20 * 60_000);
    const events = await client.devices.events({ device_id });
    const uplinks = events.filter(({ sub_category }) => sub_category === "uplink_confirmed");
    expect(uplinks.map(({ frame_up }) => frame_up)).toEqual([5, 4, 3, 2, 1, 0]);
    const times = uplinks.map(({ reported_at }) => Number(reported_at));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(times[1]! - times[4]!).toBe(10 * 60_000);
  });

  test("has the fields that running deployments add, if the console simulates such a deployment", async () => {
    const { received, url } = await listen();
    const { sandbox, device_id } = await connect(url, {}, { deployment: "hosted" });
    await sandbox.console.sendUplink({ device_id });
    expect(await parseConsoleUplink(received[0]!.body)).toMatchObject({
      type: "uplink",
      replay: false,
      metadata: { labels: [] },
    });
  });
});

describe("a failure", () => {
  test("of an endpoint that rejects or is unreachable is an outcome and an event; the next one arrives", async () => {
    let status = 503;
    const { received, url, close } = await listen((_request, response) => {
      response.statusCode = status;
      response.end("canary-answer");
    });
    const { client, sandbox, device_id, events } = await connect(url);
    const first = await sandbox.console.sendUplink({ device_id });
    expect(first.deliveries).toMatchObject([
      { outcome: "rejected", status: 503, failure: "it responded with 503" },
    ]);
    expect((await events())[0]).toMatchObject({
      description: "Request to Data lake failed: it responded with 503",
      data: { integration: { status: "error" } },
    });
    status = 302;
    expect((await sandbox.console.sendUplink({ device_id })).deliveries).toMatchObject([
      { outcome: "rejected", status: 302 },
    ]);
    status = 204;
    expect((await sandbox.console.sendUplink({ device_id })).deliveries).toMatchObject([
      { outcome: "accepted" },
    ]);
    close();
    const last = await sandbox.console.sendUplink({ device_id });
    expect(last.deliveries).toMatchObject([
      { outcome: "no_response", status: undefined, failure: "no connection, or one that broke" },
    ]);
    expect((await events()).map(({ data }) => data.integration.status)).toEqual([
      "error",
      "success",
      "error",
      "error",
    ]);
    expect(received).toHaveLength(3);
    expect(await client.devices.list()).toHaveLength(1);
  });

  test("of an endpoint that hangs ends after 10 s of the sandbox's clock, and does not delay the others", async () => {
    const asked = Promise.withResolvers<void>();
    const hanging = await listen(() => asked.resolve());
    const other = await listen();
    const { sandbox, device_id, attach, events } = await connect(hanging.url);
    await attach("Other", other.url);
    const sending = sandbox.console.sendUplink({ device_id });
    await asked.promise;
    await sandbox.clock.advance(9_999);
    await expect.poll(events).toMatchObject([{ data: { integration: { name: "Other" } } }]);
    await sandbox.clock.advance(1);
    expect((await sending).deliveries).toMatchObject([
      { outcome: "no_response", failure: "no response within 10 s" },
      { outcome: "accepted" },
    ]);
    expect((await events()).map(({ data }) => data.integration.name)).toEqual([
      "Data lake",
      "Other",
    ]);
    expect(sandbox.clock.pending).toBe(0);
  });

  test("a reset ends deliveries in progress", async () => {
    const asked = Promise.withResolvers<void>();
    const { url } = await listen(() => asked.resolve());
    const { sandbox, device_id } = await connect(url);
    const sending = sandbox.console.sendUplink({ device_id });
    await asked.promise;
    sandbox.reset();
    expect((await sending).deliveries).toMatchObject([{ outcome: "no_response" }]);
    await expect(sandbox.console.sendUplink({ device_id })).rejects.toThrow(/There is no device/);
  });

  test.each([
    ["https://lake.example.com/uplinks", /this machine only: use an endpoint on 127\.0\.0\.1/],
    ["http://127.0.0.1.example.com/", /this machine only/],
    ["http://192.168.0.7/", /this machine only/],
    ["http://0.0.0.0/", /this machine only/],
    ["ftp://127.0.0.1/", /no http or https URL/],
    ["canary", /no http or https URL/],
    ["http://me:canary@127.0.0.1/", /user and password/],
  ])("nothing is sent to %s, and the outcome names the reason", async (endpoint, failure) => {
    const { sandbox, device_id, events } = await connect(endpoint);
    const { deliveries } = await sandbox.console.sendUplink({ device_id });
    expect(deliveries).toMatchObject([
      { outcome: "not_sent", failure: expect.stringMatching(failure) },
    ]);
    const [event] = await events();
    expect(event).toMatchObject({
      description: expect.stringMatching(failure),
      data: { integration: { status: "error" } },
    });
    expect(inspect([deliveries, event], { depth: 9 })).not.toMatch(/canary|example\.com|192\.168/);
  });

  test("the console accepts no uplink of an inactive device or without credits, and delivers nothing", async () => {
    const { received, url } = await listen();
    const { client, sandbox, device_id } = await connect(url);
    await client.devices.setActive({ device_id, active: false });
    expect(await sandbox.console.sendUplink({ device_id })).toMatchObject({
      fate: "inactive",
      deliveries: [],
    });
    await client.devices.setActive({ device_id, active: true });
    sandbox.console.state.organization.dc_balance = 0;
    expect(await sandbox.console.sendUplink({ device_id })).toMatchObject({
      fate: "no credit",
      fcnt: 1,
      deliveries: [],
    });
    expect(received).toEqual([]);
    await expect(sandbox.console.sendUplink({ device_id: NOBODY })).rejects.toThrow(TypeError);
  });

  test("no credential is shown if the log, the state, the outcome or the events are printed", async () => {
    const { received, url } = await listen();
    const { client, sandbox, device_id, events } = await connect(`${url}/canary-a`, {
      headers: { authorization: "canary-b" },
      url_params: { token: "canary-c" },
    });
    const sent = await sandbox.console.sendUplink({ device_id });
    expect(JSON.stringify(received).match(/canary-\w/g)).toEqual(
      expect.arrayContaining(["canary-a", "canary-b", "canary-c"]),
    );
    const shown = [
      sandbox.log.requests(),
      [...sandbox.console.state.integrations.values()],
      sent,
      await events(),
      await client.integrations.list(),
    ];
    const text =
      inspect([shown, sandbox], { depth: 12, showHidden: true }) +
      JSON.stringify(shown, (_key, value: unknown) =>
        typeof value === "bigint" ? `${value}` : value,
      );
    expect(text).toContain("Data lake");
    expect(text).not.toContain("canary");
  });
});
