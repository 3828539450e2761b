import type { Clock } from "@fieldmesh/core";
import type { NewUplink, SentUplink } from "../console/uplinks/send-uplink.ts";
import type { ConsoleState } from "../console/state/state.ts";
import type { FaultScript } from "../faults/fault-script.ts";
import type { SandboxActivity } from "../services/feed.ts";
import { type InProcessFetch, toFetch } from "../serve/in-process-fetch.ts";
import type { LedgerState } from "../ledger/ledger-state.ts";
import type { MapperState } from "../mapper/mapper.ts";
import type { MobileState } from "../mobile/mobile-state.ts";
import type { KeyRole } from "../webhooks/roles.ts";
import type { LoggedRequest } from "../log/logged-request.ts";
import type { RequestLog } from "../log/request-log.ts";
import type { Handler } from "../serve/serve.ts";
import { createServices, type Services } from "./create-services.ts";
import type { ServiceName } from "../services/served.ts";
import { readSandboxOptions, type SandboxOptions } from "./sandbox-options.ts";
import type { Snapshot } from "../services/snapshot.ts";
import type { VirtualClock } from "../time/clocks.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";

/** One service of a sandbox. Pass it to the function that creates a client. */
export interface SandboxService<State> {
  /** The `baseUrl` for a client. It has a path prefix, like a deployment behind a gateway. */
  readonly baseUrl: string;
  /** The `fetch` for a client in the same process, without a socket or a port. It serves every host. */
  readonly fetch: InProcessFetch;
  /** The current data of the service. A reset creates new data. */
  readonly state: State;
}

/** The console of a sandbox. */
export interface ConsoleService extends SandboxService<ConsoleState> {
  readonly apiKey: string;
  /** A key whose email link was never opened. The response to it is `api_key_needs_email_verification`. */
  readonly unconfirmedApiKey: string;
  /**
   * Makes a device send an uplink now, and delivers it to each HTTP integration that a flow connects to the device or to one of
   * its labels. Each delivery uses the method, headers and `url_params` of the integration, is sent once, and only to this
   * machine. Pass the decoded payload in `decoded`.
   *
   * Resolves when each integration has responded or failed. A failure is an outcome and not an error, and the integration event
   * of the device then has the status `error`. No response within 10 seconds of the sandbox's clock is a failure. The uplinks
   * that devices send on their own, as the clock moves, only appear in their events and are not delivered. Rejects with a
   * TypeError for an unknown device.
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
  /** A key of the live environment. Neither key sees the records of the other environment. */
  readonly liveApiKey: string;
  /** Keys of the sandbox environment by role. `personalDataFor` determines what they see of a subscriber. */
  readonly keys: Readonly<Record<KeyRole, string>>;
}

/** The services and their state, in this process. */
export interface Sandbox<C extends Clock = VirtualClock> {
  readonly console: ConsoleService;
  readonly ledger: SandboxService<LedgerState>;
  readonly mapper: SandboxService<MapperState>;
  readonly mobile: MobileService;
  /** The webhook endpoints, and their deliveries. A reset creates new ones. */
  readonly webhooks: Webhooks;
  /** A key of the console. Same as `console.apiKey`. */
  readonly apiKey: string;
  readonly clock: C;
  /** Every request that the sandbox received. */
  readonly log: RequestLog;
  /**
   * Calls a function for everything that happens from now on: requests, responses, events, deliveries and changed settings.
   * Returns a function that ends it. An error of the function changes nothing: the first one is printed.
   *
   * @example
   * ```ts
   * const stop = sandbox.watch((activity) => {
   *   if (activity.kind === "response") console.log(activity.request.row, activity.request.status);
   * });
   * stop();
   * ```
   */
  watch(listener: (activity: SandboxActivity) => void): () => void;
  /** Responds to a request to any service, by its path prefix. */
  readonly handler: Handler;
  /** Replaces the faults from now on. `undefined` ends them. */
  setFaults(script: FaultScript | undefined): void;
  /** Resets data, ids, webhook endpoints, faults, rate limits and log. Keeps the keys and the time. */
  reset(): void;
  /**
   * Copies the whole state: data, random sequences, faults, rate limits, deliveries and the time, without the log. It is plain
   * JSON, so that `saveSnapshot` can write it to a file.
   *
   * @example
   * ```ts
   * const before = sandbox.snapshot();
   * await client.labels.create({ name: "Pumps" });
   * sandbox.restore(before); // the label is gone
   * ```
   */
  snapshot(): Snapshot;
  /**
   * Returns to a snapshot of this sandbox, or of one with the same seed and options. Deliveries in progress end, and those that
   * were pending then are pending again. The log keeps its requests.
   *
   * A clock that can be set, such as a virtual one, is set to the time of the snapshot, and other clocks keep their time. A
   * function in the faults or in a webhook endpoint cannot be stored in a file: after a restore from one, such faults have ended,
   * and such an endpoint is not registered. Throws a TypeError for a snapshot that does not fit.
   */
  restore(snapshot: Snapshot): void;
  /**
   * Creates a sandbox with a copy of everything but the log. From then on, neither of them changes the other. It has a clock of its
   * own at the same time, unless the clock is one that cannot be set. Its pending deliveries go to the same receivers.
   *
   * @example
   * ```ts
   * const fork = sandbox.fork();
   * await createConsoleClient(fork.console).labels.create({ name: "Only in the fork" });
   * ```
   */
  fork(): Sandbox<C>;
  /**
   * Undoes a request of the log, and everything after it: its changes, deliveries, and the time that has passed. Works for as many
   * of the last requests as the log has, even across a restore, but not across a reset. What a receiver has received stays received.
   *
   * It repeats all earlier requests on an earlier copy of the data, without any delivery. Changes that your test makes to `state`
   * itself are not repeated: call `restore(snapshot())` after them. Rejects with a RangeError for a request that is not in the log.
   *
   * @example
   * ```ts
   * const [request] = sandbox.log.requests("devices.delete");
   * await sandbox.stepBack(request!); // the device is there again
   * ```
   */
  stepBack(before: LoggedRequest | number): Promise<void>;
}

