import type { Clock } from "@fieldmesh/core";
import type { NewUplink, SentUplink } from "./console/uplinks/send-uplink.ts";
import type { ConsoleState } from "./console/state/state.ts";
import type { FaultScript } from "./faults/fault-script.ts";
import { type InProcessFetch, toFetch } from "./in-process-fetch.ts";
import type { MobileState } from "./mobile/mobile-state.ts";
import type { KeyRole } from "./mobile/roles.ts";
import type { RequestLog } from "./request-log.ts";
import type { Handler } from "./serve.ts";
import { createServices, type Services } from "./create-services.ts";
import type { Served, ServiceName } from "./served.ts";
import type { SandboxOptions } from "./sandbox-options.ts";
import type { VirtualClock } from "./virtual-clock.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";

/** One service of a sandbox, as a client is pointed to it. */
export interface SandboxService<State> {
  /** The `baseUrl` for a client; it has a path prefix, as a deployment behind a gateway may have. */
  readonly baseUrl: string;
  /** The `fetch` for a client in the same process: no socket, no port. It serves every host. */
  readonly fetch: InProcessFetch;
  /** What the service holds now. A reset makes a new one. */
  readonly state: State;
}

/** The console of a sandbox. */
export interface ConsoleService extends SandboxService<ConsoleState> {
  readonly apiKey: string;
  /** A key whose e-mail link was never opened: its response is `api_key_needs_email_verification`. */
  readonly unconfirmedApiKey: string;
  /**
   * Makes a device send an uplink now, and delivers it to each HTTP integration to which a flow leads from the device or
   * from one of its labels: with the integration's method, headers and `url_params`, once, and to this machine only. It
   * carries what a decoder would have made of it.
   *
   * Resolves when each of them has responded or failed. One that fails is an outcome and no error, and its integration
   * event of the device has the status `error`; no response within 10 seconds of the sandbox's clock is a failure. What
   * devices send by themselves as the clock moves is in their events only, and is not delivered. Rejects with a
   * TypeError for a device that is not there.
   *
   * @example
   * ```ts
   * const { deliveries } = await sandbox.console.sendUplink({ device_id, decoded: { level: 3 } });
   * deliveries[0]?.outcome; // "accepted"
   * ```
   */
  sendUplink(uplink: NewUplink): Promise<SentUplink>;
}

/** The mobile service of a sandbox. */
export interface MobileService extends SandboxService<MobileState> {
  /** A key of the sandbox environment, `sk_sandbox_…`. */
  readonly apiKey: string;
  /** A key of the live environment, whose records the other one does not see. */
  readonly liveApiKey: string;
  /** Keys of the sandbox environment by role: what they see of a subscriber follows from `personalDataFor`. */
  readonly keys: Readonly<Record<KeyRole, string>>;
}

/** Each service by its name. */
export type SandboxServices = {
  readonly [Name in ServiceName]: SandboxService<Served[Name]["state"]>;
};

/** The services with state, in this process. */
export interface Sandbox<C extends Clock = VirtualClock> extends SandboxServices {
  readonly console: ConsoleService;
  readonly mobile: MobileService;
  /** Webhook endpoints, and what is delivered to them. A reset makes new ones. */
  readonly webhooks: Webhooks;
  /** A key of the console, which is also `console.apiKey`. */
  readonly apiKey: string;
  readonly clock: C;
  /** Every request received. */
  readonly log: RequestLog;
  /** Responds to a request to any service, by its path prefix. */
  readonly handler: Handler;
  /** Replaces what goes wrong from now on; `undefined` ends it. */
  setFaults(script: FaultScript | undefined): void;
  /** Back to the start: data, ids, webhook endpoints, faults, rate limits and log. Keys stay as they are, and so does the time. */
  reset(): void;
}

// No name below .invalid is ever resolved: a client without the sandbox's fetch reaches no server.
const IN_PROCESS_ORIGIN = "https://sandbox.invalid";

/**
 * Creates the services with state in this process: for tests without a server, and to serve them in a way of your own.
 *
 * The same seed produces the same ids, keys and data. Throws a TypeError for a broken fault script.
 *
 * @example
 * ```ts
 * const sandbox = createSandbox();
 * const { baseUrl, fetch } = sandbox.console;
 * const client = createConsoleClient({ baseUrl, fetch, apiKey: sandbox.apiKey });
 * await client.labels.create({ name: "Pumps" });
 * sandbox.log.requests("labels.create").length; // 1
 * ```
 */
export function createSandbox<C extends Clock = VirtualClock>(
  options: SandboxOptions<C> = {},
): Sandbox<C> {
  return toSandbox(createServices(options), IN_PROCESS_ORIGIN);
}

/** What a user sees of the services, once it is known where they are reached. */
export function toSandbox<C extends Clock>(services: Services<C>, origin: string): Sandbox<C> {
  const { clock, log, handler, setFaults, reset } = services;
  const { apiKey, unconfirmedApiKey } = services.served.console;
  const { apiKey: mobileKey, liveApiKey, keys } = services.served.mobile;
  const names = Object.keys(services.served) as ServiceName[];
  const all = Object.fromEntries(
    names.map((name) => [
      name,
      withHidden(
        { baseUrl: origin + services.served[name].prefix, fetch: toFetch(handler) },
        {
          get state() {
            return services.served[name].state;
          },
        },
      ),
    ]),
  ) as SandboxServices;
  return {
    ...all,
    // Not spread: the state changes at each reset.
    console: withHidden(Object.assign(all.console, { apiKey }), {
      unconfirmedApiKey,
      sendUplink: (uplink: NewUplink) => services.served.console.sendUplink(uplink),
    }),
    mobile: withHidden(Object.assign(all.mobile, { apiKey: mobileKey }), { liveApiKey, keys }),
    get webhooks() {
      return services.webhooks;
    },
    apiKey,
    clock,
    log,
    handler,
    setFaults,
    reset,
  };
}

/**
 * Adds members that are not enumerable. What is enumerable in a service are the options of its client, so that
 * `createConsoleClient(sandbox.console)` works, also with a spread.
 */
function withHidden<T extends object, U extends object>(target: T, members: U): T & U {
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(members)))
    Object.defineProperty(target, name, { ...member, enumerable: false });
  return target as T & U;
}
