import { endpoint, text, data, page } from "@fieldmesh/http/internal";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { newDevice, openConsole } from "../testing/console.ts";
import { createVirtualClock } from "../time/clocks.ts";
import type { Layer } from "./call.ts";
import { limitRate } from "./rate-limit.ts";
import { addTextType } from "./responses.ts";
import { serve, type Handler } from "./serve.ts";
import { withSamples } from "./with-samples.ts";

const Thing = z.object({ id: z.string(), size: z.custom<number | bigint>() });
/** The record of all samples. */
const thing = { id: "a", size: 1 };

const rows = {
  things: {
    list: endpoint("GET /v1/things", { result: z.array(Thing) }),
    find: endpoint("GET /v1/things", {
      query: { name: z.string().min(1), limit: z.int().optional() },
      result: Thing,
    }),
    get: endpoint("GET /v1/things/:id", { path: { id: z.string() }, result: Thing }),
    biggest: endpoint("GET /v1/things/biggest", { result: Thing }),
    parts: endpoint("GET /v1/things/:id/parts", { path: { id: z.string() }, result: text() }),
    spares: endpoint("GET /v1/things/:id/parts?kind=spare", {
      path: { id: z.string() },
      result: text(),
    }),
    create: endpoint("POST /v1/things", {
      body: z.strictObject({ name: z.string(), size: z.custom<number | bigint>() }),
      result: Thing,
      status: 201,
    }),
    createAll: endpoint("POST /v1/things", {
      body: z.strictObject({ things: z.array(z.string()).min(1) }),
      result: text(),
    }),
  },
  blocks: {
    height: endpoint("GET /v1/blocks/height", { result: data(z.object({ height: z.int() })) }),
    at: endpoint("GET /v1/blocks/:height", { path: { height: z.int() }, result: text() }),
    list: endpoint("GET /v1/blocks/", { result: page(z.string()) }),
  },
};

/** Tables with every kind of row and response, and with rows that differ in every possible way. */
const tables = withSamples(rows, {
  things: {
    list: { input: {}, output: [thing] },
    find: { input: { name: "a" }, output: { ...thing, id: "found" } },
    get: { input: { id: "a" }, output: { ...thing, id: "got" } },
    biggest: { input: {}, output: { ...thing, id: "biggest" } },
    parts: { input: { id: "a" }, output: "all parts" },
    spares: { input: { id: "a" }, output: "spare parts" },
    create: { input: { name: "a", size: 1 }, output: thing },
    createAll: { input: { things: ["a"] }, output: "all created" },
  },
  blocks: {
    height: { input: {}, output: { data: { height: 7 } } },
    at: { input: { height: 7 }, output: "a block" },
    list: { input: {}, output: { data: ["a"], cursor: "next" } },
  },
});

/** The address of the handlers. */
const BASE = "http://127.0.0.1:4010";
/** Sends a GET request to a handler. */
const get = (handler: Handler, path: string) => handler(new Request(BASE + path));
/** Sends a body to a handler, as JSON by default. */
const post = (handler: Handler, path: string, body: string, type = "application/json") =>
  handler(new Request(BASE + path, { method: "POST", body, headers: { "content-type": type } }));

