import { sign, signedRequest } from "@fieldmesh/webhook-types";
import {
  toExpressHandler,
  toHonoHandler,
  toLambdaHandler,
  toNestHandler,
  toNextHandler,
  toNodeHandler,
} from "@fieldmesh/webhook-types/adapters";
import { explain, type ExplainOptions } from "@fieldmesh/webhook-types/explain";
import {
  createReceiver,
  memoryOrder,
  memoryPoison,
  noStore,
  type Receiver,
  type ReceiverOptions,
} from "@fieldmesh/webhook-types/receiver";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import {
  postgresInbox,
  postgresOrder,
  postgresOrderTable,
  postgresPoison,
  postgresPoisonTable,
  postgresStore,
  postgresTables,
  redisOrder,
  redisStore,
  sqliteInbox,
  sqliteStore,
} from "@fieldmesh/webhook-types/stores";
import {
  checkCatalog,
  lintSubscription,
  validateEnabledEvents,
} from "@fieldmesh/webhook-types/subscription";
import { afterEach, describe, expect, test, vi } from "vitest";

// Messages that say what to do. The tests compare each one completely, because a part of it does not help.

const secret = "whsec_test";
const usual = { secret, store: noStore(), handlers: {} };
const url = "http://127.0.0.1/hooks";
afterEach(() => void vi.restoreAllMocks());

test.each<[options: object | undefined, message: string]>([
  [
    { store: undefined },
    "A receiver needs a store: memoryStore() for one process, one of @fieldmesh/webhook-types/stores for several, or noStore() if an event may be handled twice.",
  ],
  [
    { store: {} },
    "store is an object, which is neither an IdempotencyStore nor an Inbox. Pass memoryStore(), postgresInbox(pool) or redisStore(client).",
  ],
  [
    { order: "none" },
    "order is a string, which is not an ObjectOrder. Pass memoryOrder(), postgresOrder(pool) or redisOrder(client).",
  ],
  [{ handlers: undefined }, "A receiver requires handlers by type, as createEventRouter does."],
  [{ parse: {} }, "parse must be a function, or omitted; it is an object."],
  [{ onDrift: 1 }, "onDrift must be a function, or omitted; it is a number."],
  [{ onOutcome: "x" }, "onOutcome must be a function, or omitted; it is a string."],
  [{ onError: null }, "onError must be a function, or omitted; it is null."],
  ...(["debug", "warn", "error"] as const).map((level): [object, string] => [
    { logger: { ...console, [level]: undefined } },
    `logger requires the methods debug, warn and error, like console. It has no ${level}.`,
  ]),
  [{ expectLivemode: "true" }, "expectLivemode must be true or false, or omitted; it is a string."],
  [{ maxBytes: 0 }, "maxBytes must be a number of bytes, 1 or more; it is 0."],
  [{ maxBytes: "1" }, "maxBytes must be a number of bytes, 1 or more; it is a string."],
  [{ lease: 0 }, "lease must be a number of milliseconds, 1 or more; it is 0."],
  [{ lease: Infinity }, "lease must be a number of milliseconds, 1 or more; it is Infinity."],
  [{ lease: "1" }, "lease must be a number of milliseconds, 1 or more; it is a string."],
  [
    { expectLiveMode: true },
    'A receiver has no option "expectLiveMode". Did you mean "expectLivemode"?',
  ],
  [
    undefined,
    "createReceiver requires an object of options, { secret, store, handlers }, not undefined.",
  ],
])("the error of a receiver with %j", (options, message) => {
  const all = options && { ...usual, ...options };
  expect(() => createReceiver(all as unknown as ReceiverOptions)).toThrow(new TypeError(message));
});

test.each([
  { maxBytes: 1, lease: 1 },
  { maxBytes: Infinity },
  { expectLivemode: false },
  { onError: undefined, logger: console },
])("a receiver accepts %j", (options) => {
  expect(() => createReceiver({ ...usual, ...options })).not.toThrow();
});

