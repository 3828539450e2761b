import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import {
  createMapperClient,
  InputError,
  isApiError,
  MapperRejectedError,
  TimeoutError,
} from "../src/index.ts";
import { consoleUplink, networkUplink } from "../../../tools/testing/uplinks.ts";

const uplink = consoleUplink() as never;

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
const text =
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
    (error: unknown) => error,
  );

test("sends the unchanged uplink, without a credential and with a User-Agent", async () => {
  const { client, sent } = clientOf(text("Success"));
  await client.ingest(uplink);
  const [{ url, headers, body }] = sent as [(typeof sent)[0]];
  expect(url).toBe("https://map.test/prefix/api/v1/ingest/uplink");
  expect(JSON.parse(body)).toEqual(uplink);
  expect(headers.get("user-agent")).toMatch(/^fieldmesh-mapper-client\//);
  expect(headers.get("content-type")).toBe("application/json");
  expect([...headers.keys()].toSorted()).toEqual(["accept", "content-type", "user-agent"]);
  await client.ingest(networkUplink() as never);
  expect(JSON.parse(sent[1]!.body)).toEqual(networkUplink());
});

test.each<[string, () => Response, unknown]>([
  ["a string", text("Success"), { status: "success" }],
  ["a string with a line break", text("Success\n"), { status: "success" }],
  [
    "JSON",
    json({ status: "success", uplink: { id: 1 }, hotspots: [] }),
    { status: "success", uplink: { id: 1 }, hotspots: [] },
  ],
])("returns one typed result for a response that is %s", async (_form, response, result) => {
  expect(await clientOf(response).client.ingest(uplink)).toEqual(result);
});

test("rejects a web page of a proxy", async () => {
  const error = await errorOf(clientOf(text("<html>Welcome</html>")).client.ingest(uplink));
  expect(error).toMatchObject({ name: "ResponseValidationError", outcome: "unknown" });
});

describe("a rejection", () => {
  test.each<[string, () => Response, string[]]>([
    ["a string", text("Invalid Fields", 400), []],
    [
      "one reason",
      json({ error: "latitude must be a number" }, 400),
      ["latitude must be a number"],
    ],
    [
      "several reasons",
      json({ error: ["latitude is required", "hotspots must not be empty"] }, 400),
      ["latitude is required", "hotspots must not be empty"],
    ],
    [
      "a reason that repeats a value",
      json({ error: ["latitude c4n4ry 47.3769 is odd"] }, 400),
      ["a reason that may repeat the uplink: see error.body"],
    ],
  ])("with %s is a MapperRejectedError with each reason", async (_form, response, reasons) => {
    const { client, sent } = clientOf(response);
    const error = (await errorOf(client.ingest(uplink))) as MapperRejectedError;
    expect(error instanceof MapperRejectedError && isApiError(error, 400)).toBe(true);
    expect(error).toMatchObject({
      name: "MapperRejectedError",
      reasons,
      outcome: "rejected",
      status: 400,
    });
    expect(error.message).toContain("check(uplink)");
    expect(inspect(error) + JSON.stringify(error) + error.stack).not.toMatch(/c4n4ry|47\.3769/);
    expect(sent).toHaveLength(1);
  });

  test("is not reported for another status", async () => {
    expect(
      await errorOf(clientOf(text("Not Found", 404)).client.ingest(uplink)),
    ).not.toBeInstanceOf(MapperRejectedError);
  });
});

test("invalid input is an InputError with every path, before any request", async () => {
  const { client, sent } = clientOf(text("Success"));
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
  const { client, sent } = clientOf(text("Too many requests", 429), text("Success"));
  expect(await client.ingest(uplink)).toEqual({ status: "success" });
  expect(sent).toHaveLength(2);
  const stays = clientOf(text("Too many requests", 429)).client;
  const error = await errorOf(stays.ingest(uplink, { totalTimeout: 1_000 }));
  expect(error).toMatchObject({ status: 429, outcome: "rejected" });
  expect((error as Error).message).toContain("60 uplinks per minute");
});

test("a submission that may have been accepted is not sent twice", async () => {
  const { client, sent } = clientOf(text("Internal Server Error", 500), text("Success"));
  expect(await errorOf(client.ingest(uplink))).toMatchObject({ status: 500, outcome: "unknown" });
  expect(sent).toHaveLength(1);
  const slow = createMapperClient({
    baseUrl: "https://map.test",
    timeout: 5,
    fetch: (_url, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason as Error)),
      ),
  });
  const error = await errorOf(slow.ingest(uplink));
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