describe("an implementation receives", () => {
  const seen: unknown[] = [];
  const see = (input: object) => {
    seen.push(input);
    return "seen";
  };
  const handler = serve(tables, {
    things: {
      get: (input) => ({ id: see(input), size: 1 }),
      find: (input) => ({ id: see(input), size: 1 }),
      create: (input) => ({ id: see(input), size: input.size }),
    },
    blocks: { at: see },
  });

  test("path, query and body in one flat object, decoded, with their wire types", async () => {
    seen.length = 0;
    await get(handler, "/v1/things/a%2Fb%20c");
    await get(handler, "/v1/things?name=two%20words&limit=20&other=x");
    await get(handler, "/v1/blocks/1000");
    await post(handler, "/v1/things", '{"name":"a","size":2}');
    expect(seen).toEqual([
      { id: "a/b c" },
      { name: "two words", limit: 20 },
      { height: 1000 },
      { name: "a", size: 2 },
    ]);
  });

  test("exact integers beyond 2^53, and returns them", async () => {
    const response = await post(handler, "/v1/things", '{"name":"a","size":12345678901234567891}');
    expect(await response.text()).toBe('{"id":"seen","size":12345678901234567891}');
  });

  test("no call if the input is invalid", async () => {
    seen.length = 0;
    expect((await get(handler, "/v1/blocks/high")).status).toBe(400);
    expect((await get(handler, "/v1/things?name=")).status).toBe(400);
    expect((await post(handler, "/v1/things", '{"name":7}')).status).toBe(400);
    expect((await post(handler, "/v1/things", '{"name":')).status).toBe(400);
    expect((await post(handler, "/v1/things", '{"name":"a","size":2}', "text/plain")).status).toBe(
      415,
    );
    expect((await post(handler, "/v1/things", "")).status).toBe(400);
    expect(seen).toEqual([]);
  });

  test("a call whose row has no body, whatever body is sent", async () => {
    const remove = endpoint("DELETE /v1/things/:id", { path: { id: z.string() }, result: text() });
    const removes = serve({ things: { remove } }, { things: { remove: ({ id }) => `${id} gone` } });
    const sent = { method: "DELETE", body: "{", headers: { "content-type": "text/plain" } };
    const response = await removes(new Request("http://127.0.0.1/v1/things/a", sent));
    expect([response.status, await response.text()]).toEqual([200, "a gone"]);
  });

  test("unknown fields, because services ignore them", async () => {
    expect((await post(handler, "/v1/things", '{"name":"a","size":2,"colour":"red"}')).status).toBe(
      201,
    );
  });

  test("any input if it validates the input itself", async () => {
    const unchecked = serve(tables, {
      things: { createAll: { unchecked: ({ things }) => `${JSON.stringify(things)} it is` } },
    });
    expect(await (await post(unchecked, "/v1/things", '{"things":[1,null]}')).text()).toBe(
      "[1,null] it is",
    );
  });
});

test("serve rejects an unknown option", () => {
  expect(() => serve(tables, {}, { layer: [] } as never)).toThrow(
    'serve has no option "layer". Did you mean "layers"?',
  );
});

describe("a response is", () => {
  test("a rejection that names each value once, by its path", async () => {
    const response = await post(serve(tables), "/v1/things", '{"things":[1,"a",2]}');
    expect([response.status, await response.text()]).toEqual([
      400,
      "Bad Request: things.0, things.2",
    ]);
  });

  test("given the content-type of a layer, unless it has one or no body", async () => {
    const typed = (output: unknown) =>
      serve(
        tables,
        { things: { list: () => output as never } },
        { layers: [addTextType("text/plain")] },
      );
    const typeOf = async (output: unknown) =>
      (await get(typed(output), "/v1/things")).headers.get("content-type");
    expect(await typeOf(new Response(new TextEncoder().encode("a")))).toBe("text/plain");
    expect(await typeOf([thing])).toBe("application/json; charset=utf-8");
    expect(await typeOf(undefined)).toBeNull();
  });

  test("the sample of a row without an implementation, with the status of the row", async () => {
    const response = await post(serve(tables), "/v1/things", '{"name":"b","size":2}');
    expect(response.status).toBe(201);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await response.json()).toEqual(thing);
  });

  test("a record in the envelope data, and a page in its own envelope", async () => {
    expect(await (await get(serve(tables), "/v1/blocks/height")).json()).toEqual({
      data: { height: 7 },
    });
    expect(await (await get(serve(tables), "/v1/blocks")).json()).toEqual({
      data: ["a"],
      cursor: "next",
    });
  });

  test("a string unchanged, without a content-type", async () => {
    const response = await get(serve(tables), "/v1/blocks/7");
    expect(response.headers.get("content-type")).toBeNull();
    expect(await response.text()).toBe("a block");
  });

  test("a Response of the implementation, unchanged", async () => {
    const handler = serve(tables, {
      things: { list: () => new Response("gone", { status: 410 }) },
    });
    const response = await get(handler, "/v1/things");
    expect([response.status, await response.text()]).toEqual([410, "gone"]);
  });

  test("a 500 without details for an error of an implementation, which the call records", async () => {
    const bug = new Error("a bug with a secret");
    let error: unknown;
    const look: Layer = (next) => async (call) => {
      const response = await next(call);
      error = call.error;
      return response;
    };
    const fail = () => {
      throw bug;
    };
    const response = await get(
      serve(tables, { things: { list: fail } }, { layers: [look] }),
      "/v1/things",
    );
    expect([response.status, await response.text()]).toEqual([500, "Internal Server Error"]);
    expect(error).toBe(bug);
  });
});