test.each<[call: () => unknown, message: string]>([
  [() => checkCatalog("sim" as never), "checkCatalog requires a list of strings, not a string."],
  [() => checkCatalog([7] as never), "checkCatalog requires a list of strings, not an array."],
  [
    () => validateEnabledEvents(null as never),
    "validateEnabledEvents requires a list of strings, not null.",
  ],
  [
    () => lintSubscription({} as never, []),
    "lintSubscription requires a list of strings, not an object.",
  ],
  [
    () => lintSubscription(["*"], "sim.*" as never),
    "lintSubscription requires handlers by type, not a string.",
  ],
  [
    () => lintSubscription(["*"], null as never),
    "lintSubscription requires handlers by type, not null.",
  ],
  [
    () => lintSubscription(["*"], [7] as never),
    "lintSubscription requires a list of strings, not an array.",
  ],
])("the error of an invalid list (%#)", (call, message) => {
  expect(call).toThrow(new TypeError(message));
});

test.each([
  ["sim.reinstated", '"sim.reinstated": of an earlier catalog; today it is likely sim.restored.'],
  ["port.scheduled", '"port.scheduled": of an earlier catalog and without a successor.'],
  ["sim.activatd", '"sim.activatd": not in the catalog. Did you mean "sim.activated"?'],
  ["simm.*", '"simm.*": no type begins with "simm.". Did you mean "sim.*"?'],
  [
    "sim*",
    '"sim*": a pattern is a type, the whole parts at its beginning such as "sim.*", or "*". Did you mean "sim.*"?',
  ],
])("the message about the pattern %s", (pattern, message) => {
  expect(validateEnabledEvents([pattern])[0]?.message).toBe(message);
});

test("the findings of lintSubscription", () => {
  const messages = (enabled: string[], keys: string[]) =>
    lintSubscription(enabled, keys).map(({ message }) => message);
  expect(messages(["sms.received", "plan.created"], ["sms.received", "plan.create"])).toEqual([
    `The handler "plan.create" never fires: the endpoint's enabled_events include nothing for it. Did you mean "plan.created"?`,
    'No handler matches plan.created. Handle them, add "otherwise", or subscribe to fewer types.',
  ]);
  expect(messages(["*"], ["sim.activated", "sim.swapped", "otherwise"])).toEqual([
    'The endpoint receives sim.activated, sim.swapped without activation_code, because only "*" in enabled_events matches. Add each type by name, or add "sim.*".',
  ]);
  expect(messages(["referral.*", "balance.*"], ["referral.*", "balance.*"])).toEqual([
    "referral.reward.fulfilled, balance.credited announce the same money if the kind of the credit is referral: use only one of them for accounting.",
  ]);
});

describe("the error of an adapter whose body was already read names the line to change", () => {
  const reported: unknown[] = [];
  const newReceiver = () =>
    createReceiver({
      ...usual,
      onOutcome: () => {},
      onError: (error) => void reported.push(error),
    });
  const headers = { "platform-signature": "t=1,v1=00" };
  const parsed = { method: "POST", headers, readableEnded: true, body: {}, on: () => {} };
  const response = { writeHead: () => {}, end: () => {} };
  const readRequest = async (): Promise<Request> => {
    const request = await signedRequest(sampleEvent("plan.created"), { url, secret });
    await request.text();
    return request;
  };

  test.each<[name: string, deliver: (receive: Receiver) => Promise<unknown>, hint: string]>([
    [
      "Node",
      (receive) => toNodeHandler(receive)(parsed, response),
      "This request was read before it reached the webhook receiver. Pass the request to the receiver first. In an API route of Next.js, export const config = { api: { bodyParser: false } }.",
    ],
    [
      "Express",
      (receive) => toExpressHandler(receive)(parsed, response),
      "A body parser, such as express.json(), has read this body before the webhook receiver, so the raw one is gone. Move app.post(…, toExpressHandler(receive)) above app.use(express.json()).",
    ],
    [
      "Nest",
      (receive) => toNestHandler(receive)(parsed, response),
      "Nest has parsed this body, so the raw one is gone. Create the application with NestFactory.create(AppModule, { rawBody: true }).",
    ],
    [
      "Lambda",
      (receive) => toLambdaHandler(receive)({ httpMethod: "POST", headers, body: {} as never }),
      "The body of this event was parsed before it reached the webhook receiver. Pass the unchanged event of Lambda to the receiver, without a JSON body parser such as httpJsonBodyParser.",
    ],
    [
      "Hono",
      async (receive) => toHonoHandler(receive)({ req: { raw: await readRequest() } }),
      "A middleware has read this body before it reached the webhook receiver. Move app.post(…, toHonoHandler(receive)) above the middleware, and do not call c.req.json() or a validator first.",
    ],
    [
      "Next",
      async (receive) => toNextHandler(receive)(await readRequest()),
      "This route has read the body before it reached the webhook receiver. Write export const POST = toNextHandler(receive), without code around it.",
    ],
    [
      "a Request",
      async (receive) => receive(await readRequest()),
      "The body of this Request was read before it reached the receiver. Pass the Request to the receiver first, and do not read it yourself.",
    ],
  ])("%s", async (_name, deliver, hint) => {
    reported.length = 0;
    await deliver(newReceiver());
    expect(reported).toEqual([new TypeError(hint)]);
  });

  test("anything but a request is a TypeError", async () => {
    const receive = newReceiver();
    await expect(toLambdaHandler(receive)(7 as never)).rejects.toThrow(
      new TypeError("The handler requires the event of a Lambda function, not a number."),
    );
    await expect(toNextHandler(receive)(7 as never)).rejects.toThrow(
      new TypeError("The handler requires a Request, not a number."),
    );
    expect(() => toNodeHandler({} as never)).toThrow(
      new TypeError("An adapter requires a receiver, such as the result of createReceiver."),
    );
  });
});

