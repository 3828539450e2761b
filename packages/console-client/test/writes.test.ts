import * as samples from "../src/samples.ts";
import { inspect } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  createConsoleClient,
  withResponse,
  type ConsoleClient,
  type ConsoleClientOptions,
} from "../src/index.ts";
import { answering, errorOf, euis, ids } from "./answering.ts";

// What a write resolves to: docs/decisions/36-what-a-write-resolves-to.md

const device = samples.devices.get.output;
const label = samples.labels.get.output;
const tank = { name: "Tank 7", ...euis };

/** Each response of a deployment, by the method and path of its request. */
type Answers = Readonly<Record<string, { readonly status?: number; readonly body?: unknown }>>;

function deployment(answers: Answers, options: Partial<ConsoleClientOptions> = {}) {
  const sent: string[] = [];
  const drift: string[] = [];
  const client = createConsoleClient({
    baseUrl: "https://console.test",
    apiKey: "key",
    retry: false,
    onDrift: ({ call, problems }) =>
      drift.push(...problems.map(({ path, message }) => `${call} ${path}: ${message}`)),
    ...options,
    fetch: async (url, { method }) => {
      const { pathname, search } = new URL(url);
      sent.push(`${method} ${pathname}`);
      const { status = 200, body } = answers[`${method} ${pathname}${search}`] ??
        answers[`${method} ${pathname}`] ?? { status: 500 };
      return new Response(status === 204 ? null : textOf(body), { status });
    },
  });
  return { client, sent, drift };
}

function textOf(body: unknown): string {
  return typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body);
}

const notRecords = {
  "an empty body": { status: 204 },
  null: { status: 201, body: null },
  "an empty object": { status: 201, body: {} },
  "a message": { status: 201, body: "Created" },
  "a record in an envelope": { status: 201, body: { data: { id: ids.device } } },
  "only an id": { status: 201, body: { id: ids.device } },
};

describe.each(Object.entries(notRecords))("a create that receives %s", (_, response) => {
  test("looks a label up by its name", async () => {
    const { client, sent, drift } = deployment({
      "POST /api/v1/labels": response,
      "GET /api/v1/labels": { body: label },
    });
    expect(await client.labels.create({ name: "Pumps" })).toEqual(label);
    expect(sent).toEqual(["POST /api/v1/labels", "GET /api/v1/labels"]);
    expect(drift).toEqual([expect.stringMatching(/^labels\.create : is /)]);
  });

  test("reads a device back from the list, whatever the case of its EUIs", async () => {
    const other = { ...device, dev_eui: "0004A30B001C0531" };
    const own = { ...device, dev_eui: "00:04:a3:0b:00:1c:05:30", app_key: "********" };
    const { client, sent } = deployment({
      "POST /api/v1/devices": response,
      "GET /api/v1/devices": { body: [other, own] },
    });
    expect(await client.devices.create(tank)).toMatchObject({ dev_eui: own.dev_eui });
    expect(sent).toEqual(["POST /api/v1/devices", "GET /api/v1/devices"]);
  });
});

test("reads a device back by its EUIs and its key if lookUp is true", async () => {
  const { client, sent } = deployment({
    "POST /api/v1/devices": { status: 201 },
    "GET /api/v1/devices": { body: samples.devices.find.output },
    [`GET /api/v1/devices/${device.id}`]: { body: device },
  });
  const created = await client.devices.create(tank, { lookUp: true });
  expect(created).toMatchObject({ total_packets: device.total_packets });
  expect(sent.map((each) => each.split(" ")[0])).toEqual(["POST", "GET", "GET"]);
});

test("suggests lookUp for a misspelled option of devices.create", async () => {
  const { client, sent } = answering(tank);
  const error = await errorOf(client.devices.create(tank, { lookup: true } as never));
  expect(error).toEqual(
    new TypeError('devices.create has no option "lookup". Did you mean "lookUp"?'),
  );
  expect(sent).toEqual([]);
});

test("rejects a lookUp that is not a boolean before anything is sent", async () => {
  const { client, sent } = deployment({});
  const error = await errorOf(client.devices.create(tank, { lookUp: "yes" as never }));
  expect(error).toMatchObject({ name: "InputError", outcome: "not_sent" });
  expect(error.message).toContain("options.lookUp: must be true or false");
  expect(sent).toEqual([]);
});

test("the key decides between devices of the list that have the same EUIs", async () => {
  const twin = { ...device, ...euis, id: ids.label, app_key: "0".repeat(32) };
  const own = { ...device, ...euis };
  const { client } = deployment({
    "POST /api/v1/devices": { status: 201 },
    "GET /api/v1/devices": { body: [twin, own] },
  });
  expect(await client.devices.create(tank)).toMatchObject({ id: device.id });
});

const absent = { status: 404, body: { errors: { error: ["Label not found"] } } };

