import { endpoint, text } from "@fieldmesh/http/internal";
import * as z from "zod";
import { describe, expect, test } from "vitest";
import type { Layer } from "./call.ts";
import { addTextType } from "./responses.ts";
import { serve } from "./serve.ts";
import { get, post, tables, thing } from "../testing/things.ts";

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

test("a request without a body and without a content-type lacks the body", async () => {
  const response = await serve(tables)(
    new Request("http://127.0.0.1/v1/things", { method: "POST" }),
  );
  expect(response.status).toBe(400);
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

describe("an invalid request is described in one sentence", () => {
  const handler = serve(tables, {}, { prefix: "/things" });
  const responseTo = async (response: Promise<Response>) => {
    const { status } = await response;
    return `${status} ${await (await response).text()}`;
  };

  test.each<[path: string, body: string, type: string, response: string]>([
    ["/v1/things", "{", "application/json", "400 Bad Request: the body is not JSON"],
    [
      "/v1/things",
      "{}",
      "text/plain",
      "415 Unsupported Media Type: send content-type: application/json",
    ],
    ["/v1/things", '{"name":7,"size":1}', "application/json", "400 Bad Request: name"],
    ["/v1/nothing", "{}", "application/json", "404 Not Found"],
  ])("POST %s of %s as %s", async (path, body, type, response) => {
    expect(await responseTo(post(handler, `/things${path}`, body, type))).toBe(response);
  });

  test("a path outside the prefix, or only the prefix, is not found", async () => {
    for (const path of ["/v1/things", "/thingsv1/things", "/things", "/other/v1/things"])
      expect(await responseTo(get(handler, path))).toBe("404 Not Found");
    expect((await get(handler, "/things/v1/things")).status).toBe(200);
  });
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
