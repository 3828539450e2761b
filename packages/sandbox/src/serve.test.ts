import * as z from "zod";
import { data, endpoint, page, text } from "@fieldmesh/http";
import { describe, expect, test } from "vitest";
import type { Layer } from "./call.js";
import { type Handler, serve } from "./serve.js";

const Thing = z.object({ id: z.string(), size: z.custom<number | bigint>() });
const thing = { id: "a", size: 1 };

const tables = {
  things: {
    list: endpoint("GET /v1/things", {
      result: z.array(Thing),
      sample: { input: {}, output: [thing] },
    }),
    find: endpoint("GET /v1/things", {
      query: { name: z.string().min(1), limit: z.int().optional() },
      result: Thing,
      sample: { input: { name: "a" }, output: { ...thing, id: "found" } },
    }),
    get: endpoint("GET /v1/things/:id", {
      path: { id: z.string() },
      result: Thing,
      sample: { input: { id: "a" }, output: { ...thing, id: "got" } },
    }),
    biggest: endpoint("GET /v1/things/biggest", {
      result: Thing,
      sample: { input: {}, output: { ...thing, id: "biggest" } },
    }),
    parts: endpoint("GET /v1/things/:id/parts", {
      path: { id: z.string() },
      result: text(),
      sample: { input: { id: "a" }, output: "all parts" },
    }),
    spares: endpoint("GET /v1/things/:id/parts?kind=spare", {
      path: { id: z.string() },
      result: text(),
      sample: { input: { id: "a" }, output: "spare parts" },
    }),
    create: endpoint("POST /v1/things", {
      body: z.strictObject({ name: z.string(), size: z.custom<number | bigint>() }),
      result: Thing,
      status: 201,
      sample: { input: { name: "a", size: 1 }, output: thing },
    }),
    createAll: endpoint("POST /v1/things", {
      body: z.strictObject({ things: z.array(z.string()).min(1) }),
      result: text(),
      sample: { input: { things: ["a"] }, output: "all created" },
    }),
  },
  blocks: {
    height: endpoint("GET /v1/blocks/height", {
      result: data(z.object({ height: z.int() })),
      sample: { input: {}, output: { data: { height: 7 } } },
    }),
    at: endpoint("GET /v1/blocks/:height", {
      path: { height: z.int() },
      result: text(),
      sample: { input: { height: 7 }, output: "a block" },
    }),
    list: endpoint("GET /v1/blocks/", {
      result: page(z.string()),
      sample: { input: {}, output: { data: ["a"], cursor: "next" } },
    }),
  },
};

const BASE = "http://127.0.0.1:4010";
const get = (handler: Handler, path: string) => handler(new Request(BASE + path));
const post = (handler: Handler, path: string, body: string, type = "application/json") =>
  handler(new Request(BASE + path, { method: "POST", body, headers: { "content-type": type } }));

describe("which row answers", () => {
  const handler = serve(tables);
  const idAt = async (path: string) =>
    ((await (await get(handler, path)).json()) as { id: string }).id;

  test("a literal segment goes before a parameter, wherever it stands in the table", async () => {
    expect(await idAt("/v1/things/biggest")).toBe("biggest");
    expect(await idAt("/v1/things/bigger")).toBe("got");
  });

  test("a query in the route goes before none, and must have its value", async () => {
    expect(await (await get(handler, "/v1/things/a/parts?kind=spare")).text()).toBe("spare parts");
    expect(await (await get(handler, "/v1/things/a/parts?kind=worn")).text()).toBe("all parts");
    expect(await (await get(handler, "/v1/things/a/parts")).text()).toBe("all parts");
  });

  test("of rows with the same route it is the one whose query is there", async () => {
    expect(await (await get(handler, "/v1/things?name=a")).json()).toMatchObject({ id: "found" });
    expect(await (await get(handler, "/v1/things")).json()).toEqual([thing]);
    expect(await (await get(handler, "/v1/things?other=a")).json()).toEqual([thing]);
  });

  test("of rows with the same route it is the one that the body fits, or comes closest to", async () => {
    expect(await (await post(handler, "/v1/things", '{"things":["a"]}')).text()).toBe(
      "all created",
    );
    expect((await post(handler, "/v1/things", '{"name":"a","size":1}')).status).toBe(201);
    expect(await (await post(handler, "/v1/things", '{"things":[]}')).text()).toBe(
      "Bad Request: things",
    );
    expect(await (await post(handler, "/v1/things", '{"name":7}')).text()).toBe(
      "Bad Request: name, size",
    );
  });

  test("a slash at the end makes no difference in either direction", async () => {
    expect((await get(handler, "/v1/blocks")).status).toBe(200);
    expect((await get(handler, "/v1/blocks/")).status).toBe(200);
    expect((await get(handler, "/v1/things/")).status).toBe(200);
  });

  test("no row is a 404: another method, another path, a path that cannot be decoded", async () => {
    expect((await get(handler, "/v1/nothing")).status).toBe(404);
    expect((await get(handler, "/v1/things/a/parts/b")).status).toBe(404);
    expect((await get(handler, "/v1/things/%E0%A4%A")).status).toBe(404);
    expect((await handler(new Request(`${BASE}/v1/things`, { method: "DELETE" }))).status).toBe(
      404,
    );
  });

  test("a prefix is taken off, and nothing is found beside it", async () => {
    const below = serve(tables, {}, { prefix: "/ledger" });
    expect((await get(below, "/ledger/v1/things")).status).toBe(200);
    expect((await get(below, "/ledgers/v1/things")).status).toBe(404);
    expect((await get(below, "/v1/things")).status).toBe(404);
  });
});

