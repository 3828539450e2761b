import { toNodeListener } from "../../server/node-listener.ts";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import type { WebhookEvent, UnknownEvent } from "@fieldmesh/webhook-types";

/** The error of a command for any other response. */
export const NOT_A_SANDBOX =
  "The program at this address is not a sandbox. Check the address that the sandbox printed.";

/** A request that a fake sandbox has received. */
export interface Received {
  /** Such as `GET /webhooks/events`. */
  readonly line: string;
  readonly authorization: string | null;
  readonly type: string | null;
  readonly body: string;
}

/** A response: its body as text or as JSON, with status 200, or both. */
export type Reply = object | string | { readonly status: number; readonly text: string };

/** Serves these responses as a sandbox, or as another program at its address. Any other request gets a 404. */
export async function fakeSandbox(replies: Readonly<Record<string, Reply>>) {
  const requests: Received[] = [];
  const server = await serveLocal(
    toNodeListener(async (request) => {
      const { method, url, headers } = request;
      const line = `${method} ${new URL(url).pathname}`;
      const [authorization, type] = [headers.get("authorization"), headers.get("content-type")];
      requests.push({ line, authorization, type, body: await request.text() });
      const { status, text } = read(replies[line] ?? { status: 404, text: "" });
      // If the status is that of a redirect, it leads back here.
      return new Response(text === "" ? null : text, { status, headers: { location: "/" } });
    }),
  );
  return Object.assign(server, { requests, origin: new URL(server.url).origin });
}

function read(reply: Reply): { readonly status: number; readonly text: string } {
  if (typeof reply === "string") return { status: 200, text: reply };
  if ("text" in reply && "status" in reply) return reply as { status: number; text: string };
  return { status: 200, text: JSON.stringify(reply) };
}

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
