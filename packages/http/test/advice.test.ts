import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
  bind,
  endpoint,
  type CallError,
  type FetchFunction,
  type TooManyEmptyPagesError,
} from "../src/internal.ts";
import { idsOf, startList, upTo } from "./list-server.ts";
import {
  createThings,
  createThingsTransport,
  eachThing,
  errorOf,
  Thing,
  thing,
  type Things,
  type ThingsOptions,
} from "./things.ts";

// Each row follows the advice of an error; the call then succeeds.

interface Advised {
  readonly error: CallError;
  /** Follows the advice of the error and returns the result. */
  readonly follow: () => Promise<unknown>;
}
type Row = readonly [advice: string, happen: () => Promise<Advised>];

type Step = number | "refused" | "reset" | "hang" | Response;

/** Creates a fetch that performs one step for each request, then responds with success. */
function scripted(...steps: Step[]): FetchFunction {
  return async (url, { method, signal }) => {
    const step = steps.shift();
    if (step === "refused") throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    if (step === "reset") throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
    if (step === "hang")
      return await new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      });
    if (typeof step === "number") return new Response("", { status: step });
    if (step !== undefined) return step;
    return Response.json(url.endsWith("/v1/things") && method === "GET" ? [thing] : thing);
  };
}

/** Creates a fetch that responds with success if the request is correct, and otherwise with an error. */
function demanding(
  isRight: (url: string, init: { headers: Headers; body?: string }) => boolean,
  error: number | (() => Response),
  success: () => Response = () => Response.json(thing),
): FetchFunction {
  const reject = typeof error === "number" ? () => new Response("", { status: error }) : error;
  return async (url, init) => (isRight(url, init) ? success() : reject());
}

const listed = (): Response => Response.json([thing]);
const hasKey =
  (key: string) =>
  (_: string, { headers }: { headers: Headers }): boolean =>
    headers.get("key") === key;

type Use = (things: Things) => Promise<unknown>;

/** A call that fails, and what follows it, of one client. */
function same(advice: string, options: ThingsOptions, fail: Use, follow: Use): Row {
  const happen = async (): Promise<Advised> => {
    const things = createThings(options);
    return { error: await errorOf<CallError>(fail(things)), follow: () => follow(things) };
  };
  return [advice, happen];
}

/** A call that fails, and succeeds with other options of the client. */
function other(advice: string, use: Use, wrong: ThingsOptions, right: ThingsOptions): Row {
  const happen = async (): Promise<Advised> => {
    const error = await errorOf<CallError>(use(createThings(wrong)));
    return { error, follow: () => use(createThings({ ...wrong, ...right })) };
  };
  return [advice, happen];
}

const list: Use = (things) => things.list();
const create: Use = (things) => things.create({ name: "one" });
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
  return bind("others", rows, createThingsTransport({ fetch, service: { readError: () => ({}) } }));
}

/** An asynchronous schema that never settles. */
const endless = z.unknown().check(z.refine(() => new Promise<boolean>(() => undefined)));
const READ_BACK = "It may have been carried out: check that before you send it again.";
const CREDENTIAL = "Check the credential that the client was created with.";
const page = (): Response => new Response("<!doctype html><html></html>");
const moved = (): Response =>
  new Response("", { status: 301, headers: { location: "https://moved.test/v1/things" } });
const drifted: FetchFunction = async () => Response.json([{ id: "1" }]);
const slow: FetchFunction = async () => {
  await new Promise((resolve) => setTimeout(resolve, 60));
  return listed();
};

