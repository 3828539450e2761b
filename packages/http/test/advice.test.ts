import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { createConsoleClient } from "../../console-client/src/index.ts";
import { devices as deviceSamples } from "../../console-client/src/samples.ts";
import { createLedgerClient } from "../../ledger-client/src/index.ts";
import { check, createForwarder, createMapperClient } from "../../mapper-client/src/index.ts";
import { consoleUplink } from "../../../tools/testing/uplinks.ts";
import { createMobileClient } from "../../mobile-client/src/index.ts";
import {
  bind,
  createTransport,
  endpoint,
  type CallError,
  type CursorLoopError,
  type FetchFunction,
  type PlaceLostError,
  type TooManyEmptyPagesError,
} from "../src/internal.ts";
import { startHttp } from "../../../tools/testing/http-server.ts";
import { idsOf, startList, upTo } from "./list-server.ts";
import { createThings, eachThing, errorOf, Thing, thing } from "./things.ts";

// Each row follows the advice of an error or a reason; the call then succeeds.

interface Advised {
  readonly error: CallError;
  /** Follows the advice of the error and returns the result. */
  readonly follow: () => Promise<unknown>;
}
type Row = readonly [advice: string, happen: () => Promise<Advised>];

type Step = number | "reset" | "hang" | Response;

/** Creates a fetch that performs one step for each request, then responds with success. It records each URL. */
function scripted(...steps: Step[]): { fetch: FetchFunction; sent: string[] } {
  const sent: string[] = [];
  const fetch: FetchFunction = async (url, { method, signal }) => {
    sent.push(`${method} ${url}`);
    const step = steps.shift();
    if (step === "reset") throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
    if (step === "hang")
      return await new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      });
    if (typeof step === "number") return new Response("", { status: step });
    if (step !== undefined) return step;
    return Response.json(url.endsWith("/v1/things") && method === "GET" ? [thing] : thing);
  };
  return { fetch, sent };
}

/** Creates a fetch that responds with success if the request is correct, and otherwise with an error. */
function demanding(
  isRight: (url: string, init: { headers: Headers; body?: string }) => boolean,
  error: () => Response,
  success: () => Response = () => Response.json([thing]),
): FetchFunction {
  return async (url, init) => (isRight(url, init) ? success() : error());
}

const hasKey =
  (key: string, header = "key") =>
  (_: string, { headers }: { headers: Headers }): boolean =>
    headers.get(header) === key;

const once = { attempts: 1 };
const soon = { baseDelay: 1, maxDelay: 2 };

/** Creates a client with kinds of rows that the small service lacks. */
function createOthers(fetch: FetchFunction) {
  const rows = {
    move: endpoint("POST /v1/moves", {
      body: z.object({ from: z.string() }),
      result: Thing,
      errors: { 404: "Thing not found" },
    }),
    named: endpoint("GET /v1/named", {
      query: { name: z.string(), kind: z.optional(z.string()) },
      result: Thing,
      errors: { 404: "Thing not found" },
    }),
  };
  const service = { name: "the service of things", readError: () => ({}) };
  const transport = createTransport(
    { baseUrl: "https://things.test", fetch },
    { service, userAgent: "t/1" },
  );
  return bind("others", rows, transport);
}

/** An asynchronous schema that never settles. */
const endless = z.unknown().check(z.refine(() => new Promise<boolean>(() => undefined)));

const READ_BACK = "It may have been carried out: check that before you send it again.";

