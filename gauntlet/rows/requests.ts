import type { ServerResponse } from "node:http";
import { createLedgerClient } from "@fieldmesh/ledger-client";
import { createMobileClient } from "@fieldmesh/mobile-client";
import { createConsoleClient, withResponse } from "@fieldmesh/console-client";
import { sendJson, startOrigin, type Origin, type Respond } from "../parts/origin.ts";
import { KEY } from "../run/canary.ts";
import { isClosed, type Case } from "../run/cases.ts";
import { bodyFor } from "../parts/label.ts";
import { describeError } from "../run/perform.ts";

const FAMILY = "Requests of a client";
const SPREAD = 500;
// Fewer than the retries that the budget of a client pays for. Calls that are made at once leave a connection each.
const CROWD = 30;
// A timer may fire a little early, and a response needs a moment to arrive.
const INEXACT = 25;

/** What a client sends, over several requests, and its required result. */
interface RequestRow {
  readonly fault: string;
  readonly door: string;
  readonly respond: Respond;
  /** Makes the calls, and describes what the server saw. */
  readonly call: (origin: Origin) => Promise<string>;
  readonly ends: string;
}

const quick = { retry: { baseDelay: 1, maxDelay: 1 } };
const consoleOf = ({ url }: Origin, options: object = quick) =>
  createConsoleClient({ baseUrl: url, apiKey: KEY, ...options });
const mobileOf = ({ url }: Origin, options: object = {}) =>
  createMobileClient({ baseUrl: url, apiKey: `sk_sandbox_${KEY}`, ...quick, ...options });
const NEW_SUBSCRIBER = { email: "ada@example.com", name: "Ada Example" };

interface Seen {
  readonly url: string;
  readonly key: string;
  readonly call: string;
  readonly at: number;
}

/** The requests that reached a server, in their order. */
const seen = new WeakMap<Origin, Seen[]>();

const rows: readonly RequestRow[] = [
  {
    fault: "always 503, for 60 calls of one client",
    door: "60 GET, one after another",
    respond: (_, response) => sendJson(response, 503, "{}"),
    call: async (origin) => {
      const client = consoleOf(origin);
      const ends = new Set<string>();
      for (let call = 0; call < 60; call++)
        ends.add(await client.labels.list().then(() => "ok", describeError));
      return [...ends].join(" ");
    },
    // 500 tokens pay for 35 retries of 14.
    ends: "ApiError 503 unknown ×95",
  },
  {
    fault: "503 to 30 calls at the same moment",
    door: "30 GET at once",
    respond: firstOfEach((response) => sendJson(response, 503, "{}")),
    call: (origin) => spreadOf(origin, { baseDelay: SPREAD, maxDelay: SPREAD }),
    ends: "all ended, retries spread ×60",
  },
  {
    fault: "503 with Retry-After: 1 to 30 calls at the same moment",
    door: "30 GET at once",
    respond: firstOfEach((response) => response.writeHead(503, { "retry-after": "1" }).end()),
    call: (origin) => spreadOf(origin, { baseDelay: 1, maxDelay: 1 }, 1_000),
    ends: "all ended, retries spread ×60",
  },
  {
    fault: "503 twice, to a POST whose idempotency keys are trusted",
    door: "POST",
    respond: (_, response, number) =>
      number < 3 ? sendJson(response, 503, "{}") : sendJson(response, 201, '{"id":"sub_1"}'),
    call: async (origin) => {
      const client = mobileOf(origin, { trustIdempotencyKeys: true });
      const end = await client.subscribers.create(NEW_SUBSCRIBER).then(() => "ok", describeError);
      return `${end}, ${keysOf(origin)}`;
    },
    ends: "ok, 1 idempotency key ×3",
  },
  {
    fault: "two calls with the same input",
    door: "POST",
    respond: (_, response) => sendJson(response, 201, '{"id":"sub_1"}'),
    call: async (origin) => {
      const client = mobileOf(origin);
      for (let call = 0; call < 2; call++) await client.subscribers.create(NEW_SUBSCRIBER);
      return keysOf(origin);
    },
    ends: "2 idempotency keys ×2",
  },
  {
    fault: "a path value with the characters of a query, a fragment and an escape",
    door: "GET",
    respond: (_, response) => sendJson(response, 200, '{"data":1}'),
    call: async (origin) => {
      const client = createLedgerClient({ baseUrl: origin.url, ...quick });
      const end = await client.vars.get({ name: "a b?c=d&e#f;g" }).then(String, describeError);
      return `${end} ${pathsOf(origin)}`;
    },
    ends: "1 /v1/vars/a%20b%3Fc%3Dd%26e%23f%3Bg ×1",
  },
  {
    fault: "path values that would leave their segment",
    door: "GET",
    respond: (_, response) => sendJson(response, 200, '{"data":1}'),
    call: async (origin) => {
      const client = createLedgerClient({ baseUrl: origin.url, ...quick });
      const ends = new Set<string>();
      for (const name of ["..", "a/b", "%2e%2e", "a%2fb", "..;", "a\\b", "activity", "\u0000"])
        ends.add(await client.vars.get({ name }).then(() => "ok", describeError));
      return [...ends].join(" ");
    },
    ends: "InputError not_sent ×0",
  },
  {
    fault: "a query value with the characters of a query, a fragment and an escape",
    door: "GET",
    respond: (_, response) => sendJson(response, 200, '{"data":[]}'),
    call: async (origin) => {
      const client = createLedgerClient({ baseUrl: origin.url, ...quick });
      const query = { filter: "a b&c=d#e%41+" };
      const end = await client.accounts
        .list({}, { query })
        .toArray({ limit: 1 })
        .then(() => "ok", describeError);
      return `${end} ${pathsOf(origin)}`;
    },
    ends: "ok /v1/accounts?filter=a%20b%26c%3Dd%23e%2541%2B ×1",
  },
];

