import { createServer } from "node:http";
import { expect, test } from "vitest";
import { createVerifier, sign, signedRequest } from "../src/index.ts";
import { createReceiver, memoryStore } from "../src/receiver/index.ts";
import {
  postgresInbox,
  postgresOrder,
  postgresStore,
  redisOrder,
  redisStore,
} from "../src/stores/index.ts";
import { ioredisOf } from "./ioredis-double.ts";

// Common mistakes: the message names the value, what is required, and the next step.

const secret = "whsec_canary";
const url = "postgres://user:canary@db.test/app";
const options = { secret, store: memoryStore(), handlers: { otherwise: () => undefined } };
const receive = (given: object): unknown => createReceiver({ ...options, ...given } as never);
const verify = createVerifier({ secret });
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
  ...[
    "undefined",
    "changeme",
    "CHANGE_ME",
    "your-secret",
    "your_webhook_secret",
    "<secret>",
    "${WEBHOOK_SECRET}",
    "{{ secret }}",
    "%WEBHOOK_SECRET%",
    "whsec_...",
    "[object Object]",
  ].map((word): [string, () => unknown, RegExp] => [
    `the placeholder ${word} for a secret`,
    () => createVerifier({ secrets: [secret, word] }),
    /^secrets\[1\] is a placeholder: set the variable\.$/,
  ]),
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
  [
    "a connection string for a store",
    () => receive({ store: url }),
    /store is a string.*postgresInbox\(pool\)/,
  ],
  [
    "a pool for a store",
    () => receive({ store: { query() {}, connect() {} } }),
    /an object.*postgresInbox\(pool\)/,
  ],
  [
    "a store that was not created",
    () => receive({ store: memoryStore }),
    /store is a function.*memoryStore\(\)/,
  ],
  [
    "a connection string for an order",
    () => receive({ order: url }),
    /order is a string.*postgresOrder\(pool\)/,
  ],
  [
    "a size as a string",
    () => receive({ maxBytes: "1mb" }),
    /a number of bytes, 1 or more; it is a string/,
  ],
  [
    "a lease as a string",
    () => receive({ lease: "60" }),
    /a number of milliseconds, 1 or more; it is a string/,
  ],
  ["a negative lease", () => receive({ lease: -1 }), /milliseconds, 1 or more; it is -1/],
  ["postgresStore of a string", () => js(postgresStore)(url), /a string. Pass new Pool\(/],
  [
    "postgresStore of options",
    () => js(postgresStore)({ connectionString: url }),
    /an object. Pass new Pool\(/,
  ],
  ["postgresInbox of a string", () => js(postgresInbox)(url), /a string. Pass new Pool\(/],
  ["postgresInbox of nothing", () => js(postgresInbox)(), /undefined. Pass new Pool\(/],
  ["postgresOrder of a string", () => js(postgresOrder)(url), /a string. Pass new Pool\(/],
  [
    "redisStore of a string",
    () => js(redisStore)("redis://:canary@r.test"),
    /a string. Pass await createClient\(/,
  ],
  ["redisOrder of nothing", () => js(redisOrder)(), /undefined. Pass await createClient\(/],
  [
    "a memoryStore with a retention",
    () => js(memoryStore)({ retention: 5 }),
    /no option "retention"/,
  ],
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
