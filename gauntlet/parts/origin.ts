import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import { bodyFor } from "./label.ts";
import { listen } from "./listen.ts";
import type { Context, World } from "./row.ts";

/** Responds to a request whose `body` has arrived whole. `number` counts from 1. */
export type Respond = (
  request: IncomingMessage,
  response: ServerResponse,
  number: number,
  body?: string,
) => unknown;

/** The working server behind every fault. It counts what was really done. */
export interface Origin extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly requests: () => number;
  readonly posts: () => number;
  /** Requests that carried the key. */
  readonly keys: () => number;
  /** The connections that are open now. */
  readonly open: () => number;
  /** The connections that no client needs any more. See `World`. */
  readonly leftOpen: () => number;
}

/** Responds as the console does. */
export const respondWell: Respond = ({ method }, response) =>
  sendJson(response, method === "POST" ? 201 : 200, bodyFor(method));

export function sendJson(response: ServerResponse, status: number, body: string): void {
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, { "content-type": "application/json", "content-length": length });
  response.end(body);
}

/** fetch keeps a connection for the next request, and opens another one for a request that follows at the very moment of a response. */
export const IDLE = 2;

/** Starts a server on loopback, with TLS if it has a certificate. */
export async function startOrigin(
  respond: Respond = respondWell,
  { tls, port: wanted }: { tls?: ServerOptions | undefined; port?: number } = {},
): Promise<Origin> {
  let requests = 0;
  let posts = 0;
  let keys = 0;
  let pending = 0;
  const listener: RequestListener = (request, response) => {
    if (request.headers["key"] !== undefined || request.headers.authorization !== undefined) keys++;
    if (request.method === "POST") posts++;
    pending++;
    // Emitted when the response is complete, and when its connection ends.
    response.on("close", () => pending--);
    // The connection may break while the response is written.
    response.on("error", () => undefined);
    let body = "";
    request.on("error", () => undefined).setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => void respond(request, response, ++requests, body));
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.on("clientError", (_, socket) => socket.destroy());
  server.on("tlsClientError", () => undefined);
  const { port, open, close } = await listen(server, wanted);
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    port,
    requests: () => requests,
    posts: () => posts,
    keys: () => keys,
    open,
    leftOpen: () => Math.max(pending, open() - IDLE),
    [Symbol.asyncDispose]: close,
  };
}

/** Makes the world of a row: a server that responds as the row says. */
export function serve(respond: Respond): (context?: Context) => Promise<World> {
  return async () => await startOrigin(respond);
}

/** Two servers of different origins: the second must never see the key. */
export function serveTwo(
  respond: (elsewhere: string) => Respond,
): (context: Context) => Promise<World> {
  return async () => {
    const other = await startOrigin();
    const origin = await startOrigin(respond(other.url));
    return {
      url: origin.url,
      requests: origin.requests,
      posts: origin.posts,
      leftOpen: origin.leftOpen,
      strayKeys: other.keys,
      async [Symbol.asyncDispose]() {
        await origin[Symbol.asyncDispose]();
        await other[Symbol.asyncDispose]();
      },
    };
  };
}
