import { createConsoleClient } from "@fieldmesh/console-client";
import {
  formatBones,
  isApiError,
  isCallError,
  Secret,
  setDefaultValidation,
  withResponse,
} from "@fieldmesh/ledger-client";
import {
  createForwarder,
  createMapperClient,
  fromConsoleUplink,
  fromNetworkServer,
} from "@fieldmesh/mapper-client";
import { createUplinkReceiver } from "@fieldmesh/mapper-client/uplink";
import { catchUp, createMobileClient } from "@fieldmesh/mobile-client";
import { createVerifier, sign, signedRequest } from "@fieldmesh/webhook-types";
import {
  toExpressHandler,
  toFastifyPlugin,
  toHonoHandler,
  toLambdaHandler,
  toNestHandler,
  toNextHandler,
  toNodeHandler,
} from "@fieldmesh/webhook-types/adapters";
import { explain } from "@fieldmesh/webhook-types/explain";
import { createEventParser, eventSchema, parseEvent } from "@fieldmesh/webhook-types/parse";
import {
  createReceiver,
  handleEvent,
  memoryOrder,
  memoryPoison,
  memoryStore,
  noStore,
  runAgain,
} from "@fieldmesh/webhook-types/receiver";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import { sampleEvent, testContext } from "@fieldmesh/webhook-types/samples";
import {
  postgresInbox,
  postgresOrder,
  postgresPoison,
  postgresStore,
  redisOrder,
  redisStore,
  sqlitePoison,
  sqliteStore,
} from "@fieldmesh/webhook-types/stores";
import {
  checkCatalog,
  lintSubscription,
  validateEnabledEvents,
} from "@fieldmesh/webhook-types/subscription";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { judge } from "./judge.ts";
import { junk } from "./junk.ts";

// Junk in every place of the public functions that are not methods of a client.

const unhandled: unknown[] = [];
const keep = (error: unknown): void => void unhandled.push(error);
beforeAll(() => {
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(console, "error").mockReturnValue();
  process.on("unhandledRejection", keep);
});
afterAll(() => {
  process.off("unhandledRejection", keep);
  vi.restoreAllMocks();
  if (unhandled.length > 0) throw new Error("a rejection that nobody handles");
});

type AnyFunction = (...args: unknown[]) => unknown;
const js = (call: unknown): AnyFunction => call as AnyFunction;

async function faultsOf(call: (value: unknown) => unknown): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, make] of Object.entries(junk)) {
    const value = make();
    const fault = await judge(() => call(value));
    if (fault !== undefined) faults.push(`${name}: ${fault}`);
  }
  return faults;
}

const secret = "whsec_canary-9d1c77aa02";
const event = sampleEvent("plan.created");
const body = JSON.stringify(event);
const router = createEventRouter({ "plan.*": () => undefined });
const store = memoryStore();
const usualReceiver = { secret, store, handlers: { otherwise: () => undefined } };
const receive = createReceiver(usualReceiver);
const authorization = { name: "authorization", value: "canary-of-the-integration" };
const mapper = createMapperClient({
  baseUrl: "https://map.test",
  fetch: async () => new Response(null, { status: 201 }),
});
const usualForwarder = { client: mapper, authorization };
const usualUplinks = { authorization, handler: () => undefined };
const mobile = createMobileClient({
  baseUrl: "https://mobile.test",
  apiKey: "sk_sandbox_canary",
  fetch: async () => Response.json({ data: [] }),
});
const usualCatchUp = { client: mobile, since: "2026-01-01T00:00:00Z", router, store };
const pool = { query: async () => ({ rows: [] }), connect: async () => ({}) };
const redis = { eval: async () => null, call: async () => null, sendCommand: async () => null };

