// The last chapter of the tour: the four services in one small back-end.
import { randomUUID } from "node:crypto";
import { createConsoleClient } from "@fieldmesh/console-client";
import { createLedgerClient } from "@fieldmesh/ledger-client";
import { createForwarder, createMapperClient } from "@fieldmesh/mapper-client";
import { createMobileClient } from "@fieldmesh/mobile-client";
import { type RunningSandbox, toNodeListener } from "@fieldmesh/sandbox";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { listen } from "./listen.ts";
import { print, printCode, prove, say, show } from "./screen.ts";

const tracker = {
  name: "Tracker 1",
  dev_eui: "0004A30B00F1E1D5",
  app_eui: "70B3D57ED0050009",
  app_key: "5F1D3A7C9E0B2D4F6A8C1E3B5D7F9A0C",
};
const secret = "whsec_of_all_four_together";

/** Takes an uplink from a device to the map, and a subscriber from the API to a handler. */
export async function tourTogether(sandbox: RunningSandbox): Promise<void> {
  const { clock } = sandbox;
  await tourMap(sandbox);

  say("The ledger returns the height of its chain at the sandbox's current time:");
  const ledger = createLedgerClient({ baseUrl: sandbox.ledger.baseUrl });
  await show(() => ledger.blocks.height({ max_time: new Date(clock.now()) }));

  await tourSubscriber(sandbox);
}

async function tourMap({ console: devices, mapper, clock }: RunningSandbox): Promise<void> {
  const { baseUrl, apiKey } = devices;
  const client = createConsoleClient({ baseUrl, apiKey });
  const map = createMapperClient({ baseUrl: mapper.baseUrl });
  // Only a sender that knows this header may deliver.
  const authorization = { name: "authorization", value: `Bearer ${randomUUID()}` };

  say("A forwarder on this machine passes the uplinks of the console on to the map:");
  const create = () =>
    createForwarder({
      client: map,
      authorization,
      onReport: ({ outcome, changes, problems }) => {
        print(`forwarder: ${outcome}`);
        for (const change of changes) print(`  ${change}`);
        for (const { path, message } of problems) print(`  ${path} ${message}`);
      },
      clock,
    });
  printCode(create);
  const server = await listen(toNodeListener(create()));
  const device = await client.devices.create(tracker);
  const integration = await client.integrations.createHttp({
    name: "Map forwarder",
    endpoint: `${server.origin}/uplinks`,
    method: "post",
    headers: { [authorization.name]: authorization.value },
  });
  await client.flows.create({ integration_id: integration.id, device_id: device.id });

  say("The device sends an uplink. Its decoder and the map use different field names:");
  const device_id = device.id;
  const decoded = { lat: 47.3769, lng: 8.5417, alt: 408.6, hdop: 0.9 };
  await show(() => devices.sendUplink({ device_id, decoded }), ["fcnt", "fate"]);

  say("A tracker without a fix sends 0, 0:");
  await devices.sendUplink({ device_id, decoded: { ...decoded, lat: 0, lng: 0 } });
  const uplinks = [...mapper.state.uplinks];
  prove(
    "Only real positions reach the map",
    uplinks.length === 1 && uplinks[0]?.dev_eui === tracker.dev_eui,
    `of 2 uplinks, the map received only ${uplinks.map(({ position }) => JSON.stringify(position)).join()}`,
  );
  server.close();
}

async function tourSubscriber({ mobile: service, webhooks, clock }: RunningSandbox): Promise<void> {
  const { baseUrl, apiKey, keys } = service;
  const mobile = createMobileClient({ baseUrl, apiKey, mode: "sandbox" });
  const support = createMobileClient({ baseUrl, apiKey: keys.rk });
  const emails: unknown[] = [];
  const receive = createReceiver({
    secret,
    clock,
    store: memoryStore({ clock }),
    handlers: {
      // The type of `object` follows from the name of the event.
      "subscriber.created": ({ data: { object } }) => {
        emails.push(object.email);
        print(`receiver: ${object.id} was created`);
      },
    },
  });
  const server = await listen(toNodeListener(receive));
  const url = `${server.origin}/hooks`;
  const endpoint = webhooks.register({ url, secret, enabled_events: ["subscriber.*"] });

  say("A subscriber is created, and the event reaches a receiver:");
  const person = { email: "ada@example.com", name: "Ada Example" };
  const { id = "" } =
    (await show(() => mobile.subscribers.create(person), ["id", "email", "created_at"])) ?? {};
  await webhooks.idle();
  say("A restricted key, such as one for support, reads the same subscriber:");
  const subscriber = await show(
    () => support.subscribers.get({ id }),
    ["id", "email", "created_at"],
  );
  prove(
    "Personal data only where it is allowed",
    emails.length === 1 && emails[0] === null && subscriber.email === null,
    "neither the event nor the response to the restricted key contains the email address",
  );
  webhooks.unregister(endpoint.id);
  server.close();
}
