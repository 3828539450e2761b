import { Secret } from "@fieldmesh/core";
import { ledgerFaults } from "../ledger/errors.ts";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import type { SandboxOptions } from "../sandbox/sandbox-options.ts";
import { newDevice, requestOf } from "./console.ts";

/** Sends a request to a service of a sandbox, such as `console GET /api/v1/labels`, with its key. Returns status and body. */
export async function call(
  sandbox: Sandbox,
  route: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string; headers: [string, string][] }> {
  const [service = "console", ...rest] = route.split(" ");
  const { baseUrl, fetch } = sandbox[service as "console"];
  const authorization = `Bearer ${sandbox.mobile.apiKey}`;
  const own = { key: sandbox.apiKey, authorization, "user-agent": "tests", ...headers };
  const response = await fetch(requestOf(baseUrl, rest.join(" "), body, own));
  return { status: response.status, text: await response.text(), headers: [...response.headers] };
}

/** Receivers of deliveries in this process, by their status. */
export interface Receiver {
  status: number;
  readonly bodies: string[];
}

export const UPLINK = {
  dev_eui: "0004A30B00000001",
  hotspots: [{ reported_at: 1_795_161_600_000, id: "h", name: "n", rssi: -90 }],
  decoded: {
    payload: { latitude: 47.5, longitude: 7.5, altitude: 260, accuracy: 2.5 },
    status: "success",
  },
};

export const SUBSCRIBER = { email: "ada@example.com", name: "Ada Example" };

/** Creates a sandbox with state of every kind. Each line that adds a kind names it. */
export async function sandboxWithAllState(
  options: SandboxOptions = {},
): Promise<{ sandbox: Sandbox; receiver: Receiver; ids: Record<string, string> }> {
  const sandbox = createSandbox(options);
  const receiver: Receiver = { status: 500, bodies: [] };
  const done = async (
    ...request: [route: string, body?: unknown, headers?: Record<string, string>]
  ) => {
    const { status, text } = await call(sandbox, ...request);
    if (status >= 300) throw new Error(`${request[0]} failed with ${status}: ${text}`);
    return text;
  };
  const json = async (...request: Parameters<typeof done>) =>
    JSON.parse(await done(...request)) as Record<string, string>;
  // Labels, devices, integrations with credentials, flows, and their ids.
  const label = await json("console POST /api/v1/labels", { name: "All" });
  const device = await json("console POST /api/v1/devices", {
    ...newDevice(7),
    label_ids: [label["id"]],
  });
  const integration = await json("console POST /api/v1/integrations", {
    name: "Hook",
    type: "http",
    endpoint: "https://elsewhere.example.com",
    method: "post",
    headers: { authorization: "secret" },
    url_params: {},
  });
  await json("console POST /api/v1/flows", {
    integration_id: integration["id"],
    label_id: label["id"],
  });
  // Stretches: one by the clock, and one of sendUplink with a payload and a failed delivery.
  await sandbox.clock.advance(3_600_000);
  await sandbox.console.sendUplink({
    device_id: String(device["id"]),
    decoded: { level: 2n ** 60n },
  });
  await done(`console PUT /api/v1/devices/${device["id"]}`, { active: false });
  // State that only tests change.
  sandbox.console.state.organization.dc_balance = 1_000;
  sandbox.console.state.keys.set("another-key", "confirmed");
  sandbox.ledger.state.loops.add("blocks.list");
  sandbox.ledger.state.cursorLifetime = 5_000;
  sandbox.ledger.state.expireCursors();
  // The map, with an integer beyond 2^53, and rate limits.
  await done("mapper POST /api/v1/ingest/uplink", UPLINK);
  await done("ledger GET /v1/blocks");
  // Webhooks: endpoints with two secrets, events with codes, a delivery that is retried, disturbances.
  const endpoint = sandbox.webhooks.register({
    url: "http://127.0.0.1:3000/hooks",
    secret: new Secret("whsec_first"),
    fetch: async (request) => {
      receiver.bodies.push(await request.text());
      return new Response(null, { status: receiver.status });
    },
  });
  sandbox.webhooks.rotate(endpoint.id);
  sandbox.webhooks.disturb({ duplicates: 1, lostResponses: 1 });
  await sandbox.webhooks.trigger("sim.activated");
  await sandbox.webhooks.trigger("cpni.verification.requested");
  // Mobile records, and a remembered idempotency key.
  const subscriber = await json("mobile POST /v1/subscribers", SUBSCRIBER, {
    "idempotency-key": "once",
  });
  await done("mobile POST /v1/subscriptions", {
    subscriber_id: subscriber["id"],
    plan_id: "plan_1",
  });
  // Faults: rules with a count, and an earlier device list.
  sandbox.setFaults([
    { on: "devices.list", kind: "stale", times: Infinity, skip: 2 },
    { on: "accounts.list", times: 3, ...ledgerFaults.busy, retryAfter: new Date(0) },
  ]);
  await call(sandbox, "console GET /api/v1/devices");
  await call(sandbox, "console POST /api/v1/labels", { name: "Later" });
  await call(sandbox, "ledger GET /v1/accounts");
  await sandbox.webhooks.idle();
  const ids = {
    label: String(label["id"]),
    device: String(device["id"]),
    subscriber: String(subscriber["id"]),
  };
  return { sandbox, receiver, ids };
}
