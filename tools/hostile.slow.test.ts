import { createConsoleClient } from "../packages/console-client/src/index.ts";
import { stringifyJson } from "../packages/http/src/index.ts";
import { ago, Secret } from "../packages/ledger-client/src/index.ts";
import {
  createForwarder,
  createMapperClient,
  fromConsoleUplink,
  fromNetworkServer,
} from "../packages/mapper-client/src/index.ts";
import { createUplinkReceiver, parseConsoleUplink } from "../packages/mapper-client/src/uplink.ts";
import { catchUp, createMobileClient } from "../packages/mobile-client/src/index.ts";
import {
  createVerifier,
  fieldOf,
  sign,
  signedRequest,
} from "../packages/webhook-types/src/index.ts";
import {
  toHonoHandler,
  toLambdaHandler,
  toNextHandler,
} from "../packages/webhook-types/src/adapters/index.ts";
import { explain } from "../packages/webhook-types/src/explain/index.ts";
import { createEventParser, parseEvent } from "../packages/webhook-types/src/parse/index.ts";
import {
  createReceiver,
  handleEvent,
  memoryOrder,
  memoryPoison,
  memoryStore,
} from "../packages/webhook-types/src/receiver/index.ts";
import { createEventRouter } from "../packages/webhook-types/src/router/index.ts";
import { sampleEvent, testContext } from "../packages/webhook-types/src/samples/index.ts";
import {
  postgresOrder,
  postgresPoison,
  postgresStore,
  redisOrder,
  sqliteInbox,
  sqliteOrder,
  redisStore,
} from "../packages/webhook-types/src/stores/index.ts";
import { lintSubscription } from "../packages/webhook-types/src/subscription/index.ts";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { packages, publicEntries } from "./packages.ts";
import { traceFieldmesh } from "../packages/opentelemetry/src/index.ts";
import { createSandbox, startSandbox, toNodeListener } from "../packages/sandbox/src/index.ts";
import { handlers } from "../packages/sandbox/src/msw.ts";
import { judge } from "./testing/judge.ts";
import { junk } from "./testing/junk.ts";

// Junk in every place of every public function that is not a method of a client.

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

const consoleClient = createConsoleClient({
  baseUrl: "https://console.test",
  apiKey: "canary-of-the-console",
  retry: false,
  fetch: async () => Response.json({ error: "no" }, { status: 400 }),
});
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

/** The other packages call the exports of these two, and export the functions for users again. */
const MACHINERY = new Set(["core", "http"]);
const modules = await Promise.all(
  packages
    .filter(({ id }) => !MACHINERY.has(id))
    .flatMap(({ folder, manifest }) =>
      publicEntries(manifest).map(([, file]) => join(folder, file)),
    )
    .map(async (file) => (await import(file)) as Readonly<Record<string, unknown>>),
);

/** Every function that users can import, by its name. */
const publicFunctions = new Map(
  modules
    .flatMap((each) => Object.entries(each))
    .filter((each): each is [string, AnyFunction] => typeof each[1] === "function")
    // Only the packages create errors.
    .filter(([, { prototype }]) => !(prototype instanceof Error)),
);

/** The result of these must be closed or called, or they require `new`: see `calls`. */
const CALLED_BELOW = new Set(["Secret", "startSandbox", "traceFieldmesh"]);

describe("junk as the first argument of", () => {
  test.for([...publicFunctions].filter(([name]) => !CALLED_BELOW.has(name)))(
    "%s",
    async ([, call]) => {
      expect(await faultsOf(call)).toEqual([]);
    },
  );

  test("every function of each package", () => {
    expect(publicFunctions.size).toBeGreaterThan(80);
    const isSwept = (name: string): boolean => !CALLED_BELOW.has(name) || name in calls;
    expect([...publicFunctions.keys()].filter((name) => !isSwept(name))).toEqual([]);
  });
});

