import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isLoopback, type Clock } from "@fieldmesh/core";
import { textResponse } from "../engine/responses.ts";
import type { SandboxOptions } from "../engine/sandbox-options.ts";
import { type Sandbox, toSandbox } from "../engine/sandbox.ts";
import { createServices } from "../engine/create-services.ts";
import type { VirtualClock } from "../engine/virtual-clock.ts";
import { type NodeHandler, toNodeListener } from "./node-listener.ts";

/** Options of a sandbox that listens. */
export interface StartOptions<C extends Clock = VirtualClock> extends SandboxOptions<C> {
  /** The port to listen on. @default 0 - any free one */
  port?: number | undefined;
}

/** A sandbox that listens on 127.0.0.1. */
export interface RunningSandbox<C extends Clock = VirtualClock>
  extends Sandbox<C>, AsyncDisposable {
  readonly port: number;
  /** Such as `http://127.0.0.1:49152`; each service has a path below it, see `console.baseUrl`. */
  readonly origin: string;
  /** Ends all connections and releases the port. */
  close(): Promise<void>;
}

/** The one address it listens on, because anybody who reaches a sandbox can read its data and order faults. */
const HOST = "127.0.0.1";
const LAST_PORT = 65_535;
/** Longer than a test sleeps between two calls, so that no client meets a connection that was just closed. */
const KEEP_ALIVE = 65_000;

/**
 * Starts the sandbox as an HTTP server on 127.0.0.1, and on no other address.
 *
 * Rejects with the error of node:http where the port is in use (`code: "EADDRINUSE"`), and with a RangeError for a
 * number that is not a port. Requests to another host name, and those of web pages of other machines, are rejected.
 *
 * @example
 * ```ts
 * await using sandbox = await startSandbox({ faults: [{ on: "labels.list", kind: "reset" }] });
 * const client = createConsoleClient({ baseUrl: sandbox.console.baseUrl, apiKey: sandbox.apiKey });
 * await client.labels.list(); // sent twice, because the first connection was reset
 * ```
 * @example
 * Node 22 cannot parse `await using`.
 * ```ts
 * const sandbox = await startSandbox({ faults: [{ on: "labels.list", kind: "reset" }] });
 * const client = createConsoleClient({ baseUrl: sandbox.console.baseUrl, apiKey: sandbox.apiKey });
 * await client.labels.list(); // sent twice, because the first connection was reset
 * await sandbox.close();
 * ```
 */
export async function startSandbox<C extends Clock = VirtualClock>(
  options: StartOptions<C> = {},
): Promise<RunningSandbox<C>> {
  const services = createServices(options);
  const { port: wanted = 0 } = options;
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > LAST_PORT)
    throw new RangeError(`port must be an integer from 0 to ${LAST_PORT}.`);
  const server = createServer(toNodeListener(onlyLocal(services.handler)));
  server.keepAliveTimeout = KEEP_ALIVE;
  const port = await listen(server, wanted);
  const origin = `http://${HOST}:${port}`;
  const close = () => {
    services.stop();
    return stop(server);
  };
  // Not spread: some of its members change at each reset.
  return Object.defineProperties(toSandbox(services, origin), {
    port: { value: port, enumerable: true },
    origin: { value: origin, enumerable: true },
    close: { value: close, enumerable: true },
    [Symbol.asyncDispose]: { value: close },
  }) as RunningSandbox<C>;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

async function stop(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Another host name that leads here is that of a web page in a browser, and so is an origin that is not this machine. */
function onlyLocal(handler: NodeHandler): NodeHandler {
  const local = new Set([HOST, "localhost"]);
  return async (request, connection) => {
    if (!local.has(new URL(request.url).hostname))
      return textResponse(`The sandbox answers on ${HOST} only`, { status: 421 });
    if (isForeign(request.headers.get("origin")))
      return textResponse("The sandbox takes no request from a web page of another machine", {
        status: 403,
      });
    return handler(request, connection);
  };
}

function isForeign(origin: string | null): boolean {
  return origin !== null && !(URL.canParse(origin) && isLoopback(new URL(origin).hostname));
}