describe("the printed line about a delivery", () => {
  const event = sampleEvent("plan.created");
  const lineOf = async (options: Partial<ReceiverOptions>, request?: Request) => {
    const lines: unknown[] = [];
    vi.spyOn(console, "warn").mockImplementation((line) => void lines.push(line));
    const receive = createReceiver({ ...usual, ...options } as ReceiverOptions);
    await receive(request ?? (await signedRequest(event, { url, secret })));
    return lines;
  };
  const once = "This is printed once a minute; pass onOutcome to receive each delivery.";

  test.each<[options: Partial<ReceiverOptions>, request: Request | undefined, line: string]>([
    [
      {},
      new Request(url),
      "405 not_post. Deliveries are POST requests: check that no redirect turns them into GET.",
    ],
    [{ maxBytes: 1 }, undefined, "413 too_large. The body has more bytes than maxBytes allows."],
    [
      { expectLivemode: true },
      undefined,
      "400 wrong_livemode. The event is from the other environment: compare expectLivemode with the secret.",
    ],
  ])("%j", async (options, request, line) => {
    expect(await lineOf(options, request)).toEqual([
      `A webhook receiver responded with ${line} ${once}`,
    ]);
  });

  test("that was not verified names what to check", async () => {
    const [missing] = await lineOf({}, new Request(url, { method: "POST", body: "{}" }));
    expect(missing).toMatch(
      /^A webhook receiver responded with 401 not_verified\. .+ Check that the service sends the header, and that no proxy removes it\. Call explain of @fieldmesh\/webhook-types\/explain to find the cause\. This is printed/,
    );
    const headers = { "platform-signature": "none" };
    const [malformed] = await lineOf({}, new Request(url, { method: "POST", headers, body: "{}" }));
    expect(malformed).toContain(
      " Check scheme, and that no proxy adds blanks to the header, or a second one with another time. Call explain of @fieldmesh/",
    );
    const [mismatch] = await lineOf({}, await signedRequest(event, { url, secret: "whsec_other" }));
    expect(mismatch).toMatch(
      /[a-z]\. Call explain of @fieldmesh\/[^.]+ to find the cause\. This is/,
    );
  });

  test("that was handled is not printed", async () => {
    expect(await lineOf({ handlers: { "*": () => {} } })).toEqual([]);
  });
});

