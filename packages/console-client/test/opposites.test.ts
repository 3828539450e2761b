import * as samples from "../src/samples.ts";
import { canaries } from "../../../tools/canaries/canaries.ts";
import { expect, test } from "vitest";
import { sendJson, startHttp } from "../../../tools/testing/http-server.ts";
import {
  createConsoleClient,
  isSecret,
  type ConsoleClient,
  type ConsoleClientOptions,
} from "../src/index.ts";
import { integrationEvent, uplinkEvent } from "../src/samples/records.ts";
import { euis, ids } from "./answering.ts";

// Where the contract defines nothing we guess. Each row is a server that does the opposite: the call succeeds, the response is
// returned, `onDrift` names the place, and the request is sent once.

interface Opposite {
  readonly call: (client: ConsoleClient) => Promise<unknown>;
  /** The body of the response, as JSON unless it is a string. */
  readonly body: unknown;
  readonly status?: number;
  /** What the call returns. By default, the body itself. */
  readonly output?: unknown;
  /** The paths that `onDrift` reports. */
  readonly drift: readonly string[];
  readonly options?: Partial<ConsoleClientOptions>;
  /** What the request contains. */
  readonly sent?: object;
}

const device = samples.devices.get.output;
const [listed] = samples.devices.list.output;
const tank = { name: "Tank 7", ...euis };
const label = samples.labels.get.output;
const integration = samples.integrations.get.output;
const created = samples.integrations.createHttp.output;
const lake = { name: "Lake", endpoint: "https://lake.test", method: "post" } as const;
const flow = { integration_id: ids.integration, label_id: ids.label };

const setActive = (client: ConsoleClient): Promise<unknown> =>
  client.devices.setActive({ device_id: ids.device, active: true });
const byEui = (client: ConsoleClient): Promise<unknown> =>
  client.devices.setActiveByEui({ dev_eui: euis.dev_eui, active: true });
const getIntegration = (client: ConsoleClient): Promise<unknown> =>
  client.integrations.get({ integration_id: ids.integration });
const createFlow = (client: ConsoleClient): Promise<unknown> => client.flows.create(flow);
const loose = { observedRules: false };

