import { expect, test } from "vitest";
import { serve } from "./serve.ts";
import { BASE, get, post, tables, thing } from "../testing/things.ts";

const handler = serve(tables);
const idAt = async (path: string) =>
  ((await (await get(handler, path)).json()) as { id: string }).id;

test("a literal segment is preferred to a parameter, in any order of the table", async () => {
  expect(await idAt("/v1/things/biggest")).toBe("biggest");
  expect(await idAt("/v1/things/bigger")).toBe("got");
});

test("a route with a query is preferred to one without, and its value must match", async () => {
  expect(await (await get(handler, "/v1/things/a/parts?kind=spare")).text()).toBe("spare parts");
  expect(await (await get(handler, "/v1/things/a/parts?kind=worn")).text()).toBe("all parts");
  expect(await (await get(handler, "/v1/things/a/parts")).text()).toBe("all parts");
});

test("of rows with the same route, the one whose query is present matches", async () => {
  expect(await (await get(handler, "/v1/things?name=a")).json()).toMatchObject({ id: "found" });
  expect(await (await get(handler, "/v1/things")).json()).toEqual([thing]);
  expect(await (await get(handler, "/v1/things?other=a")).json()).toEqual([thing]);
});

test("a row whose query is missing matches last, even if it is the first of its table", async () => {
  const { find, list } = tables.things;
  const turned = serve({ things: { find, list } });
  expect(await (await get(turned, "/v1/things")).json()).toEqual([thing]);
  expect(await (await get(turned, "/v1/things?name=a")).json()).toMatchObject({ id: "found" });
});

test("of rows with the same route, the one that fits the body best matches", async () => {
  expect(await (await post(handler, "/v1/things", '{"things":["a"]}')).text()).toBe("all created");
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

test("a request without a row is a 404: another method, another path, a path that cannot be decoded", async () => {
  expect((await get(handler, "/v1/nothing")).status).toBe(404);
  expect((await get(handler, "/v1/things/a/parts/b")).status).toBe(404);
  expect((await get(handler, "/v1/things/%E0%A4%A")).status).toBe(404);
  expect((await handler(new Request(`${BASE}/v1/things`, { method: "DELETE" }))).status).toBe(404);
});

test("a prefix is removed, and paths outside it are a 404", async () => {
  const below = serve(tables, {}, { prefix: "/ledger" });
  expect((await get(below, "/ledger/v1/things")).status).toBe(200);
  expect((await get(below, "/ledgers/v1/things")).status).toBe(404);
  expect((await get(below, "/v1/things")).status).toBe(404);
});
