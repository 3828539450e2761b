import { inspect } from "node:util";
import { expect, test } from "vitest";
import {
  createMapperClient,
  InputError,
  MapperRejectedError,
  TimeoutError,
  type CallError,
} from "../src/index.ts";
import { consoleUplink, networkUplink } from "../../../tools/testing/uplinks.ts";

const valid = consoleUplink() as never;

function clientOf(...responses: (() => Response)[]) {
  const sent: { url: string; headers: Headers; body: string }[] = [];
  const client = createMapperClient({
    baseUrl: "https://map.test/prefix/",
    retry: { baseDelay: 1, maxDelay: 2 },
    fetch: async (url, { headers, body = "" }) => {
      sent.push({ url, headers, body });
      return (responses[sent.length - 1] ?? responses.at(-1)!)();
    },
  });
  return { client, sent };
}
const respondWith =
  (body: string, status = 200) =>
  () =>
    new Response(body, { status });
const json =
  (body: unknown, status = 200) =>
  () =>
    Response.json(body, { status });
const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail("no error"),
    (error: unknown) => error as CallError,
  );

test("sends the unchanged uplink, without a credential and with a User-Agent", async () => {
  const { client, sent } = clientOf(respondWith("Success"));
  await client.ingest(valid);
  const [{ url, headers, body }] = sent as [(typeof sent)[0]];
  expect(url).toBe("https://map.test/prefix/api/v1/ingest/uplink");
  expect(JSON.parse(body)).toEqual(valid);
  expect(headers.get("user-agent")).toMatch(/^fieldmesh-mapper-client\//);
  expect(headers.get("content-type")).toBe("application/json");
  expect([...headers.keys()].toSorted()).toEqual(["accept", "content-type", "user-agent"]);
  await client.ingest(networkUplink() as never);
  expect(JSON.parse(sent[1]!.body)).toEqual(networkUplink());
});

test.each<[string, () => Response, unknown]>([
  ["a string", respondWith("Success"), { status: "success" }],
  ["a string with a line break", respondWith("Success\n"), { status: "success" }],
  [
    "JSON",
    json({ status: "success", uplink: { id: 1 }, hotspots: [] }),
    { status: "success", uplink: { id: 1 }, hotspots: [] },
  ],
])("returns one typed result for a response that is %s", async (_form, response, result) => {
  expect(await clientOf(response).client.ingest(valid)).toEqual(result);
});

test("invalid input is an InputError with every path, before any request", async () => {
  const { client, sent } = clientOf(respondWith("Success"));
  const error = await errorOf(
    client.ingest(consoleUplink({ latitude: "c4n4ry", altitude: 1.5 }) as never),
  );
  expect(error).toBeInstanceOf(InputError);
  expect(error).toMatchObject({
    call: "mapper.ingest",
    outcome: "not_sent",
    problems: [
      { path: "decoded.payload.latitude", message: "is a string: send a number" },
      { path: "decoded.payload.altitude", message: "is not a whole number: round it" },
    ],
  });
  expect(inspect(error)).not.toContain("c4n4ry");
  for (const odd of [undefined, null, "text", []])
    expect(await errorOf(client.ingest(odd as never))).toBeInstanceOf(InputError);
  expect(sent).toHaveLength(0);
});

test("a 429 with a string is retried, and reported if no retry succeeds", async () => {
  const { client, sent } = clientOf(respondWith("Too many requests", 429), respondWith("Success"));
  expect(await client.ingest(valid)).toEqual({ status: "success" });
  expect(sent).toHaveLength(2);
  const stays = clientOf(respondWith("Too many requests", 429)).client;
  const error = await errorOf(stays.ingest(valid, { totalTimeout: 1_000 }));
  expect(error).toMatchObject({ status: 429, outcome: "rejected" });
  expect((error as Error).message).toContain("60 uplinks per minute");
});

test("a submission that may have been accepted is not sent twice", async () => {
  const { client, sent } = clientOf(
    respondWith("Internal Server Error", 500),
    respondWith("Success"),
  );
  expect(await errorOf(client.ingest(valid))).toMatchObject({ status: 500, outcome: "unknown" });
  expect(sent).toHaveLength(1);
  const slow = createMapperClient({
    baseUrl: "https://map.test",
    timeout: 5,
    fetch: (_url, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason as Error)),
      ),
  });
  const error = await errorOf(slow.ingest(valid));
  expect(
    error instanceof TimeoutError && error.outcome === "unknown" && error.attempts.length === 1,
  ).toBe(true);
});

test("hooks hide the URL for downlinks, which contains a key, and the map receives it", async () => {
  const seen: unknown[] = [];
  let body = "";
  const client = createMapperClient({
    baseUrl: "https://map.test",
    hooks: { onRequest: (event) => void seen.push(event) },
    fetch: async (_, init) => {
      body = init.body ?? "";
      return new Response("Success");
    },
  });
  const downlink_url = "https://console.test/api/v1/down/canary";
  await client.ingest(consoleUplink({}, { downlink_url }) as never);
  expect(body).toContain(downlink_url);
  expect(seen).toHaveLength(1);
  expect(JSON.stringify(seen)).not.toContain("canary");
});

// The responses of the map, as a caller receives them.

function ingest(response: Response, uplink: unknown = consoleUplink()) {
  const client = createMapperClient({
    baseUrl: "https://map.test",
    retry: false,
    fetch: async () => response,
  });
  return client.ingest(uplink as never);
}
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
    expect(error).toMatchObject({ name: "MapperRejectedError", reasons, outcome: "rejected" });
    expect(inspect(error) + JSON.stringify(error) + error.stack).not.toContain("canary");
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
  [{}, "is in no known form: send the uplink as the integration delivered it"],
  [
    { dev_eui: "a" },
    "decoded.payload: is missing: add a decoder to the flow, or put the fields into object",
  ],
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