/** Every other place for junk. */
const calls: Readonly<Record<string, AnyFunction>> = {
  Secret: (value) => new Secret(value as string),
  "stringifyJson options": (value) => js(stringifyJson)({}, value),
  "fromConsoleUplink options": (value) => js(fromConsoleUplink)({}, value),
  "fromConsoleUplink fields": (value) => js(fromConsoleUplink)({}, { fields: value }),
  "fromNetworkServer options": (value) => js(fromNetworkServer)({}, value),
  "parseConsoleUplink options": (value) => js(parseConsoleUplink)("{}", value),
  "a forwarder": js(createForwarder(usualForwarder)),
  "an uplink receiver": js(createUplinkReceiver(usualUplinks)),
  "a verifier": js(createVerifier({ secret })),
  "a verifier's headers": (value) => js(createVerifier({ secret }))({ body, headers: value }),
  "a verifier's body": (value) => js(createVerifier({ secret }))({ body: value, headers: {} }),
  "sign body": (value) => js(sign)({ body: value, secret }),
  "sign secret": (value) => js(sign)({ body, secret: value }),
  "signedRequest event": (value) => js(signedRequest)(value, { secret }),
  "signedRequest options": (value) => js(signedRequest)(event, value),
  "fieldOf field": (value) => js(fieldOf)(event, value),
  "parseEvent options": (value) => js(parseEvent)(body, value),
  "createEventParser options": (value) => js(createEventParser)({}, value),
  "createEventRouter handler": (value) => js(createEventRouter)({ "plan.*": value }),
  "a router": (value) => js(router.dispatch)(value, testContext()),
  "a router's context": (value) => js(router.dispatch)(event, value),
  "handleEvent event": (value) => js(handleEvent)(value, { router, store }),
  "handleEvent options": (value) => js(handleEvent)(event, value),
  "handleEvent router": (value) => js(handleEvent)(event, { router: value, store }),
  "handleEvent store": (value) => js(handleEvent)(event, { router, store: value }),
  "a receiver": js(receive),
  "sampleEvent overrides": (value) => js(sampleEvent)("plan.created", value),
  "explain options": (value) => js(explain)({ body, headers: {} }, value),
  "explain headers": (value) => js(explain)({ body, headers: value }, { secret }),
  "explain body": (value) => js(explain)({ body: value, headers: {} }, { secret }),
  "lintSubscription handlers": (value) => js(lintSubscription)(["*"], value),
  "a lambda handler": js(toLambdaHandler(receive)),
  "a next handler": js(toNextHandler(receive)),
  "a hono handler": js(toHonoHandler(receive)),
  "postgresOrder options": (value) => js(postgresOrder)(pool, value),
  "sqliteInbox options": (value) => js(sqliteInbox)(new DatabaseSync(":memory:"), value),
  "sqliteOrder options": (value) => js(sqliteOrder)(new DatabaseSync(":memory:"), value),
  "a receiver's tenantOf": (value) =>
    js(createReceiver)({ ...usualReceiver, secret: { tenantOf: value, secretsOf: () => secret } }),
  "a receiver's secretsOf": (value) =>
    js(createReceiver)({ ...usualReceiver, secret: { tenantOf: () => "a", secretsOf: value } }),
  "handleEvent tenant": (value) => js(handleEvent)(event, { router, store, tenant: value }),
  "postgresPoison options": (value) => js(postgresPoison)(pool, value),
  "postgresStore options": (value) => js(postgresStore)(pool, value),
  "redisOrder options": (value) => js(redisOrder)(redis, value),
  "redisStore options": (value) => js(redisStore)(redis, value),
  "a parser": (value) => js(createEventParser({}))(value),
  "a parser's options": (value) => js(createEventParser({}))(body, value),
  "ago unit": (value) => js(ago)(3, value),
  "toNodeListener options": (value) => js(toNodeListener)(() => new Response(), value),
  "handlers baseUrls": (value) => js(handlers)(createSandbox(), value),
  "handlers baseUrl": (value) => js(handlers)(createSandbox(), { console: value }),
  setFaults: (value) => createSandbox().setFaults(value as never),
  "a fault": (value) => createSandbox().setFaults([value] as never),
  "a fault's kind": (value) => createSandbox().setFaults([{ kind: value }] as never),
  "a fault's row": (value) => createSandbox().setFaults([{ kind: "lost", on: value }] as never),
  "a fault's service": (value) =>
    createSandbox().setFaults([{ kind: "lost", service: value }] as never),
  startSandbox: async (value) => (await startSandbox(value as object)).close(),
  traceFieldmesh: (value) => traceFieldmesh(value as object)(),
  "startSandbox port": async (value) => (await startSandbox({ port: value as number })).close(),
};

describe("junk for", () => {
  test.for(Object.entries(calls))("%s", async ([, call]) => {
    expect(await faultsOf(call)).toEqual([]);
  });
});

/** Functions with options, and valid options. */
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
    ["client", "since", "query", "parse", "concurrency", "onOutcome", "signal", "router", "store"],
  ],
  parseEvent: [
    (options) => parseEvent(body, options as never),
    {},
    ["source", "validation", "onDrift"],
  ],
  memoryStore: [js(memoryStore), {}, ["limit", "clock"]],
  memoryOrder: [js(memoryOrder), {}, ["limit", "clock"]],
  memoryPoison: [js(memoryPoison), {}, ["payload", "limit", "clock"]],
  createSandbox: [
    js(createSandbox),
    {},
    ["clock", "seed", "latency", "console", "mobile", "ledger", "mapper", "faults"],
  ],
};

describe.each(Object.entries(owners))("junk as an option of %s", (_name, [call, usual, names]) => {
  test.for([...names])("%s", async (name) => {
    expect(await faultsOf((value) => call({ ...usual, [name]: value }))).toEqual([]);
  });
});

describe("junk for methods over many devices", () => {
  const { devices } = consoleClient;
  const methods = Object.entries(devices).filter(([name]) => name.endsWith("Many"));
  test("there are five of them", () => {
    expect(methods).toHaveLength(5);
  });
  describe.each(methods)("%s", (_name, method) => {
    const call = js(method);
    test("as the devices", async () => {
      expect(await faultsOf(call)).toEqual([]);
    });
    test("as one device", async () => {
      expect(await faultsOf((value) => call([value]))).toEqual([]);
    });
    test("as the options", async () => {
      expect(await faultsOf((value) => call([], value))).toEqual([]);
    });
    test.for([
      "chunkSize",
      "concurrency",
      "settleTime",
      "signal",
      "timeout",
      "onProgress",
      "checkpoint",
      "onCheckpoint",
      "ifExists",
    ])("as its option %s", async (name) => {
      expect(await faultsOf((value) => call([], { [name]: value }))).toEqual([]);
    });
  });
});
