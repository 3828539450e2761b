// The last chapter of the tour: the four services in one small back-end.
import { randomUUID } from "node:crypto";
import { createConsoleClient } from "@fieldmesh/console-client";
import { createLedgerClient } from "@fieldmesh/ledger-client";
import { createForwarder, createMapperClient } from "@fieldmesh/mapper-client";
import { createMobileClient } from "@fieldmesh/mobile-client";
import { type RunningSandbox, toNodeListener } from "@fieldmesh/sandbox";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { listen } from "./listen.ts";
import { chapter, say, show } from "./terminal.ts";

const TRACKER = {
  name: "Tracker 1",
  dev_eui: "0004A30B00F1E1D5",
  app_eui: "70B3D57ED0050009",
  app_key: "5F1D3A7C9E0B2D4F6A8C1E3B5D7F9A0C",
};

/** Takes an uplink from a device to the map, and a subscriber from the API to a handler. */
export async function tourTogether(sandbox: RunningSandbox, number: number): Promise<void> {
  const { clock, webhooks } = sandbox;
  const ledger = createLedgerClient({ baseUrl: sandbox.ledger.baseUrl });
  const devices = createConsoleClient({
    baseUrl: sandbox.console.baseUrl,
    apiKey: sandbox.apiKey,
  });
  const { baseUrl, apiKey } = sandbox.mobile;
  const mobile = createMobileClient({ baseUrl, apiKey, mode: "sandbox" });

  chapter(`${number}. All four: from a device to the map, from a subscriber to a handler`);
  say("A forwarder listens on this machine. Only who knows its header may deliver:");
  const authorization = { name: "authorization", value: `Bearer ${randomUUID()}` };
  const forwarder = createForwarder({
    client: createMapperClient({ baseUrl: sandbox.mapper.baseUrl }),
    authorization,
    clock,
    onReport: ({ outcome, dev_eui, changes, problems }) => {
      console.log(`  forwarder: ${dev_eui} ${outcome}`);
      for (const change of changes) console.log(`    ${change}`);
      for (const { path, message } of problems) console.log(`    ${path} ${message}`);
    },
  });
  const forwarding = await listen(toNodeListener(forwarder));

  const device = await show("client.devices.create({ … })", () => devices.devices.create(TRACKER));
  const integration = await show("client.integrations.createHttp({ … })", () =>
    devices.integrations.createHttp({
      name: "Map forwarder",
      endpoint: `${forwarding.origin}/uplinks`,
      method: "post",
      headers: { [authorization.name]: authorization.value },
    }),
  );
  const flow = { integration_id: integration.id, device_id: device.id };
  await show("client.flows.create({ integration_id, device_id })", () =>
    devices.flows.create(flow),
  );

  say("The device sends. Its decoder has names of its own, which the forwarder puts right:");
  const fix = { lat: 47.3769, lng: 8.5417, alt: 408.6, hdop: 0.9 };
  await show("sandbox.console.sendUplink({ device_id, decoded: { lat, lng, alt, hdop } })", () =>
    sandbox.console.sendUplink({ device_id: device.id, decoded: fix }),
  );
  for (const { dev_eui, position } of sandbox.mapper.state.uplinks)
    console.log(`  map: ${dev_eui} is at ${JSON.stringify(position)}`);
  say(
    "A fix of 0, 0 is none. It is left out, and the console gets a 200, because no repetition would help:",
  );
  await sandbox.console.sendUplink({ device_id: device.id, decoded: { ...fix, lat: 0, lng: 0 } });
  const uplinks = await devices.devices.integrationEvents({ device_id: device.id });
  for (const { frame_up, description } of uplinks)
    console.log(`  event of uplink ${frame_up}: ${description}`);

  say("The ledger says how long its chain was at that time:");
  await show("ledger.blocks.height({ max_time })", () =>
    ledger.blocks.height({ max_time: new Date(clock.now()) }),
  );

  say("A receiver listens for the mobile service. A subscriber is created, and its event arrives:");
  const receive = createReceiver({
    secret: "whsec_together",
    clock,
    store: memoryStore({ clock }),
    handlers: {
      // The type of `event` follows from its name; the contact fields are not in it.
      "subscriber.created": ({ data: { object } }) =>
        console.log(`  receiver: ${object.id} created, e-mail ${object.email}`),
    },
  });
  const receiving = await listen(toNodeListener(receive));
  const endpoint = webhooks.register({
    url: `${receiving.origin}/hooks`,
    secret: "whsec_together",
    enabled_events: ["subscriber.*"],
  });
  const person = { email: "ada@example.com", name: "Ada Example" };
  const subscriber = await show("mobile.subscribers.create({ email, name })", () =>
    mobile.subscribers.create(person),
  );
  await webhooks.idle();
  say("A key whose role may not see personal data reads the record without it:");
  const support = createMobileClient({ baseUrl, apiKey: sandbox.mobile.keys.rk });
  await show("support.subscribers.get({ id })", () =>
    support.subscribers.get({ id: subscriber.id }),
  );

  webhooks.unregister(endpoint.id);
  receiving.close();
  forwarding.close();
}
