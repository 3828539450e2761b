import { expect, test } from "vitest";
import { consoleService } from "./service.ts";

const show = (text: unknown): string | undefined =>
  typeof text === "string" && !text.includes("hidden") ? text : undefined;
const headers = new Headers();
/** Reads a body, as JSON unless it is a string. */
function read(status: number, body: unknown, meaning?: string) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return consoleService.readError({ status, headers, body: text } as never, meaning, show);
}

test("the service is named in messages, and checks observed rules", () => {
  expect(consoleService).toMatchObject({ name: "the console", observedRules: true });
});

test.each<[string, object]>([
  [
    "api_key_needs_email_verification",
    {
      code: "api_key_needs_email_verification",
      message: "the API key is not confirmed yet",
      advice:
        "Open the link in the email that the console sent to the account that created the key.",
    },
  ],
  [
    "invalid_api_key",
    {
      code: "invalid_api_key",
      message: "the API key is unknown",
      advice:
        "Check apiKey: the console shows a key only once, when you create it, and it belongs to one organization.",
    },
  ],
  ["another", { message: "the API key was not accepted", advice: "Check apiKey." }],
])("a 401 with the code %s says what to do with the key", (message, details) => {
  expect(read(401, { message })).toEqual(details);
  expect(read(400, { message })).toEqual({ message: undefined, fields: {} });
});

test("only a 403 whose list of errors says so means that the key is missing", () => {
  const body = { errors: ["Another", "Key header is missing"] };
  expect(read(403, body)).toEqual({
    message: "the request had no API key",
    advice: "Check whether a proxy, or your own fetch, removes the header `key`.",
  });
  expect(read(422, body)).toEqual({ message: undefined, fields: {} });
  expect(read(403, { errors: ["Another"] })).toEqual({ message: undefined, fields: {} });
  expect(read(403, { errors: "Key header is missing" })).toEqual({
    message: undefined,
    fields: {},
  });
});

test("all messages of errors.error and of the fields are joined, the fields first", () => {
  const errors = { error: ["first", "second"], name: ["is taken", "is long"], rx_delay: "is odd" };
  expect(read(422, { errors })).toEqual({
    message: "name is taken, is long; rx_delay is odd; first; second",
    fields: { name: ["is taken", "is long"], rx_delay: ["is odd"] },
    advice: undefined,
  });
});

test("a message that may contain a secret is replaced for a field, and otherwise left out", () => {
  const errors = { error: ["hidden 1", "shown"], app_key: ["hidden 2", "is weak"] };
  expect(read(422, { errors })).toEqual({
    message: "app_key was not accepted, is weak; shown",
    fields: { app_key: ["was not accepted", "is weak"] },
    advice: undefined,
  });
});

test.each<[unknown]>([[[]], [null], [7], [{}], [[7, null]]])(
  "a field whose messages are %j was not accepted",
  (name) => {
    expect(read(422, { errors: { name } })).toMatchObject({
      message: "name was not accepted",
      fields: { name: ["was not accepted"] },
    });
  },
);

test("only short names of letters, digits and underscores are fields", () => {
  const longest = "x".repeat(40);
  const odd = { "a b": ["1"], "a-": ["2"], "-a": ["3"], [`${longest}x`]: ["4"], hidden_1: ["5"] };
  expect(read(422, { errors: { ...odd, [longest]: ["6"], a_1: ["7"] } })).toMatchObject({
    fields: { [longest]: ["6"], a_1: ["7"] },
  });
});

test("at most ten fields, and ten messages of each, are read", () => {
  const names = Array.from({ length: 11 }, (_, number) => `field_${number}`);
  const texts = names.map((name) => `message of ${name}`);
  const errors = Object.fromEntries(names.map((name) => [name, texts]));
  const { fields = {} } = read(422, { errors });
  expect(fields).toEqual(
    Object.fromEntries(names.slice(0, 10).map((name) => [name, texts.slice(0, 10)])),
  );
  expect(read(422, { errors: { error: texts } }).message).toBe(texts.slice(0, 10).join("; "));
});

test("only a 404 without a meaning of its row advises to check the ids", () => {
  const body = { errors: { error: ["Quota is used up"] } };
  const advice = "Not found for this client: check the ids in the input.";
  expect(read(404, body)).toMatchObject({ message: "Quota is used up", advice });
  expect(read(404, body, "Label not found")).toMatchObject({ advice: undefined });
  expect(read(422, body)).toMatchObject({ advice: undefined });
});

test("the meaning of the row explains a 403, and replaces the message of no other status", () => {
  const body = { errors: { error: ["disabled"] } };
  expect(read(403, body, "use createBatch").message).toBe("disabled (use createBatch)");
  expect(read(403, body).message).toBe("disabled");
  expect(read(422, body, "was not accepted").message).toBe("disabled");
});

test("without messages, the row says what a status means, and then a known body", () => {
  expect(read(404, "Label not found", "The label")).toEqual({ message: "The label", fields: {} });
  expect(read(404, " Label not found\n")).toEqual({ message: "Label not found", fields: {} });
  expect(read(429, "Slow down")).toEqual({ message: "too many requests", fields: {} });
  expect(read(500, "Slow down")).toEqual({ message: undefined, fields: {} });
});

const known = [
  "Label not found",
  "labels not found",
  "Device was not found",
  "Integrations not found",
  "Flow not found",
  "Organization not found",
  "Config profile not found",
];
const unknown = [
  "",
  "Not found",
  "My label not found",
  "Label not found here",
  "Label is not found",
  "Key not found",
];

test.each(known)("the body %j says that nothing matches, and may be shown", (body) => {
  for (const padded of [body, ` ${body}\n`]) {
    expect(consoleService.saysAbsent?.(padded)).toBe(true);
    expect(read(404, padded).message).toBe(body);
  }
});

test.each(unknown)("the body %j may be that of a proxy, and is not shown", (body) => {
  expect(consoleService.saysAbsent?.(body)).toBe(false);
  expect(read(404, body).message).toBeUndefined();
});

test("a message in errors.error says that nothing matches, and no other field does", () => {
  expect(consoleService.saysAbsent?.('{"errors":{"error":["Nothing"]}}')).toBe(true);
  expect(consoleService.saysAbsent?.('{"errors":{"error":[]}}')).toBe(false);
  expect(consoleService.saysAbsent?.('{"errors":{"name":["Nothing"]}}')).toBe(false);
  expect(consoleService.saysAbsent?.('{"error":["Nothing"]}')).toBe(false);
});
