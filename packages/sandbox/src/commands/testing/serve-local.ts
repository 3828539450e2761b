import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import type { WebhookEvent, UnknownEvent } from "@fieldmesh/webhook-types";
import { toNodeListener } from "../../server/node-listener.ts";

/** Serves on a free port of this machine. */
export async function serveLocal(
  listener: RequestListener,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Serves a receiver that keeps the events that it handles. */
export async function serveReceiver(secret: string) {
  const events: (WebhookEvent | UnknownEvent)[] = [];
  const outcomes: string[] = [];
  const receive = createReceiver({
    secret,
    store: memoryStore(),
    handlers: { "*": (event) => void events.push(event) },
    onOutcome: ({ outcome }) => void outcomes.push(outcome),
    onError: () => {},
  });
  return Object.assign(await serveLocal(toNodeListener(receive)), { events, outcomes });
}