test("layers receive every call with its row and whether the work was done, and the first is the outermost", async () => {
  const order: string[] = [];
  const layer =
    (name: string): Layer =>
    (next) =>
    async (call) => {
      order.push(`${name} ${call.row}`);
      const response = await next(call);
      order.push(`${name} ${response.status} ${call.done}`);
      return response;
    };
  const handler = serve(tables, {}, { layers: [layer("outer"), layer("inner")] });
  await get(handler, "/v1/things");
  await get(handler, "/v1/nothing");
  expect(order.slice(0, 4)).toEqual([
    "outer things.list",
    "inner things.list",
    "inner 200 true",
    "outer 200 true",
  ]);
  expect(order.slice(4)).toEqual([
    "outer undefined",
    "inner undefined",
    "inner 404 false",
    "outer 404 false",
  ]);
});

test("a query is parsed to the type of its row", async () => {
  const seen: unknown[] = [];
  const row = endpoint("GET /v1/flags", {
    query: {
      on: z.optional(z.boolean()),
      name: z.optional(z.string()),
      count: z.optional(z.union([z.int(), z.null()])),
    },
    result: text(),
  });
  const handler = serve(
    { flags: { list: row } },
    { flags: { list: (input) => `${seen.push(input)}` } },
  );
  for (const query of ["on=true", "on=false", "name=true", "name=7", "count=7", "name="])
    await get(handler, `/v1/flags?${query}`);
  expect(seen).toEqual([
    { on: true },
    { on: false },
    { name: "true" },
    { name: "7" },
    { count: 7 },
    { name: "" },
  ]);
  for (const query of ["on=1", "on=", "count=", "count=%20", "count=many"])
    expect((await get(handler, `/v1/flags?${query}`)).status).toBe(400);
});

test("a row without a handler and without a sample responds with 501 and its route", async () => {
  const row = endpoint("GET /v1/flags", { result: text() });
  const response = await get(serve({ flags: { list: row } }), "/v1/flags");
  expect(response.status).toBe(501);
  expect(await response.text()).toBe("This server has no handler and no sample for GET /v1/flags");
});

test("a row whose status has no body sends none", async () => {
  const row = endpoint("DELETE /v1/flags", {
    result: text(),
    status: 204,
  });
  const handler = serve({ flags: { delete: row } }, { flags: { delete: () => "" } });
  const response = await handler(new Request("http://127.0.0.1/v1/flags", { method: "DELETE" }));
  expect([response.status, response.body]).toEqual([204, null]);
});

const sampleHandler = serve(tables);
const idAt = async (path: string) =>
  ((await (await get(sampleHandler, path)).json()) as { id: string }).id;

test("a literal segment is preferred to a parameter, in any order of the table", async () => {
  expect(await idAt("/v1/things/biggest")).toBe("biggest");
  expect(await idAt("/v1/things/bigger")).toBe("got");
});

test("a route with a query is preferred to one without, and its value must match", async () => {
  expect(await (await get(sampleHandler, "/v1/things/a/parts?kind=spare")).text()).toBe(
    "spare parts",
  );
  expect(await (await get(sampleHandler, "/v1/things/a/parts?kind=worn")).text()).toBe("all parts");
  expect(await (await get(sampleHandler, "/v1/things/a/parts")).text()).toBe("all parts");
});

