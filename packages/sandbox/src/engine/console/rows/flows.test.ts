import { expect, test } from "vitest";
import { newDevice, NOBODY, openConsole } from "../../testing/console.ts";
import type { ConsoleOptions } from "../console.ts";

async function withIntegration(options: ConsoleOptions = {}) {
  const open = openConsole({ console: { data: "empty", ...options } });
  const http = { name: "Data lake", endpoint: "https://lake.example.com", method: "post" };
  const { id: integration_id } = await open.client.integrations.createHttp(http);
  const { id: device_id } = await open.client.devices.create(newDevice());
  return { ...open, integration_id, device_id };
}

test("the flows of an integration are listed, with null for the missing target", async () => {
  const { client, integration_id, device_id, sandbox } = await withIntegration();
  const function_id = NOBODY;
  await client.flows.create({ integration_id, device_id, function_id });
  const [flow, ...others] = await client.flows.list({ integration_id });
  const organization_id = sandbox.console.state.organization.id;
  expect(flow).toEqual({
    id: flow?.id,
    integration_id,
    device_id,
    label_id: null,
    function_id,
    organization_id,
  });
  expect(others).toEqual([]);
  expect(await client.flows.delete({ flow_id: flow?.id ?? "" })).toBe("Flow deleted");
  expect(await client.flows.list({ integration_id })).toEqual([]);
  await expect(client.flows.delete({ flow_id: flow?.id ?? "" })).rejects.toMatchObject({
    status: 404,
  });
});

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

test("a deployment may respond to the creation of a flow with only a string", async () => {
  const { client, send, integration_id, device_id } = await withIntegration({
    flowCreated: "text",
  });
  const response = await send("POST /api/v1/flows", { integration_id, device_id });
  expect([response.headers.get("content-type"), await response.text()]).toEqual([
    null,
    "Flow created",
  ]);
  expect(await client.flows.create({ integration_id, device_id })).toEqual({
    message: "Flow created",
  });
});