const FROM_ERRORS: readonly Row[] = [
  [
    "Nothing was sent.",
    async () => {
      const { fetch } = scripted();
      const things = createThings({ fetch });
      const error = await errorOf<CallError>(things.list({ signal: AbortSignal.abort() }));
      return { error, follow: () => things.list() };
    },
  ],
  [
    "Nothing was changed.",
    async () => {
      const { fetch } = scripted("hang");
      const things = createThings({ fetch });
      const error = await errorOf<CallError>(things.list({ signal: AbortSignal.timeout(10) }));
      return { error, follow: () => things.list() };
    },
  ],
  [
    "It was carried out, but its response was not read to the end.",
    async () => {
      const things = createThings({ fetch: async () => Response.json(thing) });
      const options = { schema: endless, signal: AbortSignal.timeout(30) };
      const error = await errorOf<CallError>(things.create({ name: "one" }, options));
      return { error, follow: () => things.create({ name: "one" }) };
    },
  ],
  [
    "It was carried out, but the schema of the call did not finish. Allow more with the option totalTimeout.",
    async () => {
      const things = createThings({ fetch: async () => Response.json(thing) });
      const options = { schema: endless, totalTimeout: 30 };
      const error = await errorOf<CallError>(things.create({ name: "one" }, options));
      return { error, follow: () => things.create({ name: "one" }, { totalTimeout: 60_000 }) };
    },
  ],
  [
    READ_BACK,
    async () => {
      const { fetch, sent } = scripted("hang");
      const things = createThings({ fetch });
      const signal = AbortSignal.timeout(10);
      const error = await errorOf<CallError>(things.create({ name: "one" }, { signal }));
      return { error, follow: () => readBack(things.list(), sent) };
    },
  ],
  [
    READ_BACK,
    async () => {
      const { fetch, sent } = scripted(500);
      const things = createThings({ fetch });
      const error = await errorOf<CallError>(things.create({ name: "one" }));
      return { error, follow: () => readBack(things.list(), sent) };
    },
  ],
  [
    READ_BACK,
    async () => {
      const { fetch, sent } = scripted("reset");
      const things = createThings({ fetch });
      const error = await errorOf<CallError>(things.create({ name: "one" }));
      return { error, follow: () => readBack(things.list(), sent) };
    },
  ],
  [
    "The server asks to wait: call again after",
    async () => {
      const opens = Date.now() + 150;
      const closed = (): Response =>
        new Response("", { status: 429, headers: { "retry-after": "0.15" } });
      const things = createThings({ fetch: demanding(() => Date.now() >= opens, closed) });
      const error = await errorOf<CallError & { retryAt: Date }>(things.list({ totalTimeout: 50 }));
      const wait = error.retryAt.getTime() - Date.now();
      const follow = async (): Promise<unknown> => {
        await new Promise((resolve) => setTimeout(resolve, wait));
        return await things.list();
      };
      return { error, follow };
    },
  ],
  [
    "Redirects outside baseUrl are not followed: set baseUrl to the address that serves the API.",
    async () => {
      const location = "https://moved.test/v1/things";
      const moved = (): Response => new Response("", { status: 301, headers: { location } });
      const fetch = demanding((url) => url.startsWith("https://moved.test"), moved);
      const error = await errorOf<CallError>(createThings({ fetch }).list());
      return { error, follow: () => createThings({ fetch, baseUrl: "https://moved.test" }).list() };
    },
  ],
  [
    "Check the credential that the client was created with.",
    async () => {
      const fetch = demanding(hasKey("right"), () => new Response("", { status: 401 }));
      const error = await errorOf<CallError>(createThings({ fetch }).list());
      return { error, follow: () => createThings({ fetch, apiKey: "right" }).list() };
    },
  ],
  [
    "The credential is not allowed to do this: use one that has the permission.",
    async () => {
      const fetch = demanding(hasKey("admin"), () => new Response("", { status: 403 }));
      const error = await errorOf<CallError>(createThings({ fetch }).list());
      return { error, follow: () => createThings({ fetch, apiKey: "admin" }).list() };
    },
  ],
  [
    "Not found for this client: check the id or name, and that baseUrl and the credential belong to its environment.",
    async () => {
      const missing = (): Response => new Response("", { status: 404 });
      const found = (): Response => Response.json({ data: thing });
      const things = createThings({
        fetch: demanding((url) => url.endsWith("/one"), missing, found),
      });
      const error = await errorOf<CallError>(things.get({ name: "on" }));
      return { error, follow: () => things.get({ name: "one" }) };
    },
  ],
  [
    "Check baseUrl: the path of the route is added to it.",
    async () => {
      const fetch = demanding(
        (url) => url === "https://things.test/api/v1/things",
        () => new Response("", { status: 404 }),
      );
      const error = await errorOf<CallError>(createThings({ fetch }).list());
      const baseUrl = "https://things.test/api";
      return { error, follow: () => createThings({ fetch, baseUrl }).list() };
    },
  ],
  [
    "Call again later, or allow retries: the call then waits by itself, at most until totalTimeout.",
    async () => {
      const { fetch } = scripted(429);
      const things = createThings({ fetch, retry: false });
      return {
        error: await errorOf<CallError>(things.list()),
        follow: () => things.list(),
      };
    },
  ],
  [
    "Call again later, or allow retries: the call then waits by itself, at most until totalTimeout.",
    async () => {
      const { fetch } = scripted(429, 429, 429, 429, 429);
      const error = await errorOf<CallError>(createThings({ fetch, retry: false }).list());
      return { error, follow: () => createThings({ fetch, totalTimeout: 5_000 }).list() };
    },
  ],
  [
    "Correct the input: the same request would fail again.",
    async () => {
      const things = createThings({
        fetch: demanding(
          (_, { body }) => body === '{"name":"one"}',
          () => new Response("", { status: 422 }),
          () => Response.json(thing),
        ),
      });
      const error = await errorOf<CallError>(things.create({ name: "two" }));
      return { error, follow: () => things.create({ name: "one" }) };
    },
  ],
  [
    "The server failed. Call again later.",
    async () => {
      const { fetch } = scripted(503, 503, 503);
      const things = createThings({ fetch });
      return { error: await errorOf<CallError>(things.list()), follow: () => things.list() };
    },
  ],
  [
    "Nothing was sent; check baseUrl and the network, then call again.",
    async () => {
      const server = await startHttp((_, response) => response.end(JSON.stringify([thing])));
      await using closed = await startHttp(() => undefined);
      await closed[Symbol.asyncDispose]();
      const retry = once;
      const error = await errorOf<CallError>(
        createThings({ baseUrl: closed.baseUrl, retry }).list(),
      );
      const follow = async (): Promise<unknown> => {
        await using _ = server;
        return await createThings({ baseUrl: server.baseUrl }).list();
      };
      return { error, follow };
    },
  ],
  [
    "Nothing was changed; call again later.",
    async () => {
      const { fetch } = scripted("reset", "reset", "reset");
      const things = createThings({ fetch });
      return { error: await errorOf<CallError>(things.list()), follow: () => things.list() };
    },
  ],
  [
    'Read the list from its start again. With onCursorExpired: "restart", the client does so and resumes at the same place.',
    async () => {
      const list = startList({ length: 9 });
      list.failures.push(undefined, "expired");
      const error = await errorOf<CallError>(idsOf(list.things.walk()));
      const follow = async (): Promise<unknown> => {
        expect(await idsOf(list.things.walk())).toEqual(upTo(9));
        list.failures.push(undefined, "expired");
        const ids = await idsOf(list.things.walk({}, { onCursorExpired: "restart" }));
        expect(ids).toEqual(upTo(9));
        return ids;
      };
      return { error, follow };
    },
  ],
  [
    "The walk cannot continue. Start it again later, or report the repeated cursor to the service.",
    async () => {
      let isBroken = true;
      const list = startList({ length: 9, next: (offset) => (isBroken ? "c3" : `c${offset}`) });
      const error = await errorOf<CursorLoopError>(idsOf(list.things.walk()));
      isBroken = false;
      return { error, follow: () => idsOf(list.things.walk()) };
    },
  ],
  [
    "Read the list from its start, without a checkpoint and in one lane, and skip the items that you already have by their ids.",
    async () => {
      const list = startList({ length: 9 });
      const walk = list.things.walk({}, { onCursorExpired: "restart", prefetch: 0 }).walk();
      const had = [0, 1, 2].map(() => walk.next());
      const ids = new Set((await Promise.all(had)).map(({ value }) => value?.id));
      list.ids = list.ids.filter((id) => id !== 2);
      list.failures.push("expired");
      const error = await errorOf<PlaceLostError>(walk.next());
      const follow = async (): Promise<unknown> => {
        const rest = (await idsOf(list.things.walk())).filter((id) => !ids.has(id));
        expect(rest).toEqual(upTo(9, 3));
        return rest;
      };
      return { error, follow };
    },
  ],
  [
    "Resume with page(cursor), or raise maxEmptyPages.",
    async () => {
      const list = startList({ length: 9 });
      const things = createThings({
        fetch: async (url) => {
          const step = Number(new URL(url).searchParams.get("cursor") ?? 0);
          const isLast = step === 5;
          return Response.json(isLast ? { data: [thing] } : { data: [], cursor: String(step + 1) });
        },
      });
      const error = await errorOf<TooManyEmptyPagesError>(
        idsOf(things.walk({}, { maxEmptyPages: 2 })),
      );
      const follow = async (): Promise<unknown> => {
        let page = await things.walk().page(error.cursor);
        while (page.cursor !== undefined) page = await things.walk().page(page.cursor);
        expect(page.items).toEqual([thing]);
        expect(await idsOf(things.walk({}, { maxEmptyPages: 10 }))).toEqual([1]);
        return list;
      };
      return { error, follow };
    },
  ],
  [
    "Not found for this client: check the ids in the input.",
    async () => {
      const others = createOthers(
        demanding(
          (_, { body }) => body === '{"from":"a"}',
          () => new Response("", { status: 404 }),
          () => Response.json(thing),
        ),
      );
      const error = await errorOf<CallError>(others.move({ from: "b" }));
      return { error, follow: () => others.move({ from: "a" }) };
    },
  ],
  [
    "Nothing matches name, kind: check the spelling, and whether your key has access to it.",
    async () => {
      const others = createOthers(
        demanding(
          (url) => url.endsWith("?name=one"),
          () => new Response("", { status: 404 }),
          () => Response.json(thing),
        ),
      );
      const error = await errorOf<CallError>(others.named({ name: "On" }));
      return { error, follow: () => others.named({ name: "one" }) };
    },
  ],
  [
    "An earlier attempt of this call may have deleted it: its response was lost.",
    async () => {
      const { fetch } = scripted("reset", 404, Response.json([]));
      const things = createThings({ fetch });
      const error = await errorOf<CallError>(things.delete({ name: "one" }));
      const follow = async (): Promise<unknown> => {
        const left = await things.list();
        expect(left).toEqual([]);
        return left;
      };
      return { error, follow };
    },
  ],
  [
    "Return a Response, or an object with status, headers.get and a body that is a stream or null.",
    async () => {
      const error = await errorOf<CallError>(
        createThings({ fetch: (async () => [thing]) as never }).list(),
      );
      return { error, follow: () => createThings({ fetch: scripted().fetch }).list() };
    },
  ],
  [
    "Fix the function: this did not come from the network. See cause.",
    async () => {
      const fetch = async (): Promise<never> => {
        throw new ReferenceError("dispatcher is not defined");
      };
      const error = await errorOf<CallError>(createThings({ fetch }).list());
      expect((error.cause as Error).message).toBe("dispatcher is not defined");
      return { error, follow: () => createThings({ fetch: scripted().fetch }).list() };
    },
  ],
  [
    "See cause, and report it as a bug.",
    async () => {
      const headers = {
        get(): never {
          throw new TypeError("headers of another kind");
        },
      };
      const fetch = async (): Promise<never> => ({ status: 200, headers, body: null }) as never;
      const error = await errorOf<CallError>(createThings({ fetch }).list());
      expect((error.cause as Error).message).toBe("headers of another kind");
      return { error, follow: () => createThings({ fetch: scripted().fetch }).list() };
    },
  ],
  [
    "See cause. The next call asks the function again.",
    async () => {
      const results = [() => Promise.reject(new Error("sealed"))];
      const apiKey = async (): Promise<string> => (await results.shift()?.()) ?? "right";
      const things = createThings({ fetch: scripted().fetch, apiKey });
      const error = await errorOf<CallError>(things.list());
      expect((error.cause as Error).message).toBe("sealed");
      return { error, follow: () => things.list() };
    },
  ],
  [
    "The next call asks the function again.",
    async () => {
      const keys = ["from a file\n"];
      const things = createThings({
        fetch: scripted().fetch,
        apiKey: () => keys.shift() ?? "right",
      });
      return { error: await errorOf<CallError>(things.list()), follow: () => things.list() };
    },
  ],
  [
    "Correct the input and call again.",
    async () => {
      const things = createThings({ fetch: scripted().fetch });
      const error = await errorOf<CallError>(things.create({ name: "" }));
      return { error, follow: () => things.create({ name: "one" }) };
    },
  ],
  [
    'The call was carried out. Report the drift, or create the client with validation: "warn".',
    async () => {
      const fetch: FetchFunction = async () => Response.json([{ id: "1" }]);
      const error = await errorOf<CallError>(createThings({ fetch }).list());
      const onDrift = (): void => undefined;
      return { error, follow: () => createThings({ fetch, validation: "warn", onDrift }).list() };
    },
  ],
  [
    "The call was carried out. Report the drift to the operator of the service.",
    async () => {
      const bodies = ["[nonsense]", '[{"id":1,"name":"one"}]'];
      const fetch: FetchFunction = async () => new Response(bodies.shift());
      const first = (): Promise<unknown> => eachThing({ fetch })[Symbol.asyncIterator]().next();
      return { error: await errorOf<CallError>(first()), follow: first };
    },
  ],
  [
    "The call was carried out. If you expect a record of that size, raise maxResponseBytes of the call.",
    async () => {
      const fetch: FetchFunction = async () => Response.json([{ id: 1, name: "one" }]);
      const first = (maxResponseBytes: number): Promise<unknown> =>
        eachThing({ fetch }, { maxResponseBytes })[Symbol.asyncIterator]().next();
      return { error: await errorOf<CallError>(first(5)), follow: () => first(50) };
    },
  ],
  [
    "The call was carried out. Use devices.each(), which reads a list of any size.",
    async () => {
      const fetch: FetchFunction = async () => Response.json([...deviceSamples.list.output]);
      const options = { baseUrl: "https://console.test", apiKey: "right", fetch };
      const { devices } = createConsoleClient(options);
      const follow = (): Promise<unknown> => devices.each()[Symbol.asyncIterator]().next();
      return { error: await errorOf<CallError>(devices.list({ maxResponseBytes: 5 })), follow };
    },
  ],
  [
    "The call was carried out. If you expect a response of that size, raise maxResponseBytes of the call.",
    async () => {
      const { fetch } = scripted();
      const { list } = createThings({ fetch });
      const error = await errorOf<CallError>(list({ maxResponseBytes: 5 }));
      return { error, follow: () => list({ maxResponseBytes: 500 }) };
    },
  ],
  [
    "The call was carried out. Configure the deployment, or the proxy in front of it, to respond in UTF-8.",
    async () => {
      const latin1: FetchFunction = async () => new Response(Uint8Array.of(0x22, 0xe9, 0x22));
      const error = await errorOf<CallError>(createThings({ fetch: latin1 }).list());
      return { error, follow: () => createThings({ fetch: scripted().fetch }).list() };
    },
  ],
  [
    "Check baseUrl, and any proxy in between that may require a sign-in. The call may have been carried out anyway.",
    async () => {
      const page = (): Response => new Response("<!doctype html><html></html>");
      const fetch = demanding((url) => url.startsWith("https://api.things.test"), page);
      const error = await errorOf<CallError>(createThings({ fetch }).list());
      const baseUrl = "https://api.things.test";
      return { error, follow: () => createThings({ fetch, baseUrl }).list() };
    },
  ],
  [
    "Correct the schema of the call.",
    async () => {
      const things = createThings({ fetch: scripted().fetch });
      const wrong = z.object({ id: z.string() });
      const error = await errorOf<CallError>(things.create({ name: "one" }, { schema: wrong }));
      const schema = z.object({ id: z.number() });
      return { error, follow: () => things.create({ name: "one" }, { schema }) };
    },
  ],
  [
    "The server may still be working on it: check the result before you send it again. Allow more with the option timeout.",
    async () => {
      const { fetch, sent } = scripted("hang");
      const things = createThings({ fetch, timeout: 10 });
      const error = await errorOf<CallError>(things.create({ name: "one" }));
      return { error, follow: () => readBack(things.list(), sent) };
    },
  ],
  [
    "The option is in milliseconds: 30 seconds are 30000.",
    async () => {
      const { fetch } = scripted("hang");
      const things = createThings({ fetch, timeout: 30, retry: false });
      const error = await errorOf<CallError>(things.list());
      return { error, follow: () => things.list({ timeout: 30_000 }) };
    },
  ],
  ...(["timeout", "totalTimeout"] as const).map((limit): Row => [
    `Allow more with the option ${limit}, or call again later.`,
    async () => {
      const fetch: FetchFunction = async () => {
        await new Promise((resolve) => setTimeout(resolve, 60));
        return Response.json([thing]);
      };
      const things = createThings({ fetch, retry: false });
      const error = await errorOf<CallError>(things.list({ [limit]: 20 }));
      return { error, follow: () => things.list({ [limit]: 2_000 }) };
    },
  ]),
];

