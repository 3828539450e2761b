import { expect, test } from "vitest";
import { newDevice, NOBODY, openConsole } from "../../testing/console.ts";
import type { ConsoleOptions } from "../console.ts";

const http = {
  type: "http",
  name: "Data lake",
  endpoint: "https://lake.example.com/uplinks",
  method: "post",
} as const;

test("each kind returns its credentials once, in the form of running deployments", async () => {
  const { send } = openConsole();
  const created = async (route: string, body: object) => {
    const response = await send(route, body);
    expect(response.status).toBe(201);
    const { id, ...rest } = (await response.json()) as Record<string, unknown>;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    return rest;
  };
  const links = { labels: [], devices: [] };
  const route = "POST /api/v1/integrations";
  const more = {
    headers: { authorization: "Bearer t0ken" },
    url_params: { device: "{{device_id}}" },
  };
  const { endpoint, method } = http;
  expect(await created(route, { ...http, ...more })).toEqual({
    name: "Data lake",
    type: "http",
    credentials: { endpoint, method, ...more },
    ...links,
  });
  const mqtt = { type: "mqtt", name: "Broker", endpoint: "mqtts://broker.example.com" };
  expect(await created(route, { ...mqtt, uplink_topic: "up", downlink_topic: "down" })).toEqual({
    name: "Broker",
    type: "mqtt",
    credentials: { endpoint: mqtt.endpoint, uplink: { topic: "up" }, downlink: { topic: "down" } },
    ...links,
  });
  const cloudA = { cloudA_policy_name: "p", cloudA_hub_name: "h" };
  expect(
    await created(route, { type: "cloudA", name: "A", ...cloudA, cloudA_primary_key: "k" }),
  ).toEqual({
    name: "A",
    type: "cloudA",
    credentials: { ...cloudA, cloudA_policy_key: "k" },
    ...links,
  });
  const cloudB = {
    topic: "t",
    cloudB_access_key: "a",
    cloudB_secret_key: "s",
    cloudB_region: "eu-1",
  };
  expect(await created(route, { type: "cloudB", name: "B", ...cloudB })).toEqual({
    name: "B",
    type: "cloudB",
    credentials: cloudB,
    ...links,
  });
  const prebuilt = { name: "Dashboards", type: "partner1", token: "t0ken" };
  expect(await created("POST /api/v1/integrations/prebuilt", prebuilt)).toEqual({
    name: "Dashboards",
    ...links,
  });
});

test("a name is accepted only once, whatever the type", async () => {
  const { client, send } = openConsole();
  await client.integrations.create(http);
  const response = await send("POST /api/v1/integrations/prebuilt", {
    name: http.name,
    type: "partner1",
    token: "t",
  });
  expect([response.status, await response.json()]).toEqual([
    422,
    { errors: { name: ["has already been taken"] } },
  ]);
  expect(await client.integrations.list()).toHaveLength(1);
});

test("a hosted deployment rejects an upper-case method, an unknown type and a missing field by name", async () => {
  const { send, sandbox } = openConsole({ console: { data: "empty", inputs: "observed" } });
  const refusal = async (body: object) => {
    const response = await send("POST /api/v1/integrations", body);
    return [response.status, Object.keys(((await response.json()) as { errors: object }).errors)];
  };
  expect(await refusal({ ...http, method: "POST" })).toEqual([422, ["method"]]);
  expect(await refusal({ ...http, endpoint: undefined })).toEqual([422, ["endpoint"]]);
  expect(await refusal({ ...http, type: "carrier pigeon" })).toEqual([422, ["type"]]);
  expect(sandbox.console.state.integrations.size).toBe(0);
});

test("flows link an integration to labels and devices, each once, and are deleted with their target", async () => {
  const { client, sandbox } = openConsole();
  const { id: integration_id } = await client.integrations.create(http);
  const label = await client.labels.create({ name: "Pumps" });
  const device = await client.devices.create(newDevice());
  const { message, integration } = await client.flows.create({
    integration_id,
    label_id: label.id,
  });
  expect(message).toBe("Flow created");
  expect(integration).toMatchObject({
    id: integration_id,
    labels: [{ id: label.id, name: "Pumps" }],
    devices: [],
  });
  await client.flows.create({ integration_id, label_id: label.id });
  await client.flows.create({ integration_id, device_id: device.id });
  const links = async () => {
    const { labels, devices } = await client.integrations.get({ integration_id });
    return [labels, devices].map((list) => list?.map(({ name }) => name));
  };
  expect(await links()).toEqual([["Pumps"], ["Tank 1"]]);
  await client.labels.delete({ label_id: label.id });
  expect(await links()).toEqual([[], ["Tank 1"]]);
  await client.devices.delete({ id: device.id });
  expect(await links()).toEqual([[], []]);
  expect(sandbox.console.state.flows.size).toBe(0);
});

test("deleting an integration returns its id and name, and deletes its flows", async () => {
  const { client, send, sandbox } = openConsole();
  const { id } = await client.integrations.create(http);
  const device = await client.devices.create(newDevice());
  await client.flows.create({ integration_id: id, device_id: device.id });
  expect(await (await send(`DELETE /api/v1/integrations/${id}`)).json()).toEqual({
    id,
    name: http.name,
  });
  expect(sandbox.console.state.flows.size).toBe(0);
  expect((await send(`DELETE /api/v1/integrations/${id}`)).status).toBe(404);
});

async function withIntegration(options: ConsoleOptions = {}) {
  const open = openConsole({ console: { data: "empty", ...options } });
  const lakeHttp = { name: "Data lake", endpoint: "https://lake.example.com", method: "post" };
  const { id: integration_id } = await open.client.integrations.createHttp(lakeHttp);
  const { id: device_id } = await open.client.devices.create(newDevice());
  return { ...open, integration_id, device_id };
}

test("a flow requires an existing integration, and exactly one existing target", async () => {
  const { send, integration_id, device_id, sandbox } = await withIntegration();
  const status = async (body: object) => (await send("POST /api/v1/flows", body)).status;
  expect(await status({ integration_id: NOBODY, device_id })).toBe(404);
  expect(await status({ integration_id, device_id: NOBODY })).toBe(404);
  expect(await status({ integration_id, label_id: NOBODY })).toBe(404);
  expect(await status({ integration_id })).toBe(422);
  expect(await status({ integration_id, device_id, label_id: NOBODY })).toBe(422);
  expect(sandbox.console.state.flows.size).toBe(0);
  expect((await send(`GET /api/v1/flows?integration_id=${NOBODY}`)).status).toBe(404);
  expect((await send("GET /api/v1/flows")).status).toBe(404);
});