describe("what an implementation is given", () => {
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

  test("path, query and body in one flat object, decoded, as they stand on the wire", async () => {
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

  test("integers beyond 2^53 survive in both directions", async () => {
    const answer = await post(handler, "/v1/things", '{"name":"a","size":12345678901234567891}');
    expect(await answer.text()).toBe('{"id":"seen","size":12345678901234567891}');
  });

  test("nothing at all where the input does not fit", async () => {
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

  test("a field that the row does not know, because services ignore it", async () => {
    expect((await post(handler, "/v1/things", '{"name":"a","size":2,"colour":"red"}')).status).toBe(
      201,
    );
  });

  test("whatever came, where it says that it checks for itself", async () => {
    const unchecked = serve(tables, {
      things: { createAll: { unchecked: ({ things }) => `${JSON.stringify(things)} it is` } },
    });
    expect(await (await post(unchecked, "/v1/things", '{"things":[1,null]}')).text()).toBe(
      "[1,null] it is",
    );
  });
});

describe("what it answers", () => {
  test("the sample of a row that is not implemented, with the row's status", async () => {
    const answer = await post(serve(tables), "/v1/things", '{"name":"b","size":2}');
    expect(answer.status).toBe(201);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await answer.json()).toEqual(thing);
  });

  test("a record under data and a page in their envelopes", async () => {
    expect(await (await get(serve(tables), "/v1/blocks/height")).json()).toEqual({
      data: { height: 7 },
    });
    expect(await (await get(serve(tables), "/v1/blocks")).json()).toEqual({
      data: ["a"],
      cursor: "next",
    });
  });

  test("a text as it is, without a content-type", async () => {
    const answer = await get(serve(tables), "/v1/blocks/7");
    expect(answer.headers.get("content-type")).toBeNull();
    expect(await answer.text()).toBe("a block");
  });

  test("a Response of the implementation, untouched", async () => {
    const handler = serve(tables, {
      things: { list: () => new Response("gone", { status: 410 }) },
    });
    const answer = await get(handler, "/v1/things");
    expect([answer.status, await answer.text()]).toEqual([410, "gone"]);
  });

  test("a bare 500 for what an implementation throws, which stands in the call", async () => {
    const bug = new Error("a bug with a secret");
    let error: unknown;
    const look: Layer = (next) => async (call) => {
      const answer = await next(call);
      error = call.error;
      return answer;
    };
    const fail = () => {
      throw bug;
    };
    const answer = await get(
      serve(tables, { things: { list: fail } }, { layers: [look] }),
      "/v1/things",
    );
    expect([answer.status, await answer.text()]).toEqual([500, "Internal Server Error"]);
    expect(error).toBe(bug);
  });
});

test("layers see every call, the first outermost, with its row and whether the work was done", async () => {
  const order: string[] = [];
  const layer =
    (name: string): Layer =>
    (next) =>
    async (call) => {
      order.push(`${name} ${call.row}`);
      const answer = await next(call);
      order.push(`${name} ${answer.status} ${call.done}`);
      return answer;
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
