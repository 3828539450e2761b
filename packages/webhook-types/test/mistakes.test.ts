import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { createVerifier, sign, signedRequest } from "../src/index.ts";
import { createReceiver, memoryOrder, memoryPoison, memoryStore } from "../src/receiver/index.ts";
import {
  postgresInbox,
  postgresOrder,
  postgresPoison,
  postgresPoisonTable,
  postgresStore,
  postgresTables,
  redisOrder,
  redisStore,
  sqliteInbox,
  sqliteOrder,
  sqlitePoison,
  sqliteStore,
} from "../src/stores/index.ts";
import { ioredisOf } from "./ioredis-double.ts";

// Common mistakes: the message names the value, what is required, and the next step.

const secret = "whsec_canary";
const url = "postgres://user:canary@db.test/app";
const options = { secret, store: memoryStore(), handlers: { otherwise: () => undefined } };
const receive = (given: object): unknown => createReceiver({ ...options, ...given } as never);
const verify = createVerifier({ secret });
const retention = 2 * 86_400_000;
const client = { query: async () => ({ rows: [] }), connect: async () => ({}) } as never;
const database = new DatabaseSync(":memory:");

const mistakesOfReceivers: Readonly<Record<string, readonly [given: object, message: RegExp]>> = {
  "no store": [{ store: undefined }, /memoryStore\(\).*noStore\(\)/],
  "a connection string for a store": [{ store: url }, /store is a string.*postgresInbox\(pool\)/],
  "a pool for a store": [{ store: { query() {}, connect() {} } }, /an object.*postgresInbox/],
  "a store that was not created": [{ store: memoryStore }, /store is a function.*memoryStore\(\)/],
  "a connection string for an order": [{ order: url }, /order is a string.*postgresOrder\(pool\)/],
  "a misspelled option": [{ expectLiveMode: true }, /"expectLiveMode".*"expectLivemode"/],
  "no handlers": [{ handlers: undefined }, /requires handlers by type/],
  "a function as handlers": [{ handlers: () => {} }, /by type/],
  "a list of handlers": [{ handlers: [() => {}] }, /by type/],
  "an undefined handler": [{ handlers: { "sim.*": undefined } }, /"sim\.\*" is undefined/],
  "a handler that is no function": [{ handlers: { "sim.*": "log" } }, /"sim\.\*" is string, not/],
  "a handler that can never run": [{ handlers: { "sim.activatd": () => {} } }, /sim\.activatd/],
  "expectLivemode as a string": [{ expectLivemode: "true" }, /expectLivemode must be true or fal/],
  "a reporter that is no function": [{ onError: "log" }, /onError must be a function/],
  "a logger without methods": [{ logger: { warn() {} } }, /logger requires the methods debug/],
  "a parser that is no function": [{ parse: {} }, /parse must be a function/],
  "maxBytes of 0": [{ maxBytes: 0 }, /a number of bytes, 1 or more; it is 0/],
  "a size as a string": [{ maxBytes: "1mb" }, /a number of bytes, 1 or more; it is a string/],
  "a lease as a string": [{ lease: "60" }, /a number of milliseconds, 1 or more; it is a string/],
  "a negative lease": [{ lease: -1 }, /milliseconds, 1 or more; it is -1/],
  "a lease that is NaN": [{ lease: Number.NaN }, /milliseconds, 1 or more; it is NaN/],
};

/** Removes the types, as for a caller in JavaScript. */
const js = (call: unknown): ((...args: unknown[]) => unknown) => call as never;

