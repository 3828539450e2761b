import { canaries } from "../../../tools/canaries/canaries.ts";
import { expect, test } from "vitest";
import { isApiError, createConsoleClient } from "../src/index.ts";
import { answering, errorOf, ids } from "./answering.ts";

test("reads { errors: { error: [...] } }", async () => {
  const { client } = answering({ errors: { error: ["Label not found"] } }, { status: 404 });
  const error = await errorOf(client.labels.get({ label_id: ids.label }));
  expect(isApiError(error, 404)).toBe(true);
  expect(error.message).toBe(
    "labels.get (GET /api/v1/labels/:label_id) failed with 404: Label not found. Not found for this client: check the id or name, and that baseUrl and the credential belong to its environment.",
  );
});

test("reads { errors: { <field>: [...] } } and returns the fields", async () => {
  const { client } = answering({ errors: { name: ["has already been taken"] } }, { status: 422 });
  const error = await errorOf(client.labels.create({ name: "Pumps" }));
  expect(error["fields"]).toEqual({ name: ["has already been taken"] });
  expect(error.message).toContain("422: name has already been taken.");
});

test("shows no message of an unknown field, because it may repeat a value", async () => {
  const { client } = answering(
    { errors: { app_key: ["2B7E151628AED2A6ABF7158809CF4F3C is weak"] } },
    { status: 422 },
  );
  const error = await errorOf(client.labels.create({ name: "Pumps" }));
  expect(error.message).toContain("app_key was not accepted");
  expect(JSON.stringify(error)).not.toContain("2B7E");
  expect((error["body"] as { reveal(): string }).reveal()).toContain("2B7E");
});

test.for([
  "has already been taken",
  "should be at most 50 character(s)",
  "Name is too long (maximum is 52 characters)",
  "must be a valid EUI-64",
  "does not belong to this organization",
])("shows a known message about a field: %s", async (text) => {
  const { client } = answering(
    { errors: { name: [text], label_ids: ["is odd"] } },
    { status: 422 },
  );
  const error = await errorOf(client.labels.create({ name: "Pumps" }));
  expect(error["fields"]).toEqual({ name: [text], label_ids: ["is odd"] });
  expect(error.message).toContain(`422: name ${text}; label_ids is odd.`);
});

test("shows the message with a status that the row does not declare", async () => {
  const { client } = answering({ errors: { error: ["Quota is used up."] } }, { status: 400 });
  expect((await errorOf(client.labels.create({ name: "Pumps" }))).message).toContain(
    "400: Quota is used up.",
  );
});

const key = "2B7E151628AED2A6ABF7158809CF4F3C";
const part = "7e151628";
const secretTexts: readonly [string, string][] = [
  ["the key as it was sent", `${key} is weak`],
  ["eight characters of the key", `ends with ${part}`],
  ["the API key", `${canaries.apiKey} may not`],
  ["an unrelated key", "1111222233334444aaaabbbbccccdddd is taken"],
  ["a web page", "<p>no</p>"],
];

test.for(secretTexts)(
  "names only the field if a message contains a secret: %s",
  async ([, text]) => {
    const { client } = answering(
      { errors: { app_key: [text], error: [text], [key]: ["x"] } },
      { status: 422 },
    );
    const device = {
      name: "a",
      dev_eui: "0004A30B001C0530",
      app_eui: "0004A30B001C0530",
      app_key: key,
    };
    const error = await errorOf(client.devices.create(device));
    expect(error["fields"]).toEqual({ app_key: ["was not accepted"] });
    expect(error.message).toContain("422: app_key was not accepted.");
  },
);

