import { expect, test } from "vitest";
import { InputError, type ClientOptions } from "../src/index.ts";
import { createThings, errorOf, thing } from "./things.ts";

test.for<[string, unknown]>([
  ["options: must be an object", null],
  ["options: must be an object", "canary"],
  ["signal must be an AbortSignal", { signal: { aborted: false } }],
  ...["", "low", null, 1, true].map((priority): [string, unknown] => [
    'priority must be "normal" or "background"',
    { priority },
  ]),
  ["schema must be a schema that follows Standard Schema", { schema: { parse: () => 1 } }],
  ["schema must be a schema that follows Standard Schema", { schema: null }],
  ["idempotencyKey must have 1 to 255 ASCII characters", { idempotencyKey: "" }],
  ["idempotencyKey must have 1 to 255 ASCII characters", { idempotencyKey: "canary\r\nx: y" }],
  ["idempotencyKey must have 1 to 255 ASCII characters", { idempotencyKey: "canary key" }],
  ["idempotencyKey must have 1 to 255 ASCII characters", { idempotencyKey: "x".repeat(256) }],
  ["headers must not set idempotency-key", { headers: { "Idempotency-Key": "canary" } }],
  ["headers must be a plain object", { headers: new Headers({ "x-a": "canary" }) }],
  ["headers must be a plain object", { headers: [["x-a", "canary"]] }],
  ["headers: x-a must be a string", { headers: { "x-a": undefined } }],
])("rejects a call with “%s” before anything is sent", async ([message, options]) => {
  let sent = 0;
  const things = createThings({ fetch: async () => (sent++, Response.json(thing)) });
  const error = await errorOf(things.createOnce({ name: "one" }, options as never));
  expect(error).toBeInstanceOf(InputError);
  expect(error.message).toContain(message);
  expect(`${error.stack} ${JSON.stringify(error)}`).not.toMatch(/canary/);
  expect(sent).toBe(0);
});

test.for<[string, unknown]>([
  ["hooks requires an object", { hooks: "canary" }],
  ["hooks.onRequest must be a function", { hooks: { onRequest: "canary" } }],
  ["onDrift must be a function", { onDrift: "canary" }],
  ["retry must be false or an object", { retry: 3 }],
  ["retry must be false or an object", { retry: true }],
  ["headers: user-agent is not a valid header", { headers: { "user-agent": "can\nary" } }],
  ["headers must be a plain object", { headers: new Headers({ "x-a": "canary" }) }],
  ["headers: x-a must be a string", { headers: { "x-a": 5 } }],
  ["headers must not set connection", { headers: { connection: "close" } }],
  ["headers must not set expect", { headers: { expect: "100-continue" } }],
  ["baseUrl must begin with https://", { baseUrl: "canary:password@things.test" }],
])("rejects a client with “%s”, and shows no value", ([message, options]) => {
  const create = (): unknown => createThings(options as Partial<ClientOptions>);
  expect(create).toThrow(TypeError);
  expect(create).toThrow(message);
  expect(create).not.toThrow(/canary/);
});

test("a message ends with the question mark of its suggestion", async () => {
  const options = { retry: { attempt: 2 } as never };
  const error = await errorOf(createThings().list(options));
  expect(error.message).toContain('Did you mean "attempts"? Correct the input');
});