/** Finds the thing, so it is not created again. */
async function readBack(list: Promise<readonly Thing[]>, sent: readonly string[]): Promise<Thing> {
  const [found] = await list;
  if (found === undefined) throw new Error("nothing was read back");
  expect(sent.filter((request) => request.startsWith("POST"))).toHaveLength(1);
  return found;
}

/** What the console writes, which its client compares. */
const KEY_MISSING = "Key header is missing";

const FROM_SERVICES: readonly Row[] = [
  ...[
    [
      "api_key_needs_email_verification",
      "Open the link in the email that the console sent to the account that created the key.",
    ],
    [
      "invalid_api_key",
      "Check apiKey: the console shows a key only once, when you create it, and it belongs to one organization.",
    ],
    ["no", "Check apiKey."],
  ].map(([message, advice = ""]): Row => [
    advice,
    async () => {
      const baseUrl = "https://console.test";
      let isConfirmed = false;
      const fetch = demanding(
        (url, init) =>
          hasKey("right")(url, init) && (isConfirmed || !message?.includes("verification")),
        () => Response.json({ message }, { status: 401 }),
        () => Response.json([]),
      );
      const apiKey = message?.includes("verification") === true ? "right" : "wrong";
      const error = await errorOf<CallError>(
        createConsoleClient({ baseUrl, apiKey, fetch }).labels.list(),
      );
      const follow = async (): Promise<unknown> => {
        isConfirmed = true;
        return await createConsoleClient({ baseUrl, apiKey: "right", fetch }).labels.list();
      };
      return { error, follow };
    },
  ]),
  [
    "Check whether a proxy, or your own fetch, removes the header `key`.",
    async () => {
      const baseUrl = "https://console.test";
      const demand = demanding(
        hasKey("right"),
        () => Response.json({ type: "forbidden", errors: [KEY_MISSING] }, { status: 403 }),
        () => Response.json([]),
      );
      const fetch: FetchFunction = (url, init) => {
        init.headers.delete("key");
        return demand(url, init);
      };
      const options = { baseUrl, apiKey: "right" };
      const error = await errorOf<CallError>(
        createConsoleClient({ ...options, fetch }).labels.list(),
      );
      const follow = (): Promise<unknown> =>
        createConsoleClient({ ...options, fetch: demand }).labels.list();
      return { error, follow };
    },
  ],
  [
    "The ledger is busy; call again later.",
    async () => {
      const busy = (): Response => Response.json({ error: "Too Busy" }, { status: 503 });
      const steps = [busy(), busy(), busy()];
      const fetch: FetchFunction = async () =>
        steps.shift() ?? Response.json({ data: { height: 5 } });
      const client = createLedgerClient({ baseUrl: "https://ledger.test", fetch, retry: soon });
      const error = await errorOf<CallError>(client.blocks.height());
      return { error, follow: () => client.blocks.height() };
    },
  ],
  [
    "The map accepts 60 uplinks per minute from one IP address (observed). A forwarder stays within that limit.",
    async () => {
      const steps = [new Response("", { status: 429 })];
      const fetch: FetchFunction = async () => steps.shift() ?? new Response("Success");
      const client = createMapperClient({ baseUrl: "https://map.test", fetch, retry: false });
      const error = await errorOf<CallError>(client.ingest(consoleUplink() as never));
      const follow = async (): Promise<unknown> => {
        steps.push(new Response("", { status: 429 }));
        const waiting = createMapperClient({ baseUrl: "https://map.test", fetch, retry: soon });
        const forward = createForwarder({ client: waiting, authorization: "none" });
        const body = JSON.stringify(consoleUplink());
        const response = await forward(new Request("https://me.test", { method: "POST", body }));
        expect(await response.json()).toMatchObject({ outcome: "forwarded" });
        return response;
      };
      return { error, follow };
    },
  ],
  [
    "Call check(uplink) to find out what is wrong: the same request would fail again.",
    async () => {
      const wrong = consoleUplink({ accuracy: -1 }) as never;
      const fetch = demanding(
        (_, { body }) => !body?.includes('"accuracy":-1'),
        () => Response.json({ error: "accuracy is negative" }, { status: 422 }),
        () => new Response("Success"),
      );
      const client = createMapperClient({ baseUrl: "https://map.test", fetch });
      const error = await errorOf<CallError>(client.ingest(wrong));
      const follow = async (): Promise<unknown> => {
        expect(check(wrong).map(({ path }) => path)).toEqual(["decoded.payload.accuracy"]);
        return await client.ingest(consoleUplink() as never);
      };
      return { error, follow };
    },
  ],
  [
    "Add the capability that this call needs to the key.",
    async () => {
      let isCapable = false;
      const client = mobileClient(
        demanding(
          () => isCapable,
          () => Response.json({ code: "forbidden" }, { status: 403 }),
          () => Response.json({ data: [] }),
        ),
      );
      const error = await errorOf<CallError>(client.events.list().page());
      isCapable = true;
      return { error, follow: () => client.events.list().page() };
    },
  ],
  [
    "An earlier attempt is still in progress and may be carried out: repeat the call with the same idempotencyKey.",
    async () => {
      const seen: (string | null)[] = [];
      const client = mobileClient(async (_, { headers }) => {
        seen.push(headers.get("idempotency-key"));
        return seen.length <= 3
          ? Response.json({ code: "idempotency_in_flight" }, { status: 409 })
          : Response.json({ id: "sub_1" }, { status: 201 });
      });
      const create = (): Promise<unknown> =>
        client.subscribers.create({ email: "a@b.test" } as never, { idempotencyKey: "import-1" });
      const error = await errorOf<CallError>(create());
      const follow = async (): Promise<unknown> => {
        const created = await create();
        expect(new Set(seen)).toEqual(new Set(["import-1"]));
        return created;
      };
      return { error, follow };
    },
  ],
  [
    "Read the pages with the parameters of your deployment, in the option query.",
    async () => {
      const client = mobileClient(async (url) => {
        const isSecond = new URL(url).searchParams.get("page") === "2";
        return Response.json({ data: [], ...(!isSecond && { has_more: true }) });
      });
      const error = await errorOf<CallError>(client.events.list().page());
      return { error, follow: () => client.events.list({}, { query: { page: 2 } }).page() };
    },
  ],
];

