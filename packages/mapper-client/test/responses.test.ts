import { expect, test } from "vitest";
import {
  createForwarder,
  createMapperClient,
  MapperRejectedError,
  type CallError,
} from "../src/index.ts";
import { consoleUplink } from "../../../tools/testing/uplinks.ts";

// The responses of the map, as a caller receives them.

function ingest(response: Response, uplink: unknown = consoleUplink()) {
  const client = createMapperClient({
    baseUrl: "https://map.test",
    retry: false,
    fetch: async () => response,
  });
  return client.ingest(uplink as never);
}
const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail("no error"),
    (error: unknown) => error as CallError,
  );
const failedWith = (status: number, text: string) =>
  `mapper.ingest (POST /api/v1/ingest/uplink) failed with ${status}: ${text}. `;
const REJECTED = "Call check(uplink) to find out what is wrong: the same request would fail again.";
const MEANING = "The uplink was not accepted";
const OTHER = "a reason that may repeat the uplink: see error.body";

test.each<[string, number, unknown, string[], string]>([
  ["one reason", 400, "latitude is required", ["latitude is required"], "latitude is required"],
  [
    "two reasons, with 422",
    422,
    ["latitude is required", "rxInfo must not be empty"],
    ["latitude is required", "rxInfo must not be empty"],
    "latitude is required; rxInfo must not be empty",
  ],
  ["a field in quotes", 400, '"accuracy" is odd', ['"accuracy" is odd'], '"accuracy" is odd'],
  ["a field of capitals", 400, "Payload is odd", ["Payload is odd"], "Payload is odd"],
  ["a reason with a number", 400, "latitude 47 is odd", [OTHER], MEANING],
  ["a reason about another field", 400, "name canary is odd", [OTHER], MEANING],
  ["a word that begins like a field", 400, "latitudes are odd", [OTHER], MEANING],
  ["a field that is not the first word", 400, "canary latitude", [OTHER], MEANING],
  ["a long reason", 400, `latitude ${"x".repeat(120)}`, [OTHER], MEANING],
  [
    "a reason that is just short enough",
    400,
    `latitude ${"x".repeat(119)}`,
    [`latitude ${"x".repeat(119)}`],
    `latitude ${"x".repeat(119)}`,
  ],
  [
    "a reason that may be shown and one that may not",
    400,
    ["altitude is odd", "canary"],
    ["altitude is odd", OTHER],
    "altitude is odd",
  ],
  [
    "reasons that are not strings",
    400,
    [7, null, "altitude is odd"],
    ["altitude is odd"],
    "altitude is odd",
  ],
  ["no reason", 400, undefined, [], MEANING],
])(
  "a rejection shows the reasons that cannot repeat the uplink: %s",
  async (_what, status, reason, reasons, text) => {
    const error = await errorOf(ingest(Response.json({ error: reason }, { status })));
    expect(error instanceof MapperRejectedError && (error as MapperRejectedError).reasons).toEqual(
      reasons,
    );
    expect(error.message).toBe(failedWith(status, text) + REJECTED);
  },
);

test("a 429 is not a rejection of the uplink", async () => {
  const response = Response.json({ error: "latitude is odd" }, { status: 429 });
  const error = await errorOf(ingest(response));
  expect(error.message).toBe(
    failedWith(429, "too many requests") +
      "The map accepts 60 uplinks per minute from one IP address (observed). A forwarder stays within that limit.",
  );
  expect(error).not.toBeInstanceOf(MapperRejectedError);
});

test.each([403, 500])(
  "a reason in a %i is not reported as a reason of the uplink",
  async (status) => {
    const error = await errorOf(ingest(Response.json({ error: "latitude is odd" }, { status })));
    expect(error.message).not.toContain("latitude");
    expect(error.message).not.toContain("check(uplink)");
    expect(error).not.toBeInstanceOf(MapperRejectedError);
  },
);

test.each(["Success", " success\r\n", "SUCCESS"])("the response %j is a success", async (body) => {
  expect(await ingest(new Response(body))).toEqual({ status: "success" });
});

test.each(["Successful", "No success", "7", "", "true"])(
  "the response %j is rejected",
  async (body) => {
    const error = await errorOf(ingest(new Response(body)));
    expect(error).toMatchObject({
      name: "ResponseValidationError",
      outcome: "applied",
      problems: [
        { path: "", message: expect.stringMatching(/neither Success nor a record|missing/) },
      ],
    });
  },
);

test.each<[unknown, string]>([
  [[], "is not an object: send the uplink as the integration delivered it"],
  ["text", "is not an object: send the uplink as the integration delivered it"],
  [{}, "decoded.payload: is missing: add a decoder to the flow, or put the fields into object"],
  [{ object: 7 }, "object: is not an object: let the codec return the four fields"],
  [
    { decoded: { payload: null } },
    "decoded.payload: is not an object: let the decoder return the four fields",
  ],
])("an uplink without a position is rejected before it is sent: %j", async (uplink, text) => {
  const error = await errorOf(ingest(new Response("Success"), uplink));
  expect(error.message).toBe(
    `mapper.ingest (POST /api/v1/ingest/uplink) was not sent: ${text}. Correct the input and call again.`,
  );
});

test("createMapperClient requires an object of options", () => {
  expect(() => createMapperClient("https://map.test" as never)).toThrow(
    "createMapperClient requires an object of options, such as { baseUrl }, not a string.",
  );
});

test("the error about unreadable options names their function", () => {
  const unreadable = new Proxy(
    {},
    {
      ownKeys() {
        throw new Error("canary");
      },
    },
  ) as never;
  for (const create of [createMapperClient, createForwarder])
    expect(() => create(unreadable)).toThrow(
      new RegExp(`^The options of ${create.name} cannot be read`),
    );
});

test("an unreadable uplink is rejected before it is sent, and the error of its getter is not shown", async () => {
  const unreadable = {
    get object() {
      throw new Error("canary");
    },
  };
  const error = await errorOf(ingest(new Response("Success"), unreadable));
  expect(error.message).toMatch(/^The input of mapper.ingest cannot be read/);
});

test("withOptions keeps the other options of the client", async () => {
  const sent: string[] = [];
  const client = createMapperClient({
    baseUrl: "https://map.test",
    observedRules: true,
    fetch: async (url) => (sent.push(url), new Response("Success")),
  });
  const other = client.withOptions({ baseUrl: "https://other.test" });
  await other.ingest(consoleUplink() as never);
  expect(sent).toEqual(["https://other.test/api/v1/ingest/uplink"]);
  const error = await errorOf(other.ingest(consoleUplink({ latitude: 0 }) as never));
  expect(error.message).toContain("is exactly 0");
});