/** Each function with one place for junk. */
const calls: Readonly<Record<string, AnyFunction>> = {
  Secret: (value) => new Secret(value as string),
  setDefaultValidation: js(setDefaultValidation),
  withResponse: js(withResponse),
  isApiError: js(isApiError),
  isCallError: js(isCallError),
  formatBones: js(formatBones),
  createConsoleClient: js(createConsoleClient),
  "fromConsoleUplink fields": (value) => js(fromConsoleUplink)({}, { fields: value }),
  "fromNetworkServer options": (value) => js(fromNetworkServer)({}, value),
  createForwarder: js(createForwarder),
  "a forwarder": js(createForwarder(usualForwarder)),
  createUplinkReceiver: js(createUplinkReceiver),
  "an uplink receiver": js(createUplinkReceiver(usualUplinks)),
  catchUp: js(catchUp),
  createVerifier: js(createVerifier),
  "a verifier": js(createVerifier({ secret })),
  "a verifier's headers": (value) => js(createVerifier({ secret }))({ body, headers: value }),
  "a verifier's body": (value) => js(createVerifier({ secret }))({ body: value, headers: {} }),
  sign: js(sign),
  "sign body": (value) => js(sign)({ body: value, secret }),
  "sign secret": (value) => js(sign)({ body, secret: value }),
  signedRequest: js(signedRequest),
  "signedRequest event": (value) => js(signedRequest)(value, { secret }),
  "signedRequest options": (value) => js(signedRequest)(event, value),
  parseEvent: js(parseEvent),
  "parseEvent options": (value) => js(parseEvent)(body, value),
  createEventParser: js(createEventParser),
  "createEventParser options": (value) => js(createEventParser)({}, value),
  eventSchema: js(eventSchema),
  createEventRouter: js(createEventRouter),
  "createEventRouter handler": (value) => js(createEventRouter)({ "plan.*": value }),
  "a router": (value) => js(router.dispatch)(value, testContext()),
  "a router's context": (value) => js(router.dispatch)(event, value),
  handleEvent: js(handleEvent),
  "handleEvent event": (value) => js(handleEvent)(value, { router, store }),
  "handleEvent options": (value) => js(handleEvent)(event, value),
  "handleEvent router": (value) => js(handleEvent)(event, { router: value, store }),
  "handleEvent store": (value) => js(handleEvent)(event, { router, store: value }),
  createReceiver: js(createReceiver),
  "a receiver": js(receive),
  runAgain: js(runAgain),
  memoryStore: js(memoryStore),
  memoryOrder: js(memoryOrder),
  memoryPoison: js(memoryPoison),
  noStore: js(noStore),
  testContext: js(testContext),
  explain: js(explain),
  "explain options": (value) => js(explain)({ body, headers: {} }, value),
  "explain headers": (value) => js(explain)({ body, headers: value }, { secret }),
  "explain body": (value) => js(explain)({ body: value, headers: {} }, { secret }),
  lintSubscription: js(lintSubscription),
  validateEnabledEvents: js(validateEnabledEvents),
  checkCatalog: js(checkCatalog),
  toExpressHandler: js(toExpressHandler),
  toFastifyPlugin: js(toFastifyPlugin),
  toHonoHandler: js(toHonoHandler),
  toLambdaHandler: js(toLambdaHandler),
  toNestHandler: js(toNestHandler),
  toNextHandler: js(toNextHandler),
  toNodeHandler: js(toNodeHandler),
  postgresInbox: js(postgresInbox),
  postgresOrder: js(postgresOrder),
  postgresPoison: js(postgresPoison),
  postgresStore: js(postgresStore),
  redisOrder: js(redisOrder),
  redisStore: js(redisStore),
  sqlitePoison: js(sqlitePoison),
  sqliteStore: js(sqliteStore),
  "postgresOrder options": (value) => js(postgresOrder)(pool, value),
  "postgresPoison options": (value) => js(postgresPoison)(pool, value),
  "postgresStore options": (value) => js(postgresStore)(pool, value),
  "redisOrder options": (value) => js(redisOrder)(redis, value),
  "redisStore options": (value) => js(redisStore)(redis, value),
  createSandbox: js(createSandbox),
};

describe("junk for", () => {
  test.for(Object.entries(calls))("%s", async ([, call]) => {
    expect(await faultsOf(call)).toEqual([]);
  });
});

/** Functions of options, with options that work. */
const owners: Readonly<Record<string, readonly [AnyFunction, object, readonly string[]]>> = {
  createReceiver: [
    js(createReceiver),
    usualReceiver,
    [
      "secret",
      "secrets",
      "store",
      "handlers",
      "router",
      "parse",
      "onOutcome",
      "onError",
      "logger",
    ].concat(["order", "poison", "maxBytes", "tolerance", "expectLivemode", "clock", "validation"]),
  ],
  createVerifier: [
    js(createVerifier),
    { secret },
    ["secret", "secrets", "tolerance", "scheme", "clock"],
  ],
  createForwarder: [
    js(createForwarder),
    usualForwarder,
    [
      "client",
      "authorization",
      "maxBytes",
      "build",
      "fields",
      "observedRules",
      "concurrency",
    ].concat(["perMinute", "maxWaiting", "onReport", "clock"]),
  ],
  createUplinkReceiver: [
    js(createUplinkReceiver),
    usualUplinks,
    ["authorization", "maxBytes", "decoded", "handler", "onError"],
  ],
  catchUp: [
    js(catchUp),
    usualCatchUp,
    ["client", "since", "parse", "concurrency", "onOutcome", "router", "store"],
  ],
  parseEvent: [
    (options) => parseEvent(body, options as never),
    {},
    ["source", "validation", "onDrift"],
  ],
  memoryStore: [js(memoryStore), {}, ["clock"]],
  memoryOrder: [js(memoryOrder), {}, ["clock"]],
  memoryPoison: [js(memoryPoison), {}, ["clock"]],
};

describe.each(Object.entries(owners))("junk as an option of %s", (_name, [call, usual, names]) => {
  test.for([...names])("%s", async (name) => {
    expect(await faultsOf((value) => call({ ...usual, [name]: value }))).toEqual([]);
  });
});
