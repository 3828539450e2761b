import { expect, test } from "vitest";
import type { ConsoleOptions } from "../console/console.ts";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import { SUBSCRIBER, call } from "../testing/all-state.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What depends on time: how a sandbox begins, and what it shows at the end. */
interface Course {
  readonly console?: ConsoleOptions;
  readonly begin?: (sandbox: Sandbox) => Promise<unknown> | void;
  readonly shows?: (sandbox: Sandbox) => unknown;
}

const credits =
  (dc_balance: number) =>
  ({ console: { state } }: Sandbox) =>
    void (state.organization.dc_balance = dc_balance);
const first = ({ console: { state } }: Sandbox) => [...state.devices.values()][0]!;
const events = async (sandbox: Sandbox) => {
  const ids = Array.from(sandbox.console.state.devices.values(), ({ id }) => id);
  return Promise.all(ids.map((id) => call(sandbox, `console GET /api/v1/devices/${id}/events`)));
};

const courses: Readonly<Record<string, Course>> = {
  "credits that suffice": { shows: events },
  "credits that run out": { begin: credits(10_007), shows: events },
  "credits that run out, with uplinks at the same moment": {
    begin: (sandbox) => {
      const { devices } = sandbox.console.state;
      const next_uplink = sandbox.clock.now() + 5;
      for (const device of devices.values())
        if (device.next_uplink !== Infinity) devices.update(device, { next_uplink });
      credits(1_003)(sandbox);
    },
    shows: events,
  },
  "no credits": { begin: credits(0), shows: events },
  "devices of which some are inactive": {
    begin: async (sandbox) => {
      const [label] = sandbox.console.state.labels.keys();
      await call(sandbox, `console PUT /api/v1/labels/${label}/active`, { active: false });
    },
    shows: events,
  },
  "an uplink in between, which costs a credit": {
    begin: async (sandbox) => {
      await sandbox.clock.advance(HOUR + 1);
      await sandbox.console.sendUplink({ device_id: first(sandbox).id });
    },
    shows: events,
  },
  "events of a device that has just been created": {
    begin: (sandbox) =>
      call(sandbox, "console POST /api/v1/devices", {
        name: "New",
        dev_eui: "0004A30B00000001",
        app_eui: "70B3D57ED0000001",
        app_key: "2B7E151628AED2A6ABF7158809CF4F3C",
      }),
    shows: events,
  },
  "events of full records": { console: { records: "full" }, shows: events },
  "an interval that fits in no step": { console: { uplinkInterval: 54_321 }, shows: events },
  "retries of a webhook, until it is dead": {
    begin: (sandbox) => {
      const url = "http://127.0.0.1:3000/hooks";
      sandbox.webhooks.register({ url, fetch: async () => new Response(null, { status: 500 }) });
      return sandbox.webhooks.trigger("sim.activated");
    },
    shows: ({ webhooks }) => webhooks.deliveries(),
  },
  "the renewal of a subscription": {
    begin: async (sandbox) => {
      const { text } = await call(sandbox, "mobile POST /v1/subscribers", SUBSCRIBER);
      const { id } = JSON.parse(text) as { id: string };
      await call(sandbox, "mobile POST /v1/subscriptions", { subscriber_id: id, plan_id: "p" });
    },
    shows: (sandbox) => {
      const [id] = sandbox.mobile.state.subscriptions.keys();
      return call(sandbox, `mobile GET /v1/subscriptions/${id}/renewal`);
    },
  },
  "events of ports and of all others, which no time emits": {
    shows: ({ webhooks }) => webhooks.events(),
  },
  "blocks, rewards and cursors of the ledger": {
    shows: async (sandbox) => {
      const address = sandbox.ledger.state.chain.addresses.of(3);
      const rewards = `ledger GET /v1/accounts/${address}/rewards?min_time=-1%20day`;
      return Promise.all(
        ["ledger GET /v1/blocks/height", "ledger GET /v1/blocks", rewards].map((route) =>
          call(sandbox, route),
        ),
      );
    },
  },
};

async function run({ console, begin, shows }: Course, steps: number): Promise<unknown> {
  const sandbox = createSandbox({ ...(console && { console }) });
  await begin?.(sandbox);
  for (let step = 0; step < steps; step++) {
    await sandbox.clock.advance((60 * DAY) / steps);
    // Reading the state brings the console up to date.
    void sandbox.console.state;
  }
  const shown = await shows?.(sandbox);
  const all = { shown, services: sandbox.snapshot().services };
  // A delivery lasts as long as the machine needs.
  return JSON.parse(JSON.stringify(all, (key, value) => (key === "duration" ? 0 : value)));
}

test.each(Object.entries(courses))(
  "%s: 60 days in one step are the same as 240 steps of 6 hours",
  async (_name, course) => {
    const whole = await run(course, 1);
    expect(await run(course, 240)).toEqual(whole);
    expect(await run(course, 64)).toEqual(whole);
  },
);

test("an event of a device never changes", async () => {
  const sandbox = createSandbox();
  const { id } = first(sandbox);
  const seen = new Map<string, object>();
  for (let look = 0; look < 40; look++) {
    if (look === 10) await sandbox.console.sendUplink({ device_id: id });
    if (look === 20) {
      const [label] = sandbox.console.state.labels.keys();
      await call(sandbox, `console PUT /api/v1/labels/${label}/active`, { active: false });
    }
    await sandbox.clock.advance(HOUR);
    const { text } = await call(sandbox, `console GET /api/v1/devices/${id}/events`);
    for (const event of JSON.parse(text) as { reported_at: string; sub_category: string }[]) {
      // Those of the seed have no neighbours to compare with.
      if (Number(event.reported_at) < Date.parse("2026-11-20T08:00:00Z")) continue;
      const key = `${event.reported_at} ${event.sub_category}`;
      expect(event).toEqual(seen.get(key) ?? event);
      seen.set(key, event);
    }
  }
  expect(seen.size).toBeGreaterThan(100);
});