function mobileClient(fetch: FetchFunction) {
  return createMobileClient({ baseUrl: "https://mobile.test", apiKey: "k", fetch, retry: soon });
}

/** Rows for the reason of the last attempt in `attempts`. */
const FROM_REASONS: readonly Row[] = [
  [
    "the server asks to wait longer than the call may last",
    async () => {
      const limited = new Response("", { status: 429, headers: { "retry-after": "0.2" } });
      const { fetch } = scripted(limited);
      const things = createThings({ fetch });
      const error = await errorOf<CallError>(things.list({ totalTimeout: 100 }));
      return { error, follow: () => things.list({ totalTimeout: 5_000 }) };
    },
  ],
  [
    "all 2 attempts are used",
    async () => {
      const { fetch } = scripted(503, 503, 503, 503, 503);
      const error = await errorOf<CallError>(
        createThings({ fetch, retry: { ...soon, attempts: 2 } }).list(),
      );
      return {
        error,
        follow: () => createThings({ fetch, retry: { ...soon, attempts: 4 } }).list(),
      };
    },
  ],
  [
    "no time is left for another attempt",
    async () => {
      const { fetch } = scripted(503, 503);
      const retry = { baseDelay: 1e9, maxDelay: 1e9 };
      const error = await errorOf<CallError>(
        createThings({ fetch, retry }).list({ totalTimeout: 200 }),
      );
      return { error, follow: () => createThings({ fetch }).list({ totalTimeout: 5_000 }) };
    },
  ],
  [
    "the client's retry budget is used up: too many requests fail",
    async () => {
      const steps: number[] = [];
      let requests = 0;
      const things = createThings({
        fetch: async () => {
          requests++;
          const status = steps.shift() ?? 200;
          return Response.json([thing], { status });
        },
      });
      const fail = async (): Promise<CallError> => {
        steps.push(503, 503, 503);
        const failure = await errorOf<CallError>(things.list());
        steps.length = 0;
        return failure;
      };
      let error = await fail();
      while (!error.attempts.at(-1)?.reason.includes("budget")) error = await fail();
      const follow = async (): Promise<unknown> => {
        // Fourteen successes pay for one retry.
        for (let successes = 0; successes < 14; successes++) await things.list();
        requests = 0;
        steps.push(503);
        const list = await things.list();
        expect(requests).toBe(2);
        return list;
      };
      return { error, follow };
    },
  ],
  [
    "it may have been carried out, and a POST is repeated only with trustIdempotencyKeys",
    async () => {
      const error = await errorOf<CallError>(
        createThings({ fetch: scripted(503).fetch }).createOnce({ name: "one" }),
      );
      const { fetch } = scripted(503);
      const follow = (): Promise<unknown> =>
        createThings({ fetch, trustIdempotencyKeys: true }).createOnce({ name: "one" });
      return { error, follow };
    },
  ],
  [
    "it may have been carried out, and a POST without idempotency key is not sent twice",
    async () => {
      const { fetch, sent } = scripted(503);
      const things = createThings({ fetch });
      const error = await errorOf<CallError>(things.create({ name: "one" }));
      return { error, follow: () => readBack(things.list(), sent) };
    },
  ],
];