const FROM_ERRORS: readonly Row[] = [
  same(
    "Nothing was sent.",
    { fetch: scripted() },
    (things) => things.list({ signal: AbortSignal.abort() }),
    list,
  ),
  same(
    "Nothing was changed.",
    { fetch: scripted("hang") },
    (things) => things.list({ signal: AbortSignal.timeout(10) }),
    list,
  ),
  same(
    "It was carried out, but its response was not read to the end.",
    { fetch: scripted() },
    (things) =>
      things.create({ name: "one" }, { schema: endless, signal: AbortSignal.timeout(30) }),
    list,
  ),
  same(
    "It was carried out, but the schema of the call did not finish. Allow more with the option totalTimeout.",
    { fetch: scripted() },
    (things) => things.create({ name: "one" }, { schema: endless, totalTimeout: 30 }),
    (things) => things.create({ name: "one" }, { totalTimeout: 60_000 }),
  ),
  same(
    READ_BACK,
    { fetch: scripted("hang") },
    (things) => things.create({ name: "one" }, { signal: AbortSignal.timeout(10) }),
    list,
  ),
  ...([500, "reset"] as const).map((step) =>
    same(READ_BACK, { fetch: scripted(step) }, create, list),
  ),
  [
    "The server asks to wait: call again after",
    async () => {
      const opens = Date.now() + 150;
      const closed = (): Response =>
        new Response("", { status: 429, headers: { "retry-after": "0.15" } });
      const things = createThings({ fetch: demanding(() => Date.now() >= opens, closed, listed) });
      const error = await errorOf<CallError & { retryAt: Date }>(things.list({ totalTimeout: 50 }));
      const follow = async (): Promise<unknown> => {
        const wait = error.retryAt.getTime() - Date.now();
        await new Promise((resolve) => setTimeout(resolve, wait));
        return await things.list();
      };
      return { error, follow };
    },
  ],
  other(
    "Redirects outside baseUrl are not followed: set baseUrl to the address that serves the API.",
    list,
    { fetch: demanding((url) => url.startsWith("https://moved.test"), moved, listed) },
    { baseUrl: "https://moved.test" },
  ),
  other(CREDENTIAL, list, { fetch: demanding(hasKey("right"), 401, listed) }, { apiKey: "right" }),
  other(
    "The credential is not allowed to do this: use one that has the permission.",
    list,
    { fetch: demanding(hasKey("admin"), 403, listed) },
    { apiKey: "admin" },
  ),
  same(
    "Not found for this client: check the id or name, and that baseUrl and the credential belong to its environment.",
    {
      fetch: demanding(
        (url) => url.endsWith("/one"),
        404,
        () => Response.json({ data: thing }),
      ),
    },
    (things) => things.get({ name: "on" }),
    (things) => things.get({ name: "one" }),
  ),
  other(
    "Check baseUrl: the path of the route is added to it.",
    list,
    { fetch: demanding((url) => url === "https://things.test/api/v1/things", 404, listed) },
    { baseUrl: "https://things.test/api" },
  ),
  other(
    "Call again later, or allow retries: the call then waits by itself, at most until totalTimeout.",
    list,
    { fetch: scripted(429, 429, 429, 429, 429), retry: false },
    { retry: soon, totalTimeout: 5_000 },
  ),
  same(
    "Correct the input: the same request would fail again.",
    { fetch: demanding((_, { body }) => body === '{"name":"one"}', 422) },
    (things) => things.create({ name: "two" }),
    create,
  ),
  same("The server failed. Call again later.", { fetch: scripted(503, 503, 503) }, list, list),
  same(
    "Nothing was sent; check baseUrl and the network, then call again.",
    { fetch: scripted("refused"), retry: once },
    list,
    list,
  ),
  same(
    "Nothing was changed; call again later.",
    { fetch: scripted("reset", "reset", "reset") },
    list,
    list,
  ),
  [
    'Read the list from its start again. With onCursorExpired: "restart", the client does so and resumes at the same place.',
    async () => {
      const server = startList({ length: 9 });
      server.failures.push(undefined, "expired");
      const error = await errorOf<CallError>(idsOf(server.things.walk()));
      const follow = async (): Promise<unknown> => {
        expect(await idsOf(server.things.walk())).toEqual(upTo(9));
        server.failures.push(undefined, "expired");
        const ids = await idsOf(server.things.walk({}, { onCursorExpired: "restart" }));
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
      const next = (offset: number): string => (isBroken ? "c3" : `c${offset}`);
      const server = startList({ length: 9, next });
      const error = await errorOf<CallError>(idsOf(server.things.walk()));
      isBroken = false;
      return { error, follow: () => idsOf(server.things.walk()) };
    },
  ],
  [
    "Read the list from its start, without a checkpoint and in one lane, and skip the items that you already have by their ids.",
    async () => {
      const server = startList({ length: 9 });
      const walk = server.things.walk({}, { onCursorExpired: "restart", prefetch: 0 }).walk();
      const had = [0, 1, 2].map(() => walk.next());
      const ids = new Set((await Promise.all(had)).map(({ value }) => value?.id));
      server.ids = server.ids.filter((id) => id !== 2);
      server.failures.push("expired");
      const error = await errorOf<CallError>(walk.next());
      const follow = async (): Promise<unknown> => {
        const rest = (await idsOf(server.things.walk())).filter((id) => !ids.has(id));
        expect(rest).toEqual(upTo(9, 3));
        return rest;
      };
      return { error, follow };
    },
  ],
  [
    "Resume with page(cursor), or raise maxEmptyPages.",
    async () => {
      const things = createThings({
        fetch: async (url) => {
          const step = Number(new URL(url).searchParams.get("cursor") ?? 0);
          return Response.json(
            step === 5 ? { data: [thing] } : { data: [], cursor: `${step + 1}` },
          );
        },
      });
      const error = await errorOf<TooManyEmptyPagesError>(
        idsOf(things.walk({}, { maxEmptyPages: 2 })),
      );
      const follow = async (): Promise<unknown> => {
        let read = await things.walk().page(error.cursor);
        while (read.cursor !== undefined) read = await things.walk().page(read.cursor);
        expect(read.items).toEqual([thing]);
        return await idsOf(things.walk({}, { maxEmptyPages: 10 }));
      };
      return { error, follow };
    },
  ],
  [
    "Not found for this client: check the ids in the input.",
    async () => {
      const others = createOthers(demanding((_, { body }) => body === '{"from":"a"}', 404));
      const error = await errorOf<CallError>(others.move({ from: "b" }));
      return { error, follow: () => others.move({ from: "a" }) };
    },
  ],
  [
    "Nothing matches name, kind: check the spelling, and whether your key has access to it.",
    async () => {
      const others = createOthers(demanding((url) => url.endsWith("?name=one"), 404));
      const error = await errorOf<CallError>(others.named({ name: "On" }));
      return { error, follow: () => others.named({ name: "one" }) };
    },
  ],
  same(
    "An earlier attempt of this call may have deleted it: its response was lost.",
    { fetch: scripted("reset", 404, Response.json([])) },
    (things) => things.delete({ name: "one" }),
    list,
  ),
  other(
    "Return a Response, or an object with status, headers.get and a body that is a stream or null.",
    list,
    { fetch: (async () => [thing]) as never },
    { fetch: scripted() },
  ),
  other(
    "Fix the function: this did not come from the network. See cause.",
    list,
    {
      fetch: async () => {
        throw new ReferenceError("dispatcher is not defined");
      },
    },
    { fetch: scripted() },
  ),
  other(
    "See cause, and report it as a bug.",
    list,
    {
      fetch: async () => {
        const get = (): never => {
          throw new TypeError("headers of another kind");
        };
        return { status: 200, headers: { get }, body: null } as never;
      },
    },
    { fetch: scripted() },
  ),
  ...(
    [
      [
        "See cause. The next call asks the function again.",
        () => Promise.reject(new Error("sealed")),
      ],
      ["The next call asks the function again.", async () => "from a file\n"],
    ] as const
  ).map(([advice, first]) => {
    const keys: (() => Promise<string>)[] = [first];
    const apiKey = async (): Promise<string> => (await keys.shift()?.()) ?? "right";
    return same(advice, { fetch: scripted(), apiKey }, list, list);
  }),
  same(
    "Correct the input and call again.",
    { fetch: scripted() },
    (things) => things.create({ name: "" }),
    create,
  ),
  other(
    'The call was carried out. Report the drift, or create the client with validation: "warn".',
    list,
    { fetch: drifted },
    { validation: "warn", onDrift: () => undefined },
  ),
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
      const first = (maxResponseBytes: number): Promise<unknown> =>
        eachThing({ fetch: scripted() }, { maxResponseBytes })[Symbol.asyncIterator]().next();
      return { error: await errorOf<CallError>(first(5)), follow: () => first(50) };
    },
  ],
  same(
    "The call was carried out. If you expect a response of that size, raise maxResponseBytes of the call.",
    { fetch: scripted() },
    (things) => things.list({ maxResponseBytes: 5 }),
    (things) => things.list({ maxResponseBytes: 500 }),
  ),
  other(
    "The call was carried out. Configure the deployment, or the proxy in front of it, to respond in UTF-8.",
    list,
    { fetch: async () => new Response(Uint8Array.of(0x22, 0xe9, 0x22)) },
    { fetch: scripted() },
  ),
  other(
    "Check baseUrl, and any proxy in between that may require a sign-in. The call may have been carried out anyway.",
    list,
    { fetch: demanding((url) => url.startsWith("https://api.things.test"), page, listed) },
    { baseUrl: "https://api.things.test" },
  ),
  same(
    "Correct the schema of the call.",
    { fetch: scripted() },
    (things) => things.create({ name: "one" }, { schema: z.object({ id: z.string() }) }),
    (things) => things.create({ name: "one" }, { schema: z.object({ id: z.number() }) }),
  ),
  same(
    "The server may still be working on it: check the result before you send it again. Allow more with the option timeout.",
    { fetch: scripted("hang"), timeout: 10 },
    create,
    list,
  ),
  same(
    "The option is in milliseconds: 30 seconds are 30000.",
    { fetch: scripted("hang"), timeout: 30, retry: false },
    list,
    (things) => things.list({ timeout: 30_000 }),
  ),
  ...(["timeout", "totalTimeout"] as const).map((limit) =>
    same(
      `Allow more with the option ${limit}, or call again later.`,
      { fetch: slow, retry: false },
      (things) => things.list({ [limit]: 20 }),
      (things) => things.list({ [limit]: 2_000 }),
    ),
  ),
];