describe("the explanation", () => {
  const body = '{"a":1}';
  const headersOf = (signed: string, timestamp = Math.floor(Date.now() / 1_000)) =>
    sign({ secret, body: signed, timestamp });
  const raw = "Use the raw body, before any parser or middleware reads it.";

  test.each<[signed: string, cause: string, message: string]>([
    [
      `${body}\n`,
      "trailing_newline",
      `The body differs from the signed one by a line break at its end. ${raw}`,
    ],
    [
      `${body}\r\n`,
      "trailing_newline",
      `The body differs from the signed one by a line break at its end. ${raw}`,
    ],
    [
      `\uFEFF${body}`,
      "byte_order_mark",
      "The body differs from the signed one by a byte order mark at its start, which text() of a request drops. Use the bytes.",
    ],
    [
      '{\n  "a": 1\n}',
      "reserialized_json",
      `The body was parsed and serialized again: the JSON is the same, but its bytes are not. ${raw}`,
    ],
    [
      '{"b":2}',
      "unknown",
      "None of the usual changes makes the signature valid. The most likely causes are another secret, or a body that was parsed and serialized again.",
    ],
  ])("of a body that was signed as %j", async (signed, cause, message) => {
    const headers = await headersOf(signed);
    expect(await explain({ secret }, { body, headers })).toEqual({
      isVerified: false,
      reason: "signature_mismatch",
      causes: [{ cause, message, isProved: cause !== "unknown" }],
    });
  });

  test("of missing headers", async () => {
    expect(await explain({ secret }, { body, headers: {} })).toMatchObject({
      reason: "header_missing",
      causes: [
        {
          cause: "unknown",
          message:
            "The headers do not match this scheme. Check that the request is signed, and that no proxy drops or rewrites a header.",
          isProved: false,
        },
      ],
    });
  });

  const causeOf = async (options: ExplainOptions, headers: Record<string, string>) => {
    const result = await explain(options, { body, headers });
    return result.isVerified ? [] : result.causes;
  };

  test("of a secret with a space around it, which is the right one or another one", async () => {
    const headers = await headersOf(body);
    const cause = "blanks_around_secret";
    expect(await causeOf({ secret: `${secret}\n` }, headers)).toEqual([
      {
        cause,
        message:
          "The secret has spaces or a line break around it, from a file or a shell: trim it.",
        isProved: true,
      },
    ]);
    expect(await causeOf({ secret: " whsec_other" }, headers)).toEqual([
      {
        cause,
        message: "The secret has spaces or a line break around it. That is not the only cause.",
        isProved: false,
      },
    ]);
  });

  test("of another secret, and of a wrong clock", async () => {
    expect(
      await causeOf({ secret: "whsec_other", otherSecrets: ["x", secret] }, await headersOf(body)),
    ).toEqual([
      {
        cause: "other_secret",
        message:
          "otherSecrets[1] signed the message: it is for another webhook endpoint or environment.",
        isProved: true,
      },
    ]);
    const now = 1_790_000_000_000;
    for (const [offset, when] of [
      [-400, "400 s ago"],
      [400, "400 s in the future"],
    ] as const)
      expect(
        await causeOf(
          { secret, now: () => now },
          await headersOf(body, Math.floor(now / 1_000) + offset),
        ),
      ).toEqual([
        {
          cause: "clock_skew",
          message: `The signature is correct, but according to the clock of this machine it was created ${when}. Set the clock. If it is right, this is a replay.`,
          isProved: true,
        },
      ]);
  });
});

const client = { query: async () => ({ rows: [] }), connect: async () => ({}) } as never;
const retention = 3 * 86_400_000 - 1;
const days =
  "retention must be 3 days or more, in milliseconds: an event may be delivered again for two days.";
const name = "table must be a plain name in lower case, such as fieldmesh_events.";
const pool = (owner: string, what: string): string =>
  `${owner} requires a Pool of pg, not ${what}. Pass new Pool({ connectionString }).`;
const redis = (owner: string, what: string): string =>
  `${owner} requires a client of the package redis or ioredis that can reconnect, not ${what}. Pass await createClient({ url }).connect().`;

