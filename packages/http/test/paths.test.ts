import fc from "fast-check";
import { expect, test, describe } from "vitest";
import * as z from "zod/mini";
import { Secret } from "@fieldmesh/core";
import { secretInput } from "@fieldmesh/core/internal/schema";
import {
  InputError,
  bind,
  createTransport,
  endpoint,
  text,
  type FetchFunction,
} from "../src/internal.ts";
import { sendJson, startHttp } from "../../../tools/testing/http-server.ts";
import { reservedWords } from "../src/wire/url.ts";
import { createThings, errorOf, thing, createThingsTransport } from "./things.ts";

test.for(["search", "all", "once", "SEARCH"])(
  "rejects %s, which is a word in the path of another endpoint",
  async (name) => {
    const error = await errorOf(createThings().get({ name }));
    expect(error.message).toContain("is a word that the path already uses for another endpoint");
  },
);

test.for(["one", "a b", "ü", "a?b#c", "a;b=c", "..a", "-", "%zz"])(
  "%j stays within its segment and arrives unchanged",
  async (name) => {
    await using server = await startHttp((_, response) => sendJson(response, { data: thing }));
    await createThings({ baseUrl: `${server.baseUrl}/pre` }).get({ name });
    const [request] = server.received;
    const segments = request?.url.split("/") ?? [];
    expect(segments.slice(0, 4)).toEqual(["", "pre", "v1", "things"]);
    expect(segments).toHaveLength(5);
    expect(decodeURIComponent(segments[4] ?? "")).toBe(name);
  },
);

test("any value is rejected before anything is sent or arrives as one segment", async () => {
  await using server = await startHttp((_, response) => sendJson(response, { data: thing }));
  const things = createThings({ baseUrl: server.baseUrl });
  const nasty = fc.string({
    unit: fc.constantFrom(
      ".",
      "/",
      "\\",
      "%",
      "2",
      "e",
      "E",
      "5",
      "f",
      "c",
      "?",
      "#",
      "\r",
      "\n",
      "\0",
      " ",
      "ü",
      "a",
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.oneof(nasty, fc.string({ unit: "binary" })), async (name) => {
      const before = server.received.length;
      const outcome = await things.get({ name }).then(
        () => "sent",
        (error: unknown) => (error instanceof InputError ? "refused" : error),
      );
      if (outcome === "refused") return server.received.length === before;
      const segments = server.received.at(-1)?.url.split("/") ?? [];
      return (
        outcome === "sent" &&
        segments.length === 4 &&
        decodeURIComponent(segments[3] ?? "") === name
      );
    }),
    { numRuns: 400 },
  );
});

test("a query value cannot add other parameters", async () => {
  await using server = await startHttp((_, response) => sendJson(response, []));
  const name = "x&limit=1000#/../?a=b\r\nkey: y";
  await createThings({ baseUrl: server.baseUrl }).find({ name });
  const url = new URL(server.received[0]?.url ?? "", server.baseUrl);
  expect([...url.searchParams]).toEqual([["name", name]]);
});

// What makes a server or proxy leave a segment of a path, at each place that takes a segment from elsewhere.

/** Each as in a URL: dots, what cuts off a segment, control characters, slashes, overlong forms, what servers normalize. */
const tricks =
  `.. ... %2e%2e %252e%252e %25252e%25252e; %25252525252e ..; ..;v=1 .; %2e%2e; %2e%2e%3b ..%3fx ..%23x ..%20
  %00 ..%00 a%0d%0ab a%7f a%2fb a%252fb a%5cb
  %c0%ae%c0%ae %e0%80%ae a%c0%afb %u002e%u002e %25u002e
  %ef%bc%8e%ef%bc%8e %e2%80%a5 a%ef%bc%8fb ..%ef%bc%9b`.split(/\s+/);

/** Each returns the error of a call, and what was sent beside the call itself. */
const places = {
  async value(trick: string) {
    const { sent, settings } = open();
    return [(await errorOf(createThings(settings).get({ name: trick }))).name, sent];
  },
  async path(trick: string) {
    const { sent, settings } = open();
    const { request } = createThingsTransport(settings);
    const call = request({ method: "GET", path: `/v1/${trick}/x` });
    return [(await errorOf(call)).name, sent];
  },
  async redirect(trick: string) {
    const { sent, settings } = open(`/api/${trick}/x`);
    return [(await errorOf(createThings(settings).list())).name, sent.slice(1)];
  },
};

function open(location?: string, baseUrl = "https://things.test/api") {
  const sent: string[] = [];
  const fetch = async (url: string): Promise<Response> => {
    sent.push(url);
    return location !== undefined && sent.length === 1
      ? new Response(null, { status: 302, headers: { location } })
      : Response.json([thing]);
  };
  return { sent, settings: { baseUrl, fetch, retry: false } as const };
}

for (const [place, reject] of Object.entries(places))
  test.for(tricks.map((trick) => ({ trick })))(
    `$trick is rejected in a ${place}`,
    async ({ trick }) => {
      expect(await reject(trick)).toEqual([place === "redirect" ? "ApiError" : "InputError", []]);
    },
  );

test.for(["", "b", "b/", "b.c", "..b", "50%25", "a;b=c", "%C3%BC", "a%20b", "b?c=..%2f#d"])(
  "a redirect to /api/%o is followed",
  async (rest) => {
    const { sent, settings } = open(`/api/${rest}`);
    await createThings(settings).list();
    expect(sent[1]).toBe(`https://things.test/api/${rest}`);
  },
);

test.for([
  ["of%2fothers", "of%2fothers"],
  ["of%2Fothers", "of%2fothers"],
  ["of%2fothers", "of%2Fothers"],
  ["%7Eothers", "~others"],
  ["~others", "%7eothers"],
  ["%C3%BC", "%c3%bc"],
])("a base URL with the path %s may redirect to %s below itself", async ([path, other]) => {
  const { sent, settings } = open(`/${other}/v1/b`, `https://things.test/${path}`);
  await createThings(settings).list();
  expect(sent[1]).toBe(`https://things.test/${other}/v1/b`);
});

test.for([
  ["of%2Fothers", "of/others"],
  ["of%2Fothers", "of%252Fothers"],
  ["of%2Fothers", "OF%2Fothers"],
  ["of%2Fothers", "of%2Fothers/..%2f"],
])("a base URL with the path %s may not redirect to %s", async ([path, other]) => {
  const { sent, settings } = open(`/${other}/v1/b`, `https://things.test/${path}`);
  await expect(createThings(settings).list()).rejects.toThrow("failed with 302");
  expect(sent).toHaveLength(1);
});

const rows = {
  block: endpoint("GET /v1/blocks/:height", {
    path: { height: z.int() },
    result: text(),
  }),
  store: endpoint("POST /v1/blocks", {
    body: z.looseObject({ pin: z.optional(secretInput(z.string())) }),
    result: text(),
  }),
};

function createBlocks() {
  const sent: { url: string; body: string | undefined }[] = [];
  const fetch = async (url: string, { body }: { body?: string }): Promise<Response> => {
    sent.push({ url, body });
    return new Response("done");
  };
  const service = { name: "blocks", readError: () => ({}) };
  const options = { baseUrl: "https://blocks.test", fetch };
  const transport = createTransport(options, { service, userAgent: "test/1" });
  return { sent, blocks: bind("blocks", rows, transport) };
}

test("a path parameter accepts numbers", async () => {
  const { blocks, sent } = createBlocks();
  await blocks.block({ height: 1_000_000 });
  expect(sent[0]?.url).toBe("https://blocks.test/v1/blocks/1000000");
});

test("a Secret is sent as its value, also in an undeclared field", async () => {
  const { blocks, sent } = createBlocks();
  await blocks.store({ pin: new Secret("1234"), extra: { token: new Secret("t0ken") } });
  expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ pin: "1234", extra: { token: "t0ken" } });
});

