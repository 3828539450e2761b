import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the server received it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Starts an HTTP server on loopback, and counts the opened connections. */
export async function startServer(listener: RequestListener) {
  let opened = 0;
  const server = createServer(listener);
  server.on("connection", () => opened++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    opened: () => opened,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts a server that records the requests. */
export async function startHttp(respond: (request: Received, response: ServerResponse) => void) {
  const received: Received[] = [];
  const server = await startServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on("data", (chunk: Buffer) => chunks.push(chunk));
    message.on("end", () => {
      const { method = "", url = "", headers } = message;
      const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
      received.push(request);
      respond(request, response);
    });
  });
  return { ...server, received };
}

/** Starts a server that sends the same response to every request. */
export async function startFakeServer({
  status = 200,
  body,
  headers = {},
}: {
  status?: number;
  body: string;
  headers?: Record<string, string>;
}) {
  const server = await startHttp((_, response) => response.writeHead(status, headers).end(body));
  return { ...server, baseUrl: `${server.baseUrl}/prefix` };
}

/** Responds with JSON. */
export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
