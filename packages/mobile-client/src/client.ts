import { anything, check, oneOf, options, trueOrFalse } from "@fieldmesh/core/internal";
import {
  bind,
  bindClient,
  clientTable,
  createTransport,
  type ClientMethods,
  type ClientOptions,
  type KeyOption,
  type Transport,
} from "@fieldmesh/http/internal";
import { createPager } from "@fieldmesh/http/internal/pager";
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
export function createMobileClient(given: MobileClientOptions): MobileClient {
  return create(given);
}

const SEGMENTS = /^(\/[\w~-][\w.~-]*)+$/;

const readOptions = /* @__PURE__ */ options<MobileClientOptions>("createMobileClient", {
  ...clientTable,
  apiKey: { required: anything },
  mode: /* @__PURE__ */ oneOf("sandbox", "live"),
  eventsPath: /* @__PURE__ */ check(
    'a path such as "/v1/events"',
    (value) => typeof value === "string" && SEGMENTS.test(value),
  ),
  trustIdempotencyKeys: trueOrFalse,
});

function create(given: MobileClientOptions, parent?: Transport): MobileClient {
  const settings = readOptions(given);
  const transport = createTransport(settings, {
    service: mobileService,
    parent,
    credential: {
      option: "apiKey",
      header: "authorization",
      value: settings.apiKey,
      prefix: "Bearer ",
      check: (key) => checkMode(key, settings.mode),
    },
    userAgent: `${manifest.name.replace("@", "").replace("/", "-")}/${manifest.version}`,
    keyedWrites: true,
    trustIdempotencyKeys: settings.trustIdempotencyKeys,
  });
  return {
    eventTypes: bind("eventTypes", eventTypes, transport),
    subscribers: bind("subscribers", subscribers, transport),
    subscriptions: bind("subscriptions", subscriptions, transport),
    balanceCredits: bind("balanceCredits", balanceCredits, transport),
    fraudDecisions: bind("fraudDecisions", fraudDecisions, transport),
    events: bindEvents(transport, settings.eventsPath),
    mode: typeof settings.apiKey === "function" ? settings.mode : modeOf(settings.apiKey),
    ...bindClient(transport, settings, create),
  };
}

function bindEvents(plain: Transport, path: string | undefined): Events {
  const transport = wholePages(plain);
  if (path === undefined) return bind("events", events, transport, createPager);
  const list: typeof events.list = { ...events.list, route: `GET ${path}` as `GET /${string}` };
  return bind("events", { list }, transport, createPager);
}