describe("a call succeeds after the advice of its error is followed", () => {
  test.for(FROM_ERRORS)("%s", async ([advice, happen]) => {
    const { error, follow } = await happen();
    expect(error.message).toContain(advice);
    expect(await follow()).toBeDefined();
  });
});

// In mutated sources, the literals are not where this test looks for them.
describe.skipIf(process.env["MUTATED_PACKAGE"] !== undefined)("each advice has a row", () => {
  const sources = join(import.meta.dirname, "../src");

  test("in errors", () => {
    const advices = ["errors/*.ts", "response/decode.ts"]
      .flatMap((pattern) => globSync(pattern, { cwd: sources }))
      .filter((path) => !path.endsWith(".test.ts"))
      .flatMap(literalsOf)
      .filter((text) => /^[A-Z].* ./.test(text));
    expect(advices.length).toBeGreaterThan(20);
    expect(advices.filter(lacksRow(FROM_ERRORS))).toEqual([]);
  });

  /** Returns the string literals of a file, with "…" for each expression of a template. */
  function literalsOf(path: string): string[] {
    const source = readFileSync(join(sources, path), "utf8").replaceAll(
      /\/\*[^]*?\*\/|^\s*\/\/.*$/gm,
      "",
    );
    const literals = source.matchAll(/"((?:\\.|[^"\\\n])*)"|`([^`]*)`|'((?:\\.|[^'\\\n])*)'/g);
    return Array.from(literals, ([, double, template, single]) =>
      (double ?? template ?? single ?? "").replaceAll(/\$\{[^}]*\}/g, "…"),
    );
  }

  function lacksRow(rows: readonly Row[]): (advice: string) => boolean {
    return (advice) => {
      const parts = advice.split("…").filter((part) => part.trim().length > 1);
      return !rows.some(([text]) => parts.every((part) => text.includes(part.trim())));
    };
  }
});