const opposites: Record<string, Opposite> = {
  "an activated device is in an envelope, with its key": {
    call: async (client) => JSON.stringify(await setActive(client)),
    body: { device: { app_key: "canary-4", active: true } },
    output: '{"device":{"app_key":"[redacted]","active":true}}',
    drift: [],
  },
  "the response to an activated device is true": {
    call: setActive,
    body: true,
    output: undefined,
    drift: [""],
  },
  "the response to an activated device is a list": {
    call: setActive,
    body: [{ id: ids.device, active: true }],
    output: undefined,
    drift: [""],
  },
  "the response to a config profile of a device is a string": {
    call: (client) =>
      client.devices.setConfigProfile({ device_id: ids.device, config_profile_id: null }),
    body: "Device updated",
    output: undefined,
    drift: [""],
  },
  "the response to a config profile of a label is empty": {
    call: (client) =>
      client.labels.setConfigProfile({ label_id: ids.label, config_profile_id: null }),
    body: "",
    output: undefined,
    drift: [""],
  },
  "the response to devices activated by EUI is a count": {
    call: byEui,
    body: { updated: 3 },
    drift: [],
  },
  "the response to devices activated by EUI is a string": {
    call: byEui,
    body: "Devices updated",
    output: undefined,
    drift: [""],
  },
  "the response to devices activated by EUI is a list of ids": {
    call: byEui,
    body: [ids.device],
    drift: ["[0]"],
  },
  "the response to the activated devices of a label is JSON": {
    call: (client) => client.labels.setActive({ label_id: ids.label, active: true }),
    body: { updated: 3 },
    drift: [],
  },
  "the links of an integration are ids": {
    call: getIntegration,
    body: { ...integration, labels: [ids.label], devices: [7, ids.device] },
    drift: ["labels[0]", "devices[0]", "devices[1]"],
  },
  "the linked labels of a list are names and numbers": {
    call: (client) => client.integrations.list(),
    body: [{ ...integration, labels: ["Pumps", { id: 7, name: null }] }],
    drift: ["[0].labels[0]", "[0].labels[1].id", "[0].labels[1].name"],
  },
  "an integration has no links at all": {
    call: getIntegration,
    body: { id: ids.integration, name: "Lake" },
    drift: ["labels", "devices"],
  },
  "credentials of a created integration are a list": {
    call: (client) => client.integrations.createHttp(lake),
    status: 201,
    body: { ...created, credentials: ["canary-1"] },
    output: expect.objectContaining({ credentials: expect.toSatisfy(isSecret) }),
    // The contract says that it is an object.
    options: { validation: "warn" },
    drift: ["credentials"],
  },
  "the response to a created flow is a record that is neither a string nor an integration": {
    call: createFlow,
    body: { flow: { id: ids.device } },
    drift: ["message"],
  },
  "fields of a label that were observed in deployments have other types": {
    call: (client) => client.labels.list(),
    body: [{ ...label, adr_allowed: "yes", rx_delay: "1", config_profile_id: 7 }],
    drift: ["[0].adr_allowed", "[0].rx_delay", "[0].config_profile_id"],
  },
  "fields of a device that were observed in deployments have other types": {
    call: async (client) => {
      const [found] = await client.devices.list();
      return [
        found?.region,
        found?.devaddr,
        isSecret(found?.nwk_s_key),
        isSecret(found?.app_s_key),
      ];
    },
    body: [{ ...listed, region: 5, devaddr: ["a"], nwk_s_key: 77, app_s_key: ["canary-2"] }],
    output: [5, ["a"], true, true],
    drift: ["[0].region", "[0].devaddr", "[0].nwk_s_key", "[0].app_s_key"],
  },
  "the labels of devices in a bulk create are names": {
    call: async (client) => {
      const { success } = await client.devices.createBatch({ devices: [tank] });
      return success.map((each) => each.labels);
    },
    body: {
      success: [{ ...tank, id: ids.device, config_profile_id: null, labels: ["Pumps"] }],
      failure: [],
    },
    output: [["Pumps"]],
    drift: ["success[0].labels[0]"],
  },
  "events have unknown categories and other data": {
    call: (client) => client.devices.events({ device_id: ids.device }),
    body: [{ ...uplinkEvent, category: "weather", sub_category: "rain", data: "wet" }],
    drift: [],
  },
  "the body of a recorded request is a number": {
    call: (client) => client.devices.integrationEvents({ device_id: ids.device }),
    body: [{ ...integrationEvent, data: { ...integrationEvent.data, req: { body: 7 } } }],
    drift: [],
  },
  "names of any length are accepted": {
    call: (client) => client.labels.create({ name: "x".repeat(500) }),
    status: 201,
    body: { ...label, name: "x".repeat(500) },
    drift: [],
    options: loose,
    sent: { name: "x".repeat(500) },
  },
  "EUIs are stored in lower case": {
    call: (client) => client.devices.createBatch({ devices: [tank] }),
    body: { success: [], failure: [] },
    drift: [],
    options: loose,
    sent: { devices: [tank] },
  },
  "methods of HTTP integrations are upper-case": {
    call: (client) => client.integrations.createHttp({ ...lake, method: "DELETE" }),
    status: 201,
    body: created,
    output: expect.objectContaining({ id: created.id }),
    drift: [],
    options: loose,
    sent: { method: "DELETE" },
  },
  "a created device needs a field that the contract does not list": {
    call: (client) => client.devices.create(Object.assign({ region: "EU868" }, tank)),
    status: 201,
    body: device,
    drift: [],
    output: expect.objectContaining({ id: device.id }),
    options: loose,
    sent: { region: "EU868" },
  },
};

// All packages together have at least forty: the other packages have such a test too.
test("there are at least ten opposites", () => {
  expect(Object.keys(opposites).length).toBeGreaterThanOrEqual(10);
});

test.for(Object.entries(opposites))("%s", async ([, opposite]) => {
  const { call, body, status = 200, drift, options = {}, sent = {} } = opposite;
  await using server = await startHttp((_, response) => {
    if (typeof body === "string") response.writeHead(status).end(body);
    else sendJson(response, body, status);
  });
  const paths: string[] = [];
  const client = createConsoleClient({
    baseUrl: server.baseUrl,
    apiKey: canaries.apiKey,
    onDrift: ({ problems }) => paths.push(...problems.map(({ path }) => path)),
    ...options,
  });
  const output = await call(client);
  expect(output).toEqual("output" in opposite ? opposite.output : body);
  expect(JSON.stringify(output) ?? "").not.toContain("canary");
  expect(paths).toEqual(drift);
  expect(server.received).toHaveLength(1);
  expect(JSON.parse(server.received[0]?.body || "{}")).toMatchObject(sent);
});