// No name below .invalid ever resolves, so a client without the sandbox's fetch reaches no server.
const IN_PROCESS_ORIGIN = "https://sandbox.invalid";

/**
 * Creates the services and their state in this process. Use it for tests without a server, or to serve them yourself.
 *
 * The same seed creates the same ids, keys and data. Throws a TypeError for an invalid fault script.
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
  return toSandbox(
    createServices(readSandboxOptions<SandboxOptions<C>>(options)),
    IN_PROCESS_ORIGIN,
  );
}

/** Returns the public view of the services, once their address is known. */
export function toSandbox<C extends Clock>(services: Services<C>, origin: string): Sandbox<C> {
  const { clock, log, feed, handler, setFaults, reset, snapshot, restore, stepBack } = services;
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
  ) as Pick<Sandbox, ServiceName>;
  return withShort({
    ...all,
    // Not spread, because the state changes at each reset.
    console: withHidden(withShort(Object.assign(all.console, { apiKey })), {
      unconfirmedApiKey,
      sendUplink: (uplink: NewUplink) => services.served.console.sendUplink(uplink),
    }),
    mobile: withHidden(withShort(Object.assign(all.mobile, { apiKey: mobileKey })), {
      liveApiKey,
      keys,
    }),
    get webhooks() {
      return services.webhooks;
    },
    apiKey,
    clock,
    log,
    watch: feed.watch,
    handler,
    setFaults,
    reset,
    snapshot,
    restore,
    stepBack,
    fork: () => toSandbox(services.fork(), IN_PROCESS_ORIGIN),
  });
}

/** Makes `console.log` and JSON show the addresses alone: the other members contain keys, tokens and the secrets of receivers. */
function withShort<T extends object>(target: T): T {
  const toJSON = () => {
    const shown = Object.entries(Object.getOwnPropertyDescriptors(target))
      .filter(([name]) => ADDRESSES.has(name) || name === "apiKey")
      .map(([name, { value }]) => [name, name === "apiKey" ? HIDDEN : (value as unknown)]);
    return Object.fromEntries(shown) as object;
  };
  return withHidden(target, { toJSON, [Symbol.for("nodejs.util.inspect.custom")]: toJSON });
}

const HIDDEN = "[redacted]";
const ADDRESSES = new Set("origin port baseUrl console ledger mapper mobile".split(" "));

/** Adds members that are not enumerable: the enumerable ones are options, for `createConsoleClient(sandbox.console)`. */
function withHidden<T extends object, U extends object>(target: T, members: U): T & U {
  const all = Object.getOwnPropertyDescriptors(members) as Record<PropertyKey, PropertyDescriptor>;
  for (const name of Reflect.ownKeys(all))
    Object.defineProperty(target, name, { ...all[name], enumerable: false });
  return target as T & U;
}
