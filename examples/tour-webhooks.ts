// The webhooks' chapter of the tour: a receiver, and all that happens to deliveries.
import type { RunningSandbox } from "@fieldmesh/sandbox";
import { toNodeHandler } from "@fieldmesh/webhook-types/adapters";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { listen } from "./listen.ts";
import { chapter, say, show } from "./terminal.ts";

const HALF_A_MINUTE = 30_000;

/** Lets a receiver take live deliveries of a sandbox. */
export async function tourWebhooks(sandbox: RunningSandbox, number: number): Promise<void> {
  const { clock, webhooks } = sandbox;
  // What a process holds; the store would be Redis or PostgreSQL where there are several.
  const store = memoryStore({ clock });
  const receive = createReceiver({
    secret: "whsec_tour",
    clock,
    store,
    handlers: {
      "sim.activated": (event) => console.log(`  activated: ${event.data.object.id}`),
      otherwise: (event) => console.log(`  left alone: ${event.type}`),
    },
    onOutcome: ({ outcome, status }) => console.log(`  ${outcome}, answered ${status}`),
  });

  chapter(`${number}. Webhooks: a receiver that loses nothing`);
  let listener = toNodeHandler(receive);
  const server = await listen((req, res) => void listener(req, res));
  const endpoint = webhooks.register({
    url: `${server.origin}/hooks`,
    secret: "whsec_tour",
    enabled_events: ["*", "sim.activated"],
  });
  say("A receiver listens, and the sandbox knows its address and signs with its secret.");
  await show('sandbox.webhooks.trigger("sim.activated")', () => webhooks.trigger("sim.activated"));

  say("The same event twice: it is handled once, and both deliveries are answered 200.");
  webhooks.disturb({ duplicates: 1 });
  await webhooks.trigger("sim.activated");
  webhooks.disturb({});

  say("The process dies in the handler: no 2xx was answered, so the event comes again in 30 s.");
  const alive = listener;
  listener = async () => server.breakConnections();
  await webhooks.trigger("sim.activated");
  listener = alive;
  await webhooks.advance(HALF_A_MINUTE);

  say("A type that is newer than this version is no failure:");
  await webhooks.trigger("drone.landed");

  const deliveries = webhooks.deliveries().filter(({ endpoint_id: id }) => id === endpoint.id);
  const attempts = deliveries.reduce((sum, each) => sum + each.attempts.length, 0);
  const delivered = deliveries.filter(({ status }) => status === "delivered").length;
  say(`${deliveries.length} deliveries, ${attempts} attempts, ${delivered} delivered.`);
  webhooks.unregister(endpoint.id);
  server.close();
}
