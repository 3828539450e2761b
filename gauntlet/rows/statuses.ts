import { bodyFor } from "../parts/label.ts";
import { type Respond, sendJson, serve } from "../parts/origin.ts";
import type { Family, Row } from "../parts/row.ts";

/** Always responds with a status. */
function always(status: number, headers: Record<string, string> = {}): Respond {
  return (_, response) => void response.writeHead(status, headers).end("{}");
}

/** Responds with a status first, and then normally. */
function first(times: number, status: number, headers: Record<string, string> = {}): Respond {
  return (request, response, number) =>
    number <= times
      ? always(status, headers)(request, response, number)
      : sendJson(response, 200, bodyFor(request.method));
}

/** The result without a retry: one request. */
const final = (status: number): Row => ({
  fault: `always ${status}`,
  world: serve(always(status)),
  get: `ApiError ${status} rejected ×1`,
  post: `ApiError ${status} rejected ×1`,
});

/** A read is retried. A POST may have been carried out. */
const passing = (status: number): Row => ({
  fault: `always ${status}`,
  world: serve(always(status)),
  get: `ApiError ${status} unknown ×3`,
  post: `ApiError ${status} unknown ×1`,
});

/** No retry helps, and the outcome is unknown. */
const lasting = (status: number): Row => ({
  fault: `always ${status}`,
  world: serve(always(status)),
  get: `ApiError ${status} unknown ×1`,
  post: `ApiError ${status} unknown ×1`,
});

/** A 429 did nothing, so a POST is retried too. */
function limited(
  fault: string,
  value: () => string,
  ends: "waits" | "stops",
  more: () => Record<string, string> = () => ({}),
): Row {
  const end = ends === "waits" ? "ok ×2" : "ApiError 429 rejected ×1";
  return {
    fault: `429 with Retry-After: ${fault}`,
    world: async () => await serve(first(1, 429, { "retry-after": value(), ...more() }))(),
    get: end,
    post: end,
  };
}

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

export const statuses: Family = {
  title: "Statuses and waits",
  rows: [
    ...[400, 402, 403, 404, 405, 409, 410, 413, 414, 418, 422, 425, 431, 451].map(final),
    ...[408, 500, 502, 503, 504].map(passing),
    ...[501, 505, 511, 520, 529, 599].map(lasting),
    {
      fault: "always 401, with a key that is a string",
      world: serve(always(401)),
      get: "ApiError 401 rejected ×1",
      post: "ApiError 401 rejected ×1",
    },
    {
      fault: "401 until the client reads a new key",
      world: serve(first(1, 401)),
      options: () => {
        let asked = 0;
        return { apiKey: () => `a key of number ${++asked}`.replaceAll(" ", "-") };
      },
      get: "ok ×2",
      post: "ok ×2",
    },
    {
      fault: "a status above 599",
      world: serve(
        (_, response) => void response.socket?.end("HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n"),
      ),
      get: "ConnectionError NETWORK_ERROR|HPE_* unknown ×3 or ApiError 999 unknown ×1 or FetchFunctionError unknown ×1",
    },
    {
      fault: "503 twice, then a response",
      world: serve(first(2, 503)),
      get: "ok ×3",
      post: "ApiError 503 unknown ×1",
    },
    {
      fault: "503 with Retry-After: 0, then a response",
      world: serve(first(1, 503, { "retry-after": "0" })),
      get: "ok ×2",
      post: "ApiError 503 unknown ×1",
    },
    {
      fault: "503 with a Retry-After of an hour",
      world: serve(always(503, { "retry-after": "3600" })),
      get: "ApiError 503 unknown ×1",
      post: "ApiError 503 unknown ×1",
    },
    {
      fault: "always 429, without Retry-After",
      world: serve(always(429)),
      options: { totalTimeout: 150 },
      get: "ApiError 429 rejected|not_sent ×* or TimeoutError totalTimeout unknown ×*",
      post: "ApiError 429 rejected|not_sent ×* or TimeoutError totalTimeout unknown ×*",
    },
    {
      fault: "429 once, without Retry-After",
      world: serve(first(1, 429)),
      get: "ok ×2",
      post: "ok ×2",
    },
    limited("0", () => "0", "waits"),
    limited("a fraction of a second", () => "0.05", "waits"),
    limited("a date one second ahead", () => inSeconds(1), "waits"),
    limited("a date that has passed", () => inSeconds(-100), "waits"),
    limited(
      "a date from a clock that is an hour ahead",
      () => inSeconds(3_600),
      "waits",
      () => ({ date: inSeconds(3_600) }),
    ),
    limited("a negative number", () => "-5", "waits"),
    limited("a word", () => "soon", "waits"),
    limited("an empty value", () => "", "waits"),
    limited("3600 seconds", () => "3600", "stops"),
    limited("a date one year ahead", () => inSeconds(365 * 86_400), "stops"),
    limited("a number too large for a date", () => "9".repeat(30), "stops"),
    limited("two values", () => "0, 0", "waits"),
  ],
};
