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

test.each<[unknown]>([[[]], [null], [7], [{}], [[7, null]]])(
  "a field whose messages are %j was not accepted",
  (name) => {
    expect(read(422, { errors: { name } })).toMatchObject({
      message: "name was not accepted",
      fields: { name: ["was not accepted"] },
    });
  },
);

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
