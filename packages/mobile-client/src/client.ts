import { guardInput, requireOptions } from "@fieldmesh/core/internal";
import {
  bind,
  bindClient,
  createTransport,
  type ClientMethods,
  type ClientOptions,
  type KeyOption,
  type Transport,
} from "@fieldmesh/http/internal";
import { createPager } from "@fieldmesh/http/internal";
import manifest from "../package.json" with { type: "json" };
import { balanceCredits, type BalanceCredits } from "./balance-credits.ts";
import { eventTypes, type EventTypes } from "./event-types.ts";
import { events, type Events } from "./events.ts";
import { fraudDecisions, type FraudDecisions } from "./fraud-decisions.ts";
import { checkMode, modeOf, type Mode } from "./key-mode.ts";
import { mobileService } from "./service.ts";
import { wholePages } from "./whole-pages.ts";
import { subscribers, type Subscribers } from "./subscribers.ts";
import { subscriptions, type Subscriptions } from "./subscriptions.ts";

/** Options of {@link createMobileClient}. */
export interface MobileClientOptions extends ClientOptions {
  /**
   * An API key such as `sk_sandbox_…`. The key alone selects the environment.
   *
   * A function that returns the key is called before the first request, and again by a call that receives a 401. The key can
   * therefore change without a restart.
   */
  apiKey: KeyOption;
  /** The environment that the key must select, so that a test never reaches customers. @default that of the key */
  mode?: Mode | undefined;
  /** The path of the stored events. @default "/events" - as in the published spec, where all other paths begin with /v1 */
  eventsPath?: `/${string}` | undefined;
  /**
   * Set it to `true` only if your deployment carries out one request for each `Idempotency-Key`. The client then also retries
   * a POST after a timeout, a lost connection or a 5xx, when it may have been carried out already. A deployment that ignores the key
   * would issue a credit once for each attempt.
   *
   * @default false - the published spec does not name the header, although every POST and DELETE carries it
   */
  trustIdempotencyKeys?: boolean | undefined;
}

/** The client of the mobile connectivity service, by resource. */
export interface MobileClient extends ClientMethods<MobileClient, MobileClientOptions> {
  readonly eventTypes: EventTypes;
  readonly subscribers: Subscribers;
  readonly subscriptions: Subscriptions;
  readonly balanceCredits: BalanceCredits;
  readonly fraudDecisions: FraudDecisions;
  readonly events: Events;
  /** The environment of the key. `undefined` if its prefix does not name one. If a function returns the key, it is the option `mode`. */
  readonly mode: Mode | undefined;
}

/**
 * Creates a client of the mobile connectivity service. It sends nothing until you call a method.
 *
 * Throws a TypeError, which never shows the key, for invalid options, and for a key whose environment is not `mode`.
 *
 * @example
 * ```ts
 * const client = createMobileClient({ baseUrl: process.env.MOBILE_URL!, apiKey: process.env.MOBILE_KEY!, mode: "sandbox" });
 * const subscriber = await client.subscribers.get({ id: "sub_01JD3Y7Q4W8TQ2" });
 * ```
 */
export function createMobileClient(options: MobileClientOptions): MobileClient {
  return guardInput("The argument of createMobileClient", options, () =>
    create(requireOptions("createMobileClient", options, "such as { baseUrl }")),
  );
}

function create(options: MobileClientOptions, parent?: Transport): MobileClient {
  const transport = createTransport(options, {
    service: mobileService,
    parent,
    credential: {
      option: "apiKey",
      header: "authorization",
      value: options.apiKey,
      prefix: "Bearer ",
      check: (key) => checkMode(key, options.mode),
    },
    userAgent: `${manifest.name.replace("@", "").replace("/", "-")}/${manifest.version}`,
    options: ["mode", "eventsPath", "trustIdempotencyKeys"] satisfies (keyof MobileClientOptions)[],
    keyedWrites: true,
    trustIdempotencyKeys: readTrust(options.trustIdempotencyKeys),
  });
  return {
    eventTypes: bind("eventTypes", eventTypes, transport),
    subscribers: bind("subscribers", subscribers, transport),
    subscriptions: bind("subscriptions", subscriptions, transport),
    balanceCredits: bind("balanceCredits", balanceCredits, transport),
    fraudDecisions: bind("fraudDecisions", fraudDecisions, transport),
    events: bindEvents(transport, options.eventsPath),
    mode: typeof options.apiKey === "function" ? options.mode : modeOf(options.apiKey),
    ...bindClient(transport, options, create),
  };
}

/** Rejects strings such as "false" from the environment, which would count as true. */
function readTrust(trust: unknown = false): boolean {
  if (typeof trust !== "boolean")
    throw new TypeError("trustIdempotencyKeys must be true or false, or omitted.");
  return trust;
}

const SEGMENTS = /^(\/[\w~-][\w.~-]*)+$/;

function bindEvents(plain: Transport, path: string | undefined): Events {
  const transport = wholePages(plain);
  if (path === undefined) return bind("events", events, transport, createPager);
  if (typeof path !== "string" || !SEGMENTS.test(path))
    throw new TypeError('eventsPath must be a path such as "/v1/events".');
  const list: typeof events.list = { ...events.list, route: `GET ${path}` as `GET /${string}` };
  return bind("events", { list }, transport, createPager);
}