test.each<[call: () => unknown, message: string]>([
  [() => postgresStore("postgres://u:p@h" as never), pool("postgresStore", "a string")],
  [() => postgresInbox({} as never), pool("postgresInbox", "an object")],
  [() => postgresOrder(null as never), pool("postgresOrder", "null")],
  [() => postgresPoison(undefined as never), pool("postgresPoison", "undefined")],
  [() => postgresStore(client, { retention }), days],
  [() => postgresPoison(client, { retention: Number.NaN }), days],
  [() => postgresOrder(client, { retention: "7 days" as never }), days],
  [() => postgresStore(client, { table: "Events" }), name],
  [() => postgresTables("a b"), name],
  [() => postgresTables("a.b.c"), name],
  [() => postgresOrderTable("1a"), name],
  [() => postgresPoisonTable(`a${"b".repeat(51)}`), name],
  [() => postgresTables(`a${"b".repeat(63)}.c`), name],
  [() => redisStore({} as never), redis("redisStore", "an object")],
  [() => redisOrder("redis://h" as never), redis("redisOrder", "a string")],
  [() => memoryOrder({ limit: 0 }), "memoryOrder: limit must be 1 or more."],
  [() => memoryPoison({ limit: 0 }), "memoryPoison: limit must be 1 or more."],
  [
    () => sqliteInbox("a.db" as never),
    "sqliteInbox requires a database of node:sqlite, not a string. Pass new DatabaseSync(path).",
  ],
  [
    () => sqliteStore("a.db" as never),
    "sqliteStore requires a database of node:sqlite, not a string. Pass new DatabaseSync(path).",
  ],
  [
    () => createEventRouter([] as never),
    'Pass handlers by type, such as { "sim.activated": (event) => … }.',
  ],
  [
    () => createEventRouter(null as never),
    'Pass handlers by type, such as { "sim.activated": (event) => … }.',
  ],
  [
    () => createEventRouter({ "sim.*": undefined } as never),
    'The handler of "sim.*" is undefined, not a function.',
  ],
  [
    () => createEventRouter({ "simm.*": () => {} } as never),
    '"simm.*" is not an event type, a family pattern, "*" or "otherwise". Did you mean "sim.*"?',
  ],
  [() => sampleEvent(7 as never), "a number is not an event type: see eventTypes."],
  [
    () => sampleEvent("sim.activatd" as never),
    '"sim.activatd" is not an event type: see eventTypes. Did you mean "sim.activated"?',
  ],
  [
    () => createReceiver({ ...usual, poison: { store: {} as never } }),
    "store of poison is an object, which is not a PoisonStore. Pass memoryPoison(), sqlitePoison(database) or postgresPoison(pool).",
  ],
  [
    () => createReceiver({ ...usual, poison: { store: memoryPoison(), attempts: 0 } }),
    "attempts of poison must be an integer from 1 up; it is 0.",
  ],
  [
    () => createReceiver({ ...usual, poison: { store: memoryPoison(), reload: "x" as never } }),
    "reload of poison must be a function, or omitted; it is a string.",
  ],
  [
    () => createReceiver({ ...usual, tolerance: -1 }),
    "tolerance must be a number of seconds, from 0 up.",
  ],
  [
    () => createReceiver({ ...usual, scheme: {} as never }),
    "scheme must be a scheme, such as standardWebhooks, or omitted.",
  ],
])("the error of an invalid argument of stores, the router and samples (%#)", (call, message) => {
  expect(call).toThrow(new TypeError(message));
});

test("stores accept the smallest limits and the longest names", () => {
  expect(() => postgresStore(client, { retention: retention + 1 })).not.toThrow();
  expect(() => memoryOrder({ limit: 1 })).not.toThrow();
  expect(postgresTables(`a${"b".repeat(62)}.c${"d".repeat(50)}`)).toContain('"."cd');
  expect(postgresTables("app.events")).toBe(`DO $$ BEGIN
PERFORM pg_advisory_xact_lock(hashtext('app.events'));
CREATE TABLE IF NOT EXISTS "app"."events" (
  id text PRIMARY KEY,
  seen_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz,
  token text,
  lease_until timestamptz,
  attempt integer NOT NULL DEFAULT 1
);
CREATE INDEX IF NOT EXISTS "events_seen_at" ON "app"."events" (seen_at);
END $$;
`);
});

test("the error of an invalid event that is dispatched or run again", async () => {
  await expect(createEventRouter({}).dispatch("{}" as never)).rejects.toThrow(
    new TypeError(
      "dispatch requires an event with an id and a type. Pass the result of parseEvent(body), not the body.",
    ),
  );
  await expect(createReceiver(usual).runAgain("evt_1")).rejects.toThrow(
    new TypeError("This receiver sets no event aside. Pass poison: { store }."),
  );
  const receive = createReceiver({ ...usual, poison: { store: memoryPoison() } });
  await expect(receive.runAgain("evt_1")).rejects.toThrow(
    new Error("No event evt_1 is set aside. Call list() of the poison store to see the ids."),
  );
  await expect(createReceiver(usual)(7 as never)).rejects.toThrow(
    new TypeError(
      "A receiver requires a Request, not a number. Use an adapter: createServer(toNodeHandler(receive)), or toExpressHandler(receive) for Express.",
    ),
  );
});