/** Fails the first request of each call, whose number is in its headers. */
function firstOfEach(fail: (response: ServerResponse) => unknown): Respond {
  const known = new Set<unknown>();
  return ({ headers }, response) => {
    const id = `${headers.host} ${String(headers["x-call"])}`;
    if (known.has(id)) return sendJson(response, 200, bodyFor("GET"));
    known.add(id);
    return fail(response);
  };
}

/** Makes 30 calls at once, and tells whether each waits for another time: some short, some long, none less than `least`. */
async function spreadOf(origin: Origin, retry: object, least = 0): Promise<string> {
  const client = consoleOf(origin, { retry });
  const calls = Array.from({ length: CROWD }, (_, index) =>
    withResponse(client.labels.list({ headers: { "x-call": String(index) } })),
  );
  // As the client planned them: on a busy machine, the requests themselves are late by any time.
  const waits = (await Promise.all(calls)).map(({ attempts }) => attempts[0]?.wait ?? 0);
  const requests = Map.groupBy(seen.get(origin) ?? [], (request) => request.call);
  const arePlanned = waits.every((wait, index) => {
    const [first, second] = requests.get(String(index)) ?? [];
    return (second?.at ?? 0) - (first?.at ?? 0) >= wait - INEXACT;
  });
  const shortest = Math.min(...waits);
  const areSpread = Math.max(...waits) - shortest > SPREAD / 2 && shortest >= least;
  return areSpread && arePlanned ? "all ended, retries spread" : "all ended, retries NOT spread";
}

function keysOf(origin: Origin): string {
  const keys = new Set(seen.get(origin)?.map(({ key }) => key));
  if (keys.has("")) return "a request without idempotency key";
  return keys.size === 1 ? "1 idempotency key" : `${keys.size} idempotency keys`;
}

function pathsOf(origin: Origin): string {
  return (seen.get(origin) ?? []).map(({ url }) => url).join(" ");
}

export const requestCases: readonly Case[] = rows.map(({ fault, door, respond, call, ends }) => ({
  family: FAMILY,
  fault,
  door,
  expected: ends,
  run: async () => {
    const requests: Seen[] = [];
    const origin = await startOrigin((request, response, number) => {
      const key = String(request.headers["idempotency-key"] ?? "");
      const id = String(request.headers["x-call"]);
      requests.push({ url: request.url ?? "", key, call: id, at: performance.now() });
      return respond(request, response, number);
    });
    seen.set(origin, requests);
    try {
      const end = await call(origin);
      const open = (await isClosed(() => origin.leftOpen() - CROWD)) ? "" : " OPEN";
      return `${end} ×${requests.length}${open}`;
    } finally {
      await origin[Symbol.asyncDispose]();
    }
  },
}));