test("of rows with the same route, the one whose query is present matches", async () => {
  expect(await (await get(sampleHandler, "/v1/things?name=a")).json()).toMatchObject({
    id: "found",
  });
  expect(await (await get(sampleHandler, "/v1/things")).json()).toEqual([thing]);
  expect(await (await get(sampleHandler, "/v1/things?other=a")).json()).toEqual([thing]);
});

test("of rows with the same route, the one that fits the body best matches", async () => {
  expect(await (await post(sampleHandler, "/v1/things", '{"things":["a"]}')).text()).toBe(
    "all created",
  );
  expect((await post(sampleHandler, "/v1/things", '{"name":"a","size":1}')).status).toBe(201);
  expect(await (await post(sampleHandler, "/v1/things", '{"things":[]}')).text()).toBe(
    "Bad Request: things",
  );
  expect(await (await post(sampleHandler, "/v1/things", '{"name":7}')).text()).toBe(
    "Bad Request: name, size",
  );
});

test("a slash at the end makes no difference in either direction", async () => {
  expect((await get(sampleHandler, "/v1/blocks")).status).toBe(200);
  expect((await get(sampleHandler, "/v1/blocks/")).status).toBe(200);
  expect((await get(sampleHandler, "/v1/things/")).status).toBe(200);
});

test("a request without a row is a 404: another method, another path, a path that cannot be decoded", async () => {
  expect((await get(sampleHandler, "/v1/nothing")).status).toBe(404);
  expect((await get(sampleHandler, "/v1/things/a/parts/b")).status).toBe(404);
  expect((await get(sampleHandler, "/v1/things/%E0%A4%A")).status).toBe(404);
  expect((await sampleHandler(new Request(`${BASE}/v1/things`, { method: "DELETE" }))).status).toBe(
    404,
  );
});

test("a prefix is removed, and paths outside it are a 404", async () => {
  const below = serve(tables, {}, { prefix: "/ledger" });
  expect((await get(below, "/ledger/v1/things")).status).toBe(200);
  expect((await get(below, "/ledgers/v1/things")).status).toBe(404);
  expect((await get(below, "/v1/things")).status).toBe(404);
});

function limited(perMinute: number) {
  const clock = createVirtualClock(0);
  const handler = serve({}, {}, { layers: [limitRate(perMinute, clock)] });
  const ask = async (remoteAddress?: string) =>
    handler(new Request("http://127.0.0.1/"), { remoteAddress });
  return { clock, ask };
}

test("each address has its own limit", async () => {
  const { ask } = limited(1);
  await ask("127.0.0.1");
  expect((await ask("127.0.0.1")).status).toBe(429);
  expect((await ask("127.0.0.2")).status).toBe(404);
});

const COUNT = 10_001;

test("a long list is written while it is sent, and is the same JSON", async () => {
  let written = 0;
  const list = Array.from({ length: COUNT }, (_, index) => ({
    id: `a${index}`,
    get size() {
      written++;
      return 12345678901234567890n;
    },
  }));
  const handler = serve(tables, { things: { list: () => list } });
  const response = await get(handler, "/v1/things");
  expect(written).toBe(0);
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  const sent = await response.text();
  expect(sent.startsWith('[{"id":"a0","size":12345678901234567890},{"id":"a1",')).toBe(true);
  expect(JSON.parse(sent)).toHaveLength(COUNT);
});

test("the client reads a long list of the sandbox at once and device by device, with the same result", async () => {
  const { client } = openConsole({ console: { data: "empty" } });
  const devices = Array.from({ length: COUNT }, (_, index) => ({
    ...newDevice(),
    dev_eui: index.toString(16).toUpperCase().padStart(15, "0").padStart(16, "A"),
  }));
  await client.devices.createMany(devices);
  const ids: string[] = [];
  for await (const { id } of client.devices.each()) ids.push(id);
  expect(ids).toHaveLength(COUNT);
  expect(ids).toEqual((await client.devices.list()).map(({ id }) => id));
});