test("integers of any size are sent exactly", async () => {
  const { blocks, sent } = createBlocks();
  await blocks.store({ amount: 12345678901234567890n });
  expect(sent[0]?.body).toBe('{"amount":12345678901234567890}');
});

test("half of a surrogate pair in a query is rejected, because encoding would change it", async () => {
  const things = createThings({ fetch: async () => Response.json([thing]) });
  const error = await errorOf(things.find({ name: "a\ud800" }));
  expect(error).toBeInstanceOf(InputError);
  expect(error.message).toContain("name: contains half of a surrogate pair");
});

const ok: FetchFunction = async () => Response.json([thing]);

describe("an InputError", () => {
  test("names its call and route, has no attempts, and ends each problem with one period", async () => {
    const error = await errorOf<InputError>(
      createThings({ fetch: ok }).list({ totalTimeout: 0.5 }),
    );
    expect(error).toMatchObject({ call: "things.list", route: "GET /v1/things" });
    expect(error.attempts).toEqual([]);
    const message =
      "totalTimeout must be an integer from 1 to 2147483647, in milliseconds; it is 0.5";
    expect(error.problems).toEqual([{ path: "options", message }]);
    expect(error.message).toContain(`was not sent: options: ${message}. Correct the input`);
  });

  test("is the result of a parameter that a walk cannot send", async () => {
    const { walk } = createThings({ fetch: ok });
    const problemOf = async (query: object) =>
      (await errorOf<InputError>(walk({}, { query: query as never }).page())).problems;
    expect(await problemOf({ "\ud800": "x" })).toEqual([
      { path: "query", message: "contains half of a surrogate pair" },
    ]);
    expect(await problemOf({ kind: "x" })).toEqual([
      { path: "options.query.kind", message: "is a field of the input" },
    ]);
    expect(await problemOf({ "Pump 1": {} })).toEqual([
      { path: "options.query.[…]", message: "must be a string, a number or a boolean" },
    ]);
  });
});

describe("words that other routes have at the position of a parameter", () => {
  const wordsOf = (route: string, ...others: string[]) =>
    Object.fromEntries(
      [...reservedWords([route, ...others], route)].map(([name, words]) => [name, [...words]]),
    );

  test("are reserved for every method, and no other words are", () => {
    expect(
      wordsOf(
        "GET /v1/labels/:label_id",
        "GET /v1/labels/active",
        "POST /v1/labels/find?all=1",
        "PUT /v1/labels/:id",
        "GET /v1/labels",
        "GET /v1/devices/recent",
        "GET /v2/labels/old",
      ),
    ).toEqual({ label_id: ["active", "find"] });
  });

  test("are reserved after a parameter of any name, but not after another word", () => {
    expect(
      wordsOf(
        "GET /:kind/items/:item",
        "GET /:sort/items/first",
        "GET /labels/items/last",
        "GET /:kind/others/none",
      ),
    ).toEqual({ kind: ["labels"], item: ["first"] });
  });
});