test("shows at most 200 characters of a message, without control characters", async () => {
  const { client } = answering(
    { errors: { name: [`is\u0007 bad\u001b[31m ${"long ".repeat(100)}`] } },
    { status: 422 },
  );
  const { fields } = await errorOf(client.labels.create({ name: "Pumps" }));
  const [text] = (fields as { name: string[] }).name;
  expect(text).toMatch(/^is bad\[31m long /);
  expect(text).toHaveLength(200);
});

test("a 404 with a message of the console does not mention baseUrl, even outside of the contract", async () => {
  const named = answering({ errors: { error: ["Config profile not found"] } }, { status: 404 });
  const { message } = await errorOf(named.client.labels.create({ name: "Pumps" }));
  expect(message).toContain("404: Config profile not found. Not found for this client");
  expect(message).not.toContain("baseUrl");
  const page = answering("<h1>Not found</h1>", { status: 404 });
  expect((await errorOf(page.client.labels.create({ name: "Pumps" }))).message).toContain(
    "Check baseUrl",
  );
});

test("distinguishes an unknown key from one whose email link was not opened", async () => {
  const unknown = await errorOf(
    answering({ message: "invalid_api_key" }, { status: 401 }).client.labels.list(),
  );
  const unconfirmed = await errorOf(
    answering(
      { message: "api_key_needs_email_verification" },
      { status: 401 },
    ).client.labels.list(),
  );
  expect(unknown["code"]).toBe("invalid_api_key");
  expect(unknown.message).toContain("the API key is unknown");
  expect(unconfirmed["code"]).toBe("api_key_needs_email_verification");
  expect(unconfirmed.message).toContain("Open the link in the email");
});

test("reads a plain string without a content-type", async () => {
  const error = await errorOf(answering("Too many requests", { status: 429 }).client.labels.list());
  expect(error.message).toContain("429: too many requests.");
});

test("does not show an unknown message or page", async () => {
  for (const body of [
    "stack trace with secret-8",
    "<html>secret-8</html>",
    '{"message":"secret-8"}',
    '{"errors":"secret-8"}',
    '["secret-8"]',
    "null",
  ]) {
    for (const status of [400, 401, 403, 500]) {
      const error = await errorOf(answering(body, { status }).client.labels.list());
      expect(`${error.message} ${JSON.stringify(error)} ${error.stack}`).not.toContain("secret-8");
    }
  }
});

test("the error mentions the bulk method if single devices cannot be created", async () => {
  const { client } = answering({ errors: { error: ["disabled"] } }, { status: 403 });
  const device = {
    name: "a",
    dev_eui: "0004A30B001C0530",
    app_eui: "0004A30B001C0530",
    app_key: "2B7E151628AED2A6ABF7158809CF4F3C",
  };
  const error = await errorOf(client.devices.create(device));
  expect(error.message).toContain("use devices.createBatch");
});

test("a device list that is too large names the method that reads a list of any size", async () => {
  const { client } = answering([]);
  const { message } = await errorOf(client.devices.list({ maxResponseBytes: 1 }));
  expect(message).toContain("Use devices.each(), which reads a list of any size.");
});

/** A 404 of which no byte of the body arrives. */
const console = createConsoleClient({
  baseUrl: "https://console.test",
  apiKey: canaries.apiKey,
  fetch: async () => {
    const start = (controller: ReadableStreamDefaultController): void =>
      controller.error(new TypeError("terminated"));
    return new Response(new ReadableStream({ start }), { status: 404 });
  },
});
const EUI = { dev_eui: "0004A30B001C0530", app_eui: "70B3D57ED0010002" };

test.each([
  ["labels.find", () => console.labels.find({ name: "Pumps" })],
  ["devices.find", () => console.devices.find({ ...EUI, app_key: canaries.appKey })],
  ["integrations.find", () => console.integrations.find({ name: "Lake" })],
] as const)("%s rejects if nothing says whether a 404 is that of the console", async (_, find) => {
  const error = await find().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isApiError(error, 404)) throw new Error("not rejected");
  expect(error.outcome).toBe("rejected");
  expect(error.message).toMatch(/its body says whether nothing matches or the address is wrong/);
});
