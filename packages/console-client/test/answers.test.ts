import * as samples from "../src/samples.ts";
import { expect, test } from "vitest";
import {
  isIntegrationEvent,
  isSecret,
  isUplinkBody,
  parseUtc,
  stringifyJson,
} from "../src/index.ts";
import { integrationEvent as handed } from "../src/samples/records.ts";
import { answering, euis, ids } from "./answering.ts";

const device = samples.devices.list.output[0]!;

test("returns organizations as a list, even if the console returns one", async () => {
  const one = { dc_balance: 1, id: ids.device, name: "Board" };
  expect(await answering(one).client.organization.list()).toEqual([one]);
  expect(await answering([one, one]).client.organization.list()).toEqual([one, one]);
});

test("returns one device for a lookup by EUIs, even if the console returns the full record or a list", async () => {
  for (const answer of [samples.devices.find.output, device, [device]]) {
    const found = await answering(answer).client.devices.find(euis);
    expect(found?.dev_eui).toBe(device.dev_eui);
    expect(isSecret(found?.app_key)).toBe(true);
  }
});

test("returns the response of setActiveByEui, one record or a list, with every key hidden", async () => {
  const input = { dev_eui: euis.dev_eui, active: true };
  const one = await answering(device).client.devices.setActiveByEui(input);
  expect(one).toMatchObject({ id: device.id });
  const two = await answering([device, device]).client.devices.setActiveByEui(input);
  expect(two).toMatchObject([{ id: device.id }, { id: device.id }]);
  for (const each of [one, two].flat()) expect(isSecret(each?.app_key)).toBe(true);
});

test("reads times without a zone as UTC, and rejects anything else", () => {
  expect(parseUtc("2026-11-20T08:30:00").toISOString()).toBe("2026-11-20T08:30:00.000Z");
  expect(parseUtc("2026-11-20T08:30:00+01:00").toISOString()).toBe("2026-11-20T07:30:00.000Z");
  expect(() => parseUtc("yesterday")).toThrow(RangeError);
});

test("accepts any request body of an integration event, and recognizes the documented one", async () => {
  const bodies = [
    handed.data.req.body,
    "temperature=21",
    "Request body is too long to be shown",
    [1, 2],
    null,
    5,
  ];
  const answer = bodies.map((body) => ({ ...handed, data: { ...handed.data, req: { body } } }));
  const events = await answering(answer).client.devices.integrationEvents({
    device_id: ids.device,
  });
  expect(events.map(({ data }) => isUplinkBody(data.req.body))).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test("isUplinkBody rejects a body in which any field has another type, at any depth", () => {
  const { body } = handed.data.req;
  const [hotspot] = body.hotspots;
  const variants = [
    ...Object.keys(body).map((name) => ({ ...body, [name]: [[]] })),
    ...Object.keys(body.metadata).map((name) => ({
      ...body,
      metadata: { ...body.metadata, [name]: [] },
    })),
    ...Object.keys(hotspot!).map((name) => ({ ...body, hotspots: [{ ...hotspot, [name]: [] }] })),
  ];
  expect(isUplinkBody(body)).toBe(true);
  expect(variants.filter(isUplinkBody)).toEqual([]);
});

test("reported_at is a string in an event and a number in its body", async () => {
  const events = await answering([handed]).client.devices.events({ device_id: ids.device });
  const event = events.find(isIntegrationEvent);
  expect(new Date(Number(event?.reported_at)).getUTCFullYear()).toBe(2026);
  const body = event?.data.req.body;
  expect(isUplinkBody(body) && typeof body.reported_at).toBe("number");
});

test.for<[string, Record<string, unknown>]>([
  [
    "http",
    {
      endpoint: "https://canary-1",
      method: "post",
      headers: { a: "canary-2" },
      url_params: { b: "canary-3" },
    },
  ],
  [
    "mqtt",
    { endpoint: "mqtt://canary-1", uplink: { topic: "canary-2" }, downlink: { topic: "canary-3" } },
  ],
  [
    "cloudA",
    { cloudA_policy_name: "canary-1", cloudA_hub_name: "canary-2", cloudA_policy_key: "canary-3" },
  ],
  [
    "cloudB",
    {
      topic: "canary-1",
      cloudB_access_key: "canary-2",
      cloudB_secret_key: "canary-3",
      cloudB_region: "canary-4",
    },
  ],
  ["partner1", { token: "canary-1" }],
  ["partner2", { webhook_token: "canary-1", deep: [{ secret: "canary-2" }] }],
])("hides every string in the credentials of %s", async ([type, credentials]) => {
  const answer = { ...samples.integrations.get.output, type, credentials };
  const integration = await answering(answer).client.integrations.get({
    integration_id: ids.integration,
  });
  expect(JSON.stringify(integration)).not.toContain("canary");
  expect(JSON.parse(stringifyJson(integration, { reveal: true })).credentials).toEqual(credentials);
});

test("hooks hide recorded requests and their responses", async () => {
  const seen: unknown[] = [];
  const req = {
    headers: { "x-any": "canary-1" },
    url_params: { a: "canary-2" },
    body: { downlink_url: "https://console.test/down/canary-3", name: "canary-7" },
  };
  const res = { code: 200, headers: { "x-any": "canary-4" }, body: "canary-8" };
  const recorded = [
    { ...handed, data: { ...handed.data, req } },
    { ...handed, sub_category: "uplink_integration_res", data: { res } },
    ...[
      "downlink_url=https://console.test/canary-5",
      '{"downlink_url":"https://x.test/canary-6"}',
    ].map((body) => ({ ...handed, data: { ...handed.data, req: { body } } })),
  ];
  const hooks = { onResponse: (event: unknown) => void seen.push(event) };
  const { client } = answering(recorded, {}, { hooks });
  const events = await client.devices.events({ device_id: ids.device });
  expect(JSON.stringify(events[0])).not.toMatch(/canary-[1-6]/);
  expect(JSON.parse(stringifyJson(events[0], { reveal: true }))).toMatchObject({
    data: { req: { ...req, headers: expect.any(String), url_params: expect.any(String) } },
  });
  expect(JSON.stringify(seen)).not.toContain("canary");
  expect(JSON.stringify(seen)).toContain("[undeclared]");
});
