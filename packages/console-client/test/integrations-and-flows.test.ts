import * as samples from "../src/samples.ts";
import { expect, test } from "vitest";
import { InputError, type NewFlow, type NewIntegration } from "../src/index.ts";
import { answering, errorOf, ids } from "./answering.ts";

const answer = samples.integrations.get.output;
const http = { name: "Lake", endpoint: "https://lake.test", method: "POST" } as const;

test("sends the method of an HTTP integration in lower case, and rejects methods other than the four", async () => {
  const { client, sent } = answering(answer, { status: 201 });
  await client.integrations.createHttp(http);
  expect(sent[0]?.body).toEqual({
    name: "Lake",
    type: "http",
    endpoint: "https://lake.test",
    method: "post",
  });
  const error = await errorOf(client.integrations.createHttp({ ...http, method: "delete" }));
  expect(error.message).toContain("method: expected one of post, get, put, patch");
});

test("does not change placeholders in double curly brackets", async () => {
  const { client, sent } = answering(answer, { status: 201 });
  await client.integrations.createHttp({ ...http, url_params: { device: "{{device_id}}" } });
  expect(sent[0]?.body).toMatchObject({ url_params: { device: "{{device_id}}" } });
});

test.for<[NewIntegration["type"], string]>([
  ["http", "/api/v1/integrations"],
  ["mqtt", "/api/v1/integrations"],
  ["cloudA", "/api/v1/integrations"],
  ["cloudB", "/api/v1/integrations"],
  ["partner1", "/api/v1/integrations/prebuilt"],
])("create calls the endpoint of %s", async ([type, path]) => {
  const { client, sent } = answering(answer, { status: 201 });
  const { createHttp, createMqtt, createCloudA, createCloudB, createPrebuilt } =
    samples.integrations;
  const rows = [createHttp, createMqtt, createCloudA, createCloudB, createPrebuilt];
  const input = rows.map((row) => row.input).find((each) => each.type === type);
  await client.integrations.create(input as NewIntegration);
  expect(sent[0]?.url.pathname).toBe(path);
  expect(sent[0]?.body).toEqual(input);
});

test("create calls one endpoint for every partner", async () => {
  for (const type of ["partner1", "partner2", "partner3", "partner4"] as const) {
    const { client, sent } = answering(answer, { status: 201 });
    const input = { ...samples.integrations.createPrebuilt.input, type };
    await client.integrations.create(input);
    expect(sent.map(({ url }) => url.pathname)).toEqual(["/api/v1/integrations/prebuilt"]);
    expect(sent[0]?.body).toEqual(input);
  }
});

test("the error of an unknown type lists the existing types", async () => {
  const { client, sent } = answering(answer);
  const error = await errorOf(client.integrations.create({ ...http, type: "smtp" } as never));
  expect(error).toBeInstanceOf(InputError);
  expect(error.message).toContain("type: must be http, mqtt, cloudA, cloudB, partner1");
  expect(error).toMatchObject({
    call: "integrations.create",
    route: "POST /api/v1/integrations",
  });
  expect(sent).toEqual([]);
});

test("list requests a path with a slash at the end, find one without", async () => {
  const list = answering([answer]);
  await list.client.integrations.list();
  expect(list.sent[0]?.url.pathname).toBe("/api/v1/integrations/");
  const find = answering(answer);
  await find.client.integrations.find({ name: "Lake & co" });
  expect(find.sent[0]?.url.href).toBe(
    "https://console.test/api/v1/integrations?name=Lake%20%26%20co",
  );
});

test("a flow requires either a label or a device, and not both", async () => {
  const { client, sent } = answering("Flow created");
  const both = {
    integration_id: ids.integration,
    label_id: ids.label,
    device_id: ids.device,
  } as never;
  expect((await errorOf(client.flows.create(both))).message).toContain(
    "exactly one of label_id and device_id",
  );
  expect(
    await errorOf(client.flows.create({ integration_id: ids.integration } as NewFlow)),
  ).toBeInstanceOf(InputError);
  expect(sent).toEqual([]);
});

const integration = { id: ids.integration, name: "Lake", labels: [], devices: [] };

test.for<[string, unknown, object]>([
  ["a string", "Flow created", { message: "Flow created" }],
  ["a record", integration, { integration }],
  [
    "a record with a message",
    { ...integration, message: "Flow created" },
    { message: "Flow created", integration },
  ],
])("flows.create returns the same shape for %s", async ([, wire, output]) => {
  const { client } = answering(wire);
  expect(
    await client.flows.create({ integration_id: ids.integration, label_id: ids.label }),
  ).toEqual(output);
});
