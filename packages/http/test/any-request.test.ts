import { expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import { readRecord } from "@fieldmesh/core/internal";
import {
  InputError,
  isApiError,
  ResponseValidationError,
  Secret,
  type AnyRequest,
  type ApiError,
  type CallError,
  type FetchInit,
} from "../src/internal.ts";
import { everyHook, everythingPrinted } from "../../../tools/canaries/canaries.ts";
import { sendJson, startHttp, type Received } from "../../../tools/testing/http-server.ts";
import { API_KEY, createThingsTransport, errorOf, type ThingsOptions } from "./things.ts";

const client = (options: ThingsOptions = {}) => createThingsTransport(options);

test("request sends any method, path, query and body with the credential of the client", async () => {
  await using server = await startHttp((_, response) => sendJson(response, { id: 2n ** 70n > 0n }));
  const { request } = client({
    baseUrl: `${server.baseUrl}/prefix`,
    headers: { "x-team": "water" },
  });
  const output = await request(
    {
      method: "PATCH",
      path: `/v1/devices/${encodeURIComponent("a b")}/frames/`,
      query: {
        tag: ["a&b", "c"],
        limit: 10,
        deep: true,
        token: new Secret("t+1"),
        none: undefined,
      },
      body: { key: new Secret("canary"), size: 2n ** 60n, list: [null] },
    },
    { headers: { "x-call": "1" }, idempotencyKey: "k-1" },
  );
  expect(output).toEqual({ id: true });
  expect(server.received).toEqual<Partial<Received>[]>([
    expect.objectContaining({
      method: "PATCH",
      url: "/prefix/v1/devices/a%20b/frames/?tag=a%26b&tag=c&limit=10&deep=true&token=t%2B1",
      body: '{"key":"canary","size":1152921504606846976,"list":[null]}',
    }),
  ]);
  expect(server.received[0]?.headers).toMatchObject({
    key: API_KEY,
    "x-team": "water",
    "x-call": "1",
    "user-agent": "things-test/1.0",
    "content-type": "application/json",
    "idempotency-key": "k-1",
  });
});

test.for<[string, string | null, unknown]>([
  ["JSON", "[1,12345678901234567890]", [1, 12345678901234567890n]],
  ["a string", "Thing deleted", "Thing deleted"],
  ["no body", null, undefined],
])("request returns the response body unchanged: %s", async ([, body, expected]) => {
  const { request } = client({ fetch: async () => new Response(body) });
  expect(await request({ method: "GET", path: "/v1/any" })).toEqual(expected);
});

test("a schema describes the whole body and types the output", async () => {
  const { request } = client({ fetch: async () => Response.json([{ id: "7" }]) });
  const get = { method: "GET", path: "/v1/any" } as const;
  const schema = z.array(z.object({ id: z.coerce.number() }));
  const output = await request({ ...get, schema });
  expectTypeOf(output).toEqualTypeOf<{ id: number }[]>();
  expect(output).toEqual([{ id: 7 }]);
  const error = await errorOf<CallError>(request({ ...get, schema: z.object({}) }));
  expect(error instanceof ResponseValidationError && error.outcome).toBe("applied");
});

test.for([
  ["POST", 503, 1],
  ["PATCH", 503, 1],
  ["POST", 429, 3],
] as const)("a %s with the response %i is sent %i times", async ([method, status, times]) => {
  let sent = 0;
  const { request } = client({
    fetch: async () => new Response("", { status: ++sent < 3 ? status : 200 }),
  });
  const call = request({ method, path: "/v1/any" });
  if (times === 3) await call;
  else expect((await errorOf<ApiError>(call)).message).toContain("It may have been carried out");
  expect(sent).toBe(times);
});

test("a POST with an idempotency key is retried with trustIdempotencyKeys", async () => {
  const keys: (string | null)[] = [];
  const fetch = async (_: string, { headers }: FetchInit): Promise<Response> => {
    keys.push(headers.get("idempotency-key"));
    return new Response("", { status: keys.length < 3 ? 503 : 200 });
  };
  const { request } = client({ fetch, trustIdempotencyKeys: true });
  await request({ method: "POST", path: "/v1/any" }, { idempotencyKey: "k-1" });
  expect(keys).toEqual(["k-1", "k-1", "k-1"]);
});

test("a client with idempotency keys sends one with each POST and DELETE", async () => {
  const keyed: string[] = [];
  const fetch = async (_: string, { headers, method }: FetchInit): Promise<Response> => {
    if (headers.get("idempotency-key") !== null) keyed.push(method);
    return new Response("");
  };
  const { request } = client({ fetch, keyedWrites: true });
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"] as const)
    await request({ method, path: "/v1/any" });
  expect(keyed).toEqual(["POST", "DELETE"]);
});

test.for<[string, string]>([
  ["no slash", "v1/canary"],
  ["another origin", "https://evil.test/canary"],
  ["another host", "//evil.test/canary"],
  ["dots", "/v1/../canary"],
  ["an empty segment", "/v1//canary"],
  ["a query", "/v1/things?key=canary"],
  ["a fragment", "/v1/things#canary"],
  ["half of a surrogate pair", "/v1/%c3/canary"],
])("a path with %s is rejected before anything is sent", async ([, path]) => {
  let sent = 0;
  const { request } = client({ fetch: async () => (sent++, new Response("")) });
  const error = await errorOf(request({ method: "GET", path: path as "/" }));
  expect(error instanceof InputError && error.problems).toEqual([
    { path: "path", message: expect.stringMatching(/^[a-z]+ \w+/) },
  ]);
  expect(sent).toBe(0);
});

test.for<[string, string, Partial<Record<keyof AnyRequest, unknown>>]>([
  ["another method", "method: must be one of GET,", { method: "canary" }],
  ["a body of GET", "body: cannot be sent with GET: use query", { body: { a: "canary" } }],
  ["a circular body", "body: cannot be written as JSON", { method: "POST", body: loop() }],
  [
    "a Map",
    "body: cannot be written as JSON",
    { method: "POST", body: new Map([["a", "canary"]]) },
  ],
  ["a function", "body: cannot be written as JSON", { method: "PUT", body: () => "canary" }],
  ["a query string", "query: must be a plain object", { query: "a=canary" }],
  [
    "an object in the query",
    "query: filter must be a string",
    { query: { filter: { a: "canary" } } },
  ],
])("%s is rejected, and the error shows no value", async ([, message, members]) => {
  const { request } = client({ fetch: async () => new Response("") });
  const wrong = { method: "GET", path: "/v1/things", ...members } as AnyRequest;
  const error = await errorOf(request(wrong));
  expect(error).toBeInstanceOf(InputError);
  expect(error.message).toContain(message);
  expect(everythingPrinted(error)).not.toMatch(/canary/);
});

test.each([
  ["/v1", "/v1"],
  ["/v123/poc_receipts/a-b", "/v123/poc_receipts/a-b"],
  ["/v1234/a.b/A/a1/_a/a-/a+b", "/:value/:value/:value/:value/:value/:value/:value"],
  [`/${"a".repeat(24)}/${"a".repeat(25)}`, `/${"a".repeat(24)}/:value`],
  ["/a_b-c_d-e/a_b-c_d-e-f/a__b", "/a_b-c_d-e/:value/:value"],
] as const)("errors show the path %s as %s", async (path, shown) => {
  const sent: string[] = [];
  const { request } = client({
    fetch: async (url) => (sent.push(url), new Response("", { status: 404 })),
  });
  const error = await errorOf<CallError>(request({ method: "GET", path }));
  expect(sent).toEqual([`https://things.test${path}`]);
  expect(error.route).toBe(`GET ${shown}`);
});

test.each([
  ["false", { a: false, b: 0, c: "" }, "?a=false&b=0&c="],
  ["omitted values only", { a: undefined }, ""],
  ["an empty list", { a: [] }, ""],
  ["a big number", { a: [2n ** 64n] }, "?a=18446744073709551616"],
])("request writes a query with %s", async (_what, query, search) => {
  const sent: string[] = [];
  const { request } = client({ fetch: async (url) => (sent.push(url), new Response("")) });
  await request({ method: "GET", path: "/v1/any", query });
  expect(sent).toEqual([`https://things.test/v1/any${search}`]);
});

test("request throws a TypeError for a misspelled member or option", async () => {
  const { request } = client({ fetch: async () => new Response("") });
  const get = { method: "GET", path: "/v1/things" } as const;
  await expect(request({ ...get, querry: {} } as never)).rejects.toThrow(
    'request has no option "querry". Did you mean "query"?',
  );
  await expect(request(get, { timout: 5 } as never)).rejects.toThrow('Did you mean "timeout"?');
  for (const none of [undefined, null, "GET /v1/things"])
    await expect(request(none as never)).rejects.toThrow(
      'request requires an object of options, such as { method: "GET", path: "/v1/things" }, not ',
    );
});

test("hooks and errors show the words of the path, and no values, query or body", async () => {
  const seen: unknown[] = [];
  const echo = "canary-id, Canary1, canary body, 12345678";
  const { request } = client({
    hooks: everyHook((_, event) => seen.push(event)),
    fetch: async () =>
      Response.json({ echo }, { status: seen.length > 1 ? 400 : 200, headers: { "x-echo": echo } }),
    service: { readError: ({ body }, _, show) => ({ message: show(body) }) },
  });
  const send = () =>
    request({
      method: "POST",
      path: "/v1/devices/canary-id%2B1/frames/Canary1",
      query: { pin: "12345678" },
      body: ["canary body", { deep: new Secret("canary") }],
    });
  await send();
  const error = await errorOf<ApiError>(send());
  expect(isApiError(error, 400)).toBe(true);
  expect(error.route).toBe("POST /v1/devices/:value/frames/:value");
  expect(seen).toHaveLength(4);
  expect(seen[0]).toMatchObject({
    call: "request",
    route: "POST /v1/devices/:value/frames/:value",
    input: { query: "[redacted]", body: "[redacted]" },
  });
  expect(everythingPrinted(seen)).not.toMatch(/canary|12345678/i);
  expect(everythingPrinted(error)).not.toMatch(/canary|12345678/i);
});

test.each(["Tank-Seven+1", encodeURIComponent("Tank-Seven+1")])(
  "errors hide a path value that the service repeats: %s",
  async (echo) => {
    const { request } = client({
      fetch: async () => Response.json({ echo }, { status: 400 }),
      service: {
        readError: ({ body }, _, show) => ({
          message: show(readRecord(body)["echo"]) ?? "hidden",
        }),
      },
    });
    const path = `/v1/devices/${encodeURIComponent("Tank-Seven+1")}` as const;
    const error = await errorOf<ApiError>(request({ method: "GET", path }));
    expect(isApiError(error, 400)).toBe(true);
    expect(everythingPrinted(error)).not.toContain("Seven");
  },
);

function loop(): unknown {
  const body: Record<string, unknown> = { a: "canary" };
  body["self"] = body;
  return body;
}