describe("a call succeeds after the advice of its error is followed", () => {
  test.for([...FROM_ERRORS, ...FROM_SERVICES])("%s", async ([advice, happen]) => {
    const { error, follow } = await happen();
    expect(error.message).toContain(advice);
    expect(await follow()).toBeDefined();
  });

  test.for(FROM_REASONS)("%s", async ([reason, happen]) => {
    const { error, follow } = await happen();
    expect(error.attempts.at(-1)?.reason).toBe(reason);
    expect(await follow()).toBeDefined();
  });
});

// In mutated sources, the literals are not where this test looks for them.
describe.skipIf(process.env["MUTATED_PACKAGE"] !== undefined)("each advice has a row", () => {
  const packages = join(import.meta.dirname, "../..");
  // These reasons say what happened, and require nothing of the caller.
  const ASKS_NOTHING = /^(retried |the signal was aborted$|it would fail again$|the same request)/;

  test("in errors", () => {
    const sources = ["http/src/errors/*.ts", "http/src/response/decode.ts"].concat(
      "*-client/src/service.ts",
      "*-client/src/whole-pages.ts",
    );
    const advices = sources
      .flatMap((pattern) => globSync(pattern, { cwd: packages }))
      .filter((path) => !path.endsWith(".test.ts"))
      .flatMap(literalsOf)
      .filter((text) => /^[A-Z].* ./.test(text) && text !== KEY_MISSING);
    expect(advices.length).toBeGreaterThan(30);
    expect(advices.filter(lacksRow([...FROM_ERRORS, ...FROM_SERVICES]))).toEqual([]);
  });

  test("in reasons", () => {
    const reasons = literalsOf("http/src/send/retry-policy.ts").filter((text) =>
      /^[a-z].* /.test(text),
    );
    expect(reasons.length).toBeGreaterThan(8);
    const advices = reasons.filter((text) => !ASKS_NOTHING.test(text));
    expect(advices.filter(lacksRow(FROM_REASONS))).toEqual([]);
  });

  /** Returns the string literals of a file, with "…" for each expression of a template. */
  function literalsOf(path: string): string[] {
    const source = ts.createSourceFile(
      path,
      readFileSync(join(packages, path), "utf8"),
      ts.ScriptTarget.Latest,
    );
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isStringLiteralLike(node)) found.push(node.text);
      if (ts.isTemplateExpression(node))
        found.push(
          [node.head, ...node.templateSpans.map(({ literal }) => literal)]
            .map(({ text }) => text)
            .join("…"),
        );
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  }

  function lacksRow(rows: readonly Row[]): (advice: string) => boolean {
    return (advice) => {
      const parts = advice.split("…").filter((part) => part.trim().length > 1);
      return !rows.some(([text]) => parts.every((part) => text.includes(part.trim())));
    };
  }
});