test.each<[string, Answers, (client: ConsoleClient) => Promise<unknown>, RegExp]>([
  [
    "a label",
    { "POST /api/v1/labels": { status: 201 }, "GET /api/v1/labels": absent },
    (client) => client.labels.create({ name: "Pumps" }),
    /a lookup did not find it.* Call labels\.find before you create it again\.$/,
  ],
  [
    "a device",
    { "POST /api/v1/devices": { status: 201 }, "GET /api/v1/devices": { body: [] } },
    (client) => client.devices.create(tank),
    /a lookup did not find it.* Call devices\.list before you create it again\.$/,
  ],
  [
    "a device by its EUIs",
    { "POST /api/v1/devices": { status: 201 }, "GET /api/v1/devices": absent },
    (client) => client.devices.create(tank, { lookUp: true }),
    /a lookup did not find it/,
  ],
  [
    "a label, if the lookup fails",
    { "POST /api/v1/labels": { status: 201, body: "canary" } },
    (client) => client.labels.create({ name: "Pumps" }),
    /labels\.find, which looks it up, failed with 500/,
  ],
])("says that %s was created if nothing finds it", async (_, answers, call, message) => {
  const error = await errorOf(call(deployment(answers).client));
  expect(error).toMatchObject({ name: "ResponseValidationError", outcome: "applied", status: 201 });
  expect(error.message).toMatch(message);
  expect(error.message).toContain("The call was carried out.");
  expect(inspect(error)).not.toContain("canary");
});

const puts: Record<string, (client: ConsoleClient) => Promise<unknown>> = {
  "devices.setActive": ({ devices }) => devices.setActive({ device_id: ids.device, active: true }),
  "devices.setActiveByEui": ({ devices }) =>
    devices.setActiveByEui({ dev_eui: euis.dev_eui, active: true }),
  "devices.setConfigProfile": ({ devices }) =>
    devices.setConfigProfile({ device_id: ids.device, config_profile_id: null }),
  "labels.setActive": ({ labels }) => labels.setActive({ label_id: ids.label, active: true }),
  "labels.setConfigProfile": ({ labels }) =>
    labels.setConfigProfile({ label_id: ids.label, config_profile_id: null }),
};

describe.each(Object.entries(puts))("%s", (name, call) => {
  test.each(["strict", "warn", "off"] as const)(
    "resolves to undefined for no body, null and a number, with validation: %s",
    async (validation) => {
      vi.spyOn(console, "warn").mockImplementation(() => undefined);
      onTestFinished(() => void vi.restoreAllMocks());
      for (const body of ["", null, 7]) {
        const { client, sent } = answering(body, {}, { validation });
        expect(await call(client)).toBeUndefined();
        expect(sent).toHaveLength(1);
        const response = await withResponse(call(client));
        expect(response.body.reveal()).toBe(body === "" ? "" : JSON.stringify(body));
      }
    },
  );
});

test("returns the message that deployments send for the devices of a label, without quotes", async () => {
  const call = puts["labels.setActive"]!;
  expect(await call(answering("Devices updated").client)).toBe("Devices updated");
  expect(await call(answering('"Devices updated"').client)).toBe("Devices updated");
});

const shown: Record<string, (client: ConsoleClient) => Promise<unknown>> = {
  "flows.create": ({ flows }) =>
    flows.create({ integration_id: ids.integration, label_id: ids.label }),
  "integrations.createMqtt": ({ integrations }) =>
    integrations.createMqtt({ name: "B", endpoint: "e", uplink_topic: "u", downlink_topic: "d" }),
  "integrations.delete": ({ integrations }) =>
    integrations.delete({ integration_id: ids.integration }),
  "devices.createBatch": ({ devices }) => devices.createBatch({ devices: [tank] }),
};

test.each(Object.entries(shown))(
  "%s rejects a response without the record that the spec shows, and says that it was carried out",
  async (_, call) => {
    for (const body of ["", null, {}, 7, []])
      expect(await errorOf(call(answering(body).client))).toMatchObject({
        name: "ResponseValidationError",
        outcome: "applied",
      });
  },
);

describe("a find", () => {
  const finds: Record<string, (client: ConsoleClient) => Promise<unknown>> = {
    "labels.find": ({ labels }) => labels.find({ name: "Pumps" }),
    "integrations.find": ({ integrations }) => integrations.find({ name: "Lake" }),
    "devices.find": ({ devices }) => devices.find(euis),
  };

  test.each(Object.entries(finds))(
    "%s returns undefined for the console's own 404",
    async (_, call) => {
      for (const body of [{ errors: { error: ["Label not found"] } }, "Devices not found"]) {
        const { client } = answering(body, { status: 404 });
        expect(await call(client)).toBeUndefined();
        expect(await withResponse(call(client))).toMatchObject({ output: undefined, status: 404 });
      }
    },
  );

  test.each(Object.entries(finds))(
    "%s rejects every other 404, and doubts the address",
    async (_, call) => {
      for (const body of [
        "",
        "Not Found",
        "<html></html>",
        { error: "Not Found" },
        { errors: { detail: "Not Found" } },
      ]) {
        const error = await errorOf(call(answering(body, { status: 404 }).client));
        expect(error).toMatchObject({ name: "ApiError", status: 404 });
        expect(error.message).toContain("the address may be wrong: check baseUrl");
        expect(error.message).not.toMatch(/(Label|Device|Integration) not found/);
      }
    },
  );

  test("is not logged as a failure if nothing matches", async () => {
    const error = vi.fn();
    const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error };
    const { client } = answering(absent.body, { status: 404 }, { logger });
    await client.labels.find({ name: "Pumps" });
    expect([error.mock.calls, logger.warn.mock.calls]).toEqual([[], []]);
  });
});

test("a get rejects the console's own 404", async () => {
  const { client } = answering(absent.body, { status: 404 });
  expect(await errorOf(client.labels.get({ label_id: ids.label }))).toMatchObject({ status: 404 });
});
