import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeListener } from "../../packages/sandbox/src/index.ts";
import type { Handler } from "../../packages/sandbox/src/services.ts";

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Starts an HTTP server on loopback that sends the same response to every request and records the requests. */
export async function startFakeServer(fixed: {
  status?: number;
  body: string;
  headers?: Record<string, string>;
}) {
  const received: Received[] = [];
  const server = await startServed(async (request) => {
    const { pathname, search } = new URL(request.url);
    received.push({
      method: request.method,
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
    });
    const { status = 200, body, headers = {} } = fixed;
    // A Response made of a string would set a content-type of its own.
    return new Response(new TextEncoder().encode(body), { status, headers });
  });
  return { ...server, baseUrl: `${server.baseUrl}/prefix`, received };
}

/** Starts a server for a handler of the sandbox. */
export async function startServed(handler: Handler) {
  const server = createServer(toNodeListener(handler));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