test.for<[string, () => unknown, RegExp]>([
  ["no secret", () => createVerifier({ secret: undefined }), /\{ secret \}.*Is the variable set/],
  ["no options", () => js(createVerifier)(), /\{ secret \}.*Is the variable set/],
  ["a secret alone", () => js(createVerifier)(secret), /\{ secret \}/],
  [
    "a quoted secret",
    () => createVerifier({ secret: `"${secret}"` }),
    /secret is in quotes: remove/,
  ],
  [
    "one quoted secret of two",
    () => createVerifier({ secrets: [secret, `'${secret}'`] }),
    /secrets\[1\] is in quotes/,
  ],
  ["a secret with a line break", () => createVerifier({ secret: `${secret}\n` }), /secret ends in/],
  ["a blank secret", () => createVerifier({ secret: " \n" }), /Is the variable set/],
  ["a short secret", () => createVerifier({ secret: "canary" }), /fewer than 8 characters/],
  ...["undefined", "changeme", "your_webhook_secret", "${WEBHOOK_SECRET}", "whsec_..."].map(
    (word): [string, () => unknown, RegExp] => [
      `the placeholder ${word} for a secret`,
      () => createVerifier({ secrets: [secret, word] }),
      /^secrets\[1\] is a placeholder: set the variable\.$/,
    ],
  ),
  [
    "a misspelled option of a verifier",
    () => createVerifier({ secret, tolerence: 1 } as never),
    /A verifier has no option "tolerence". Did you mean "tolerance"/,
  ],
  [
    "tolerance as a string",
    () => createVerifier({ secret, tolerance: "300" as never }),
    /a number of seconds/,
  ],
  ...[{}, { toKey: () => "" }, { read: () => "header_missing" }, "standardWebhooks"].map(
    (scheme): [string, () => unknown, RegExp] => [
      `a scheme that is none: ${JSON.stringify(Object(scheme))}`,
      () => createVerifier({ secret, scheme: scheme as never }),
      /scheme must be a scheme, such as standardWebhooks/,
    ],
  ),
  [
    "no options of a receiver",
    () => js(createReceiver)(),
    /\{ secret, store, handlers \}, not undefined/,
  ],
  ...Object.entries(mistakesOfReceivers).map(
    ([name, [given, message]]): [string, () => unknown, RegExp] => [
      name,
      () => receive(given),
      message,
    ],
  ),
  ["postgresStore of a string", () => js(postgresStore)(url), /a string. Pass new Pool\(/],
  ["postgresInbox of options", () => js(postgresInbox)({ url }), /an object. Pass new Pool\(/],
  ["postgresOrder of nothing", () => js(postgresOrder)(), /undefined. Pass new Pool\(/],
  ["postgresPoison of a string", () => js(postgresPoison)(url), /not a string/],
  ["sqliteStore of a path", () => js(sqliteStore)("canary.db"), /Pass new DatabaseSync\(path\)/],
  ["sqliteInbox of a path", () => js(sqliteInbox)("canary.db"), /Pass new DatabaseSync\(path\)/],
  ["sqliteOrder of a path", () => js(sqliteOrder)("canary.db"), /Pass new DatabaseSync\(path\)/],
  ["sqlitePoison of {}", () => js(sqlitePoison)({}), /Pass new DatabaseSync\(path\)/],
  ["redisStore of a string", () => js(redisStore)(url), /a string. Pass await createClient\(/],
  ["redisOrder of nothing", () => js(redisOrder)(), /undefined. Pass await createClient\(/],
  ["a retention of 2 days", () => postgresStore(client, { retention }), /3 days or more/],
  ["a retention in words", () => js(postgresOrder)(client, { retention: "7 d" }), /3 days or more/],
  ["a retention of SQLite", () => sqliteOrder(database, { retention }), /3 days or more/],
  ["a table with a statement", () => postgresStore(client, { table: "a; DROP" }), /plain name/],
  ["a table of SQLite", () => sqliteStore(database, { table: "a; DROP" }), /plain name/],
  ["a table in a list", () => js(postgresTables)(["events"]), /plain name/],
  ["a name of 52 characters", () => postgresPoisonTable("a".repeat(52)), /plain name/],
  ["a memoryStore with a retention", () => js(memoryStore)({ retention }), /no option "retention"/],
  ["a limit of 0", () => memoryOrder({ limit: 0 }), /memoryOrder: limit must be 1 or more/],
  ["a limit in words", () => js(memoryPoison)({ limit: "5" }), /memoryPoison: limit must be 1 or/],
])("%s", ([, make, message]) => {
  const error = errorOf(make);
  expect(error).toBeInstanceOf(TypeError);
  expect(error.message).toMatch(message);
  expect(String(error.stack)).not.toContain("canary");
});

test.for<[string, unknown, RegExp]>([
  [
    "a Request",
    new Request("http://a.test", { method: "POST", body: "{}" }),
    /await request.text\(\)/,
  ],
  ["a parsed body", { body: { id: "evt_1" }, headers: {} }, /the raw body/],
  ["no headers", { body: "{}" }, /the headers of the request/],
  ["nothing", undefined, /the raw body/],
])("verifying %s", async ([, message, problem]) => {
  await expect(verify(message as never)).rejects.toThrow(TypeError);
  await expect(verify(message as never)).rejects.toThrow(problem);
});

test("the error of signing without arguments says what is required", async () => {
  await expect(js(signedRequest)()).rejects.toThrow("requires an event and { url, secret }");
  await expect(js(sign)()).rejects.toThrow("requires { secret, body }");
});

test.for<[string, unknown]>([
  ["nowhere", "nowhere"],
  ["no url", undefined],
  ["a path", "/hooks"],
])("signing a request to %s", async ([, to]) => {
  const signing = signedRequest("{}", { url: to as string, secret });
  await expect(signing).rejects.toThrow(TypeError);
  await expect(signing).rejects.toThrow("signedRequest requires the url of the receiver.");
});

// The error of a getter may contain anything, even if it is a TypeError.
const trap = {
  get canary(): never {
    throw new TypeError("canary");
  },
};

test.for<[string, () => unknown]>([
  [
    "The argument of createVerifier",
    () =>
      createVerifier({
        get secret() {
          return trap.canary;
        },
      }),
  ],
  [
    "The message",
    () =>
      verify({
        body: "{}",
        get headers() {
          return trap.canary;
        },
      }),
  ],
  [
    "The argument of sign",
    () =>
      sign({
        body: "{}",
        get secret() {
          return trap.canary;
        },
      }),
  ],
  [
    "An argument of signedRequest",
    () =>
      signedRequest(
        {
          get id() {
            return trap.canary;
          },
        },
        { url: "http://a.test", secret },
      ),
  ],
])(
  "%s with a getter that throws is rejected, and its error is not shown",
  async ([owner, call]) => {
    const error = await Promise.resolve()
      .then(call)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(new RegExp(`^${owner} cannot be read: a getter`));
    expect(String((error as Error).stack)).not.toContain("canary");
  },
);

test("the error of a receiver that is passed to createServer names the adapter", async () => {
  const receiver = createReceiver(options);
  let problem: unknown;
  const server = createServer((request, response) => {
    (receiver(request as never) as Promise<unknown>).then(
      () => response.end(),
      (error: unknown) => {
        problem = error;
        response.end();
      },
    );
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "{}" });
  server.close();
  expect(problem).toBeInstanceOf(TypeError);
  expect((problem as Error).message).toContain("not an IncomingMessage");
  expect((problem as Error).message).toContain("createServer(toNodeHandler(receive))");
});

function errorOf(make: () => unknown): Error {
  try {
    make();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}

test.each(["QUEUED", null, ["unknown", null], { status: "done" }])(
  "redisStore rejects the reply %j, which its script never returns",
  async (reply) => {
    const store = redisStore(ioredisOf(async () => reply));
    const message = /expects the result of its script/;
    await expect(store.claim("evt_1", "token", 1)).rejects.toThrow(message);
    await expect(store.extend("evt_1", "token", 1)).rejects.toThrow(message);
    await expect(store.complete("evt_1", "token")).rejects.toThrow(message);
    await expect(store.release("evt_1", "token")).rejects.toThrow(message);
  },
);
