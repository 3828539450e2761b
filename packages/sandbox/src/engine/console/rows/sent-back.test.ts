import { expect, test } from "vitest";
import { NOBODY, newDevice, openConsole } from "../../testing/console.ts";

const json = async (response: Promise<Response>) => (await response).json() as Promise<unknown>;

async function withRecords(options = {}) {
  const open = openConsole({ console: { data: "empty", ...options } });
  const { id: label_id } = await open.client.labels.create({ name: "Pumps" });
  const device = await open.client.devices.create({ ...newDevice(), label_ids: [label_id] });
  const lake = { name: "Lake", endpoint: "https://lake.example.com", method: "post" } as const;
  const { id: integration_id } = await open.client.integrations.createHttp(lake);
  await open.client.flows.create({ integration_id, label_id });
  return { ...open, label_id, device_id: device.id, integration_id };
}

test.each([
  ["nothing else", {}],
  ["the fields of a device", newDevice(9)],
  ["a field that nobody knows", { dry_run: true }],
])("a body with devices and %s is the bulk form", async (_what, others) => {
  const { send } = openConsole();
  const response = await send("POST /api/v1/devices", { devices: [newDevice()], ...others });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    success: [{ dev_eui: newDevice().dev_eui }],
    failure: [],
  });
});

test.each([[null], ["all"], [{}]])(
  "devices that are %j are still the bulk form",
  async (devices) => {
    const { send, sandbox } = openConsole();
    const response = await send("POST /api/v1/devices", { ...newDevice(), devices });
    expect(response.status).toBe(400);
    expect(sandbox.console.state.devices.size).toBe(0);
  },
);

test("a change of a device with both fields is not accepted, and changes nothing", async () => {
  const { send, sandbox, device_id } = await withRecords();
  for (const config_profile_id of [null, NOBODY, 7]) {
    const both = { active: false, config_profile_id };
    const response = await send(`PUT /api/v1/devices/${device_id}`, both);
    expect(response.status).toBe(422);
  }
  expect(sandbox.console.state.devices.get(device_id)).toMatchObject({
    active: true,
    config_profile_id: null,
  });
});

test("a deployment may accept both fields, and makes both changes", async () => {
  const { send, device_id } = await withRecords({ bothChanges: "allowed" });
  const put = (body: object) => send(`PUT /api/v1/devices/${device_id}`, body);
  expect(await json(put({ active: false, config_profile_id: NOBODY }))).toMatchObject({
    active: false,
    config_profile_id: NOBODY,
  });
  for (const wrong of [
    { active: "no", config_profile_id: null },
    { active: true, config_profile_id: 7 },
  ])
    expect((await put(wrong)).status).toBe(422);
});

/** Each record that the console returns and also accepts, and what makes it free again. */
const records: Readonly<
  Record<string, (open: Awaited<ReturnType<typeof withRecords>>) => Promise<[string, object]>>
> = {
  "a flow of a label": async ({ send, integration_id }) => {
    const [flow] = (await json(send(`GET /api/v1/flows?integration_id=${integration_id}`))) as [
      { id: string },
    ];
    await send(`DELETE /api/v1/flows/${flow.id}`);
    return ["flows", flow];
  },
  "a flow of a device": async ({ send, client, integration_id, device_id }) => {
    await client.flows.create({ integration_id, device_id });
    const flows = await json(send(`GET /api/v1/flows?integration_id=${integration_id}`));
    return ["flows", (flows as object[])[1]!];
  },
  "a label": async ({ send, label_id }) => {
    const label = (await json(send(`GET /api/v1/labels/${label_id}`))) as object;
    await send(`DELETE /api/v1/labels/${label_id}`);
    return ["labels", { config_profile_id: null, ...label }];
  },
  "a device of the list": async ({ send, device_id }) => {
    const [device] = (await json(send("GET /api/v1/devices"))) as [object];
    await send(`DELETE /api/v1/devices/${device_id}`);
    return ["devices", device];
  },
  "a device of the list, in the bulk form": async ({ send, device_id }) => {
    const [device] = (await json(send("GET /api/v1/devices"))) as [object];
    await send(`DELETE /api/v1/devices/${device_id}`);
    return ["devices", { devices: [{ ...device, label_ids: null }] }];
  },
  "an integration with links and without headers": async () => {
    const hook = { name: "Hook", type: "http", endpoint: "https://a.example.com", method: "post" };
    return ["integrations", { ...hook, devices: [], labels: [], headers: null, url_params: null }];
  },
};

test.each(
  Object.entries(records).flatMap(([what, free]) =>
    ([{}, { records: "full", inputs: "observed" }] as const).map(
      (options) => [what, JSON.stringify(options), free, options] as const,
    ),
  ),
)("%s may be sent back as it came, with %s", async (_what, _options, free, options) => {
  const open = await withRecords(options);
  const [path, body] = await free(open);
  const response = await open.send(`POST /api/v1/${path}`, body);
  expect([response.status, await response.text()]).toEqual([
    expect.toBeOneOf([200, 201]),
    expect.not.stringContaining("error"),
  ]);
});

test("null in place of a required field is missing", async () => {
  const { send, integration_id } = await withRecords();
  const flow = { integration_id, label_id: null, device_id: null };
  expect((await send("POST /api/v1/flows", flow)).status).toBe(422);
  expect(await json(send("POST /api/v1/labels", { name: null }))).toEqual({
    errors: { name: ["can't be blank"] },
  });
});
