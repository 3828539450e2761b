import { createServer } from "node:http";
import type { ConsoleClient } from "@fieldmesh/console-client";
import { expect, test } from "vitest";
import { call } from "../../testing/all-state.ts";
import { NOBODY, newDevice, openConsole } from "../../testing/console.ts";
import { openControls } from "../../testing/controls.ts";

const HOUR = 3_600_000;
const CANARY = "canary-71aa";

interface Event {
  readonly category: string;
  readonly sub_category: string;
  readonly data: {
    readonly fcnt?: number;
    readonly req?: object;
    readonly res?: object;
    readonly integration?: { readonly status: string };
  };
}

const hook = {
  name: "Hook",
  endpoint: `https://hook.example.com/${CANARY}`,
  method: "post",
  headers: { authorization: `Bearer ${CANARY}` },
  url_params: { token: CANARY, eui: "{{dev_eui}}" },
} as const;

const FULL = { data: "empty", records: "full" } as const;

/** Connects a new device to the hook. Returns the id of the device. */
async function connect(client: ConsoleClient): Promise<string> {
  const { id: device_id } = await client.devices.create(newDevice());
  const { id: integration_id } = await client.integrations.createHttp(hook);
  await client.flows.create({ integration_id, device_id });
  return device_id;
}

async function withHook(options = {}) {
  const open = openConsole({ console: { ...FULL, ...options } });
  const device_id = await connect(open.client);
  const [integration] = await open.client.integrations.list();
  const events = async () =>
    (await (await open.send(`GET /api/v1/devices/${device_id}/events`)).json()) as Event[];
  const of = async (kind: string) =>
    (await events()).filter(({ sub_category }) => sub_category === kind);
  return { ...open, device_id, integration_id: integration!.id, events, of };
}

const kinds = (events: readonly Event[]) =>
  new Set(events.map(({ category, sub_category }) => `${category} ${sub_category}`));

test("full records have unconfirmed uplinks, joins, drops and responses", async () => {
  const { client, sandbox, device_id, events, of } = await withHook();
  await sandbox.clock.advance(4 * HOUR);
  const [confirmed, unconfirmed] = [await of("uplink_confirmed"), await of("uplink_unconfirmed")];
  expect(unconfirmed.length).toBeGreaterThan(confirmed.length);
  expect(confirmed).not.toEqual([]);
  expect(Object.keys(unconfirmed[0]!.data)).toEqual(Object.keys(confirmed[0]!.data));
  await client.devices.setActive({ device_id, active: false });
  await sandbox.clock.advance(HOUR);
  await client.devices.setActive({ device_id, active: true });
  sandbox.console.state.organization.dc_balance = 0;
  await sandbox.clock.advance(HOUR);
  expect(kinds(await events())).toEqual(
    new Set([
      "uplink_dropped uplink_dropped_not_enough_dc",
      "uplink_dropped uplink_dropped_device_inactive",
      "uplink uplink_integration_res",
      "uplink uplink_integration_req",
      "uplink uplink_unconfirmed",
      "uplink uplink_confirmed",
      "join_accept undefined",
      "join_request undefined",
    ]),
  );
});

test("the published spec shows two kinds of events, so drops and joins show none", async () => {
  const { client, sandbox, device_id, events } = await withHook({ records: "spec" });
  await sandbox.clock.advance(HOUR);
  const before = await events();
  expect(kinds(before)).toEqual(
    new Set(["uplink uplink_integration_req", "uplink uplink_confirmed"]),
  );
  expect(Object.keys(before[0]!.data.req!)).toEqual(["qos", "body"]);
  await client.devices.setActive({ device_id, active: false });
  await sandbox.clock.advance(HOUR);
  expect(await events()).toEqual(before);
});

test("a request has method, address, headers and parameters, also after its integration is gone", async () => {
  const { client, sandbox, integration_id, of } = await withHook();
  await sandbox.clock.advance(HOUR);
  const sent = await of("uplink_integration_req");
  expect(sent[0]!.data.req).toEqual({
    method: "post",
    url: hook.endpoint,
    headers: hook.headers,
    url_params: { token: CANARY, eui: newDevice().dev_eui },
    body: expect.objectContaining({ dev_eui: newDevice().dev_eui }),
  });
  expect((await of("uplink_integration_res"))[0]!.data.res).toEqual({
    body: "",
    code: 200,
    headers: {},
  });
  await client.integrations.delete({ integration_id });
  expect(await of("uplink_integration_req")).toEqual(sent);
  const forked = sandbox.fork();
  sandbox.restore(JSON.parse(JSON.stringify(sandbox.snapshot())));
  expect(await of("uplink_integration_req")).toEqual(sent);
  expect(forked.console.state.formerIntegrations.size).toBe(1);
});

test("a response that does not arrive is no event, and one that rejects has its status", async () => {
  const server = createServer((_, response) => void response.writeHead(503).end());
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const { client, sandbox, device_id, of } = await withHook();
  const endpoint = `http://127.0.0.1:${port}/`;
  const { id: integration_id } = await client.integrations.createHttp({
    ...hook,
    name: "Own",
    endpoint,
  });
  await client.flows.create({ integration_id, device_id });
  await sandbox.console.sendUplink({ device_id });
  server.close();
  expect(await of("uplink_integration_req")).toHaveLength(2);
  expect(await of("uplink_integration_res")).toMatchObject([
    { data: { integration: { name: "Own", status: "error" }, res: { code: 503 } } },
  ]);
});

test.each(["events", "events?sub_category=uplink_integration_req"])(
  "the log hides the request of an event in %s",
  async (path) => {
    const { sandbox, client, send } = openControls({ console: FULL });
    const device_id = await connect(client);
    await sandbox.clock.advance(HOUR);
    const { text } = await call(sandbox, `console GET /api/v1/devices/${device_id}/${path}`);
    expect(text).toContain(CANARY);
    const { number } = sandbox.log.requests().at(-1)!;
    const shown = JSON.stringify((await send(`GET /requests/${number}`)).body);
    expect(shown).toContain(device_id);
    expect(shown).not.toContain(CANARY);
  },
);

test("the default fleet has an integration with a flow, so integration events exist", async () => {
  for (const records of ["spec", "full"] as const) {
    const { client, sandbox, send } = openConsole({ console: { records } });
    const [integration] = await client.integrations.list();
    const [flow] = await client.flows.list({ integration_id: integration!.id });
    const device = [...sandbox.console.state.devices.values()].find((each) =>
      each.label_ids.has(flow?.label_id ?? NOBODY),
    );
    const path = `devices/${device?.id}/events?sub_category=uplink_integration_req`;
    expect(await (await send(`GET /api/v1/${path}`)).json()).toHaveLength(10);
  }
});
