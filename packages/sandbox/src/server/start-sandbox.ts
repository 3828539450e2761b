import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import { type AddressInfo, isIPv6 } from "node:net";
import { anything, type Clock, isLoopback, options, trueOrFalse } from "@fieldmesh/core/internal";
import { must } from "../engine/checks.ts";
import { type SandboxOptions, sandboxTable } from "../engine/sandbox/sandbox-options.ts";
import { type Sandbox, toSandbox } from "../engine/sandbox/sandbox.ts";
import { createServices } from "../engine/sandbox/create-services.ts";
import type { VirtualClock } from "../engine/time/clocks.ts";
import { withCors } from "./cors.ts";
import { limitBody, withToken, onlyOwn } from "./access.ts";
import { toNodeListener } from "./node-listener.ts";
import { withPage } from "./serve-page.ts";

/** Options of a sandbox that listens on a port. */
export interface StartOptions<C extends Clock = VirtualClock> extends SandboxOptions<C> {
  /** The port to listen on. @default 0 - any free one */
  port?: number | undefined;
  /**
   * The address to listen on, such as `0.0.0.0` in a container. Everyone who can reach it can call the services. The page and the
   * controls then respond to nobody without the token in {@link RunningSandbox.page}.
   *
   * @default "127.0.0.1" - only this machine
   */
  host?: string | undefined;
  /**
   * Whether web pages on this machine, at `localhost`, `127.0.0.0/8` or `[::1]` and any port, may call the services. No page may call
   * the controls.
   *
   * @default true
   */
  cors?: boolean | undefined;
}

const readOptions = options<StartOptions<Clock>>(
  "startSandbox",
  {
    ...sandboxTable,
    // Another number is a RangeError, as in Node.
    port: anything,
    host: must(
      "an address, such as 0.0.0.0",
      (value) => typeof value === "string" && value.trim() !== "",
    ),
    cors: trueOrFalse,
  },
  "{ port: 4010 }",
);

/** A sandbox that listens on a port. */
export interface RunningSandbox<C extends Clock = VirtualClock>
  extends Sandbox<C>, AsyncDisposable {
  readonly port: number;
  /** The origin, such as `http://127.0.0.1:49152`. Each service has a path below it: see `console.baseUrl`. */
  readonly origin: string;
  /**
   * The address of a page that shows requests and deliveries as they happen, and changes faults, events and webhook endpoints.
   * Open it in a browser. It contains a token that is new at each start: everyone who has it controls the sandbox. A printed
   * sandbox does not show it.
   *
   * Programs send the token to `/sandbox` and `/webhooks` as `Authorization: Bearer <token>`.
   *
   * @example
   * ```ts
   * const sandbox = await startSandbox();
   * console.log(`Watch it at ${sandbox.page}`); // http://127.0.0.1:49152/#token=…
   * await sandbox.close();
   * ```
   */
  readonly page: string;
  /** Ends all connections and releases the port. */
  close(): Promise<void>;
}

/** The default address, because everyone who reaches a sandbox can read its data and set faults. */
const LOOPBACK = "127.0.0.1";
const LAST_PORT = 65_535;
/** Longer than a test sleeps between two calls, so that no client uses a connection that was just closed. */
const KEEP_ALIVE = 65_000;

/**
 * Starts the sandbox as an HTTP server on 127.0.0.1, or on the address in `host`.
 *
 * Rejects with the error of node:http if the port is in use (`code: "EADDRINUSE"`), and with a RangeError for a number that is
 * not a port. Requests to the host name of another machine, and requests from web pages on other machines, are rejected.
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
  given: StartOptions<C> = {},
): Promise<RunningSandbox<C>> {
  const {
    port: wanted = 0,
    host = LOOPBACK,
    cors = true,
    ...own
  } = readOptions<StartOptions<C>>(given);
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > LAST_PORT)
    throw new RangeError(`port must be an integer from 0 to ${LAST_PORT}.`);
  const isPublic = !isLocalHost(host);
  const services = createServices<C>(own, { keepsResponses: true, showsSigningSecrets: !isPublic });
  // It does not follow from the seed, so that nobody can guess it.
  const token = randomUUID();
  // Of a request without the token, no body is read.
  const limited = limitBody(withPage(services.handler, { isPublic }));
  const guarded = withToken(limited, { token, isPublic });
  const names = [LOOPBACK, "localhost", nameOf(host).toLowerCase()];
  const shared = cors ? withCors(guarded) : guarded;
  const server = createServer(toNodeListener(onlyOwn(shared, { names, isPublic })));
  server.keepAliveTimeout = KEEP_ALIVE;
  const port = await listen(server, wanted, host).catch((error: unknown) => {
    services.stop();
    throw error;
  });
  const origin = `http://${nameOf(host)}:${port}`;
  const close = () => {
    services.stop();
    return stop(server);
  };
  // Not spread, because some of its members change at each reset.
  return Object.defineProperties(toSandbox(services, origin), {
    port: { value: port, enumerable: true },
    origin: { value: origin, enumerable: true },
    close: { value: close, enumerable: true },
    // Not enumerable, so that printing the sandbox does not show the token.
    page: { value: `${origin}/#token=${token}` },
    [Symbol.asyncDispose]: { value: close },
  }) as RunningSandbox<C>;
}

/** Tells whether only this machine reaches a server that listens on the address. */
export function isLocalHost(host: string): boolean {
  return isLoopback(isIPv6(host) ? `[${host}]` : host);
}

/** Returns the host name that this machine uses for the address. */
function nameOf(host: string): string {
  if (host === "0.0.0.0" || host === "::") return LOOPBACK;
  return isIPv6(host) ? `[${host}]` : host;
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

async function stop(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
