import * as z from "zod";
import { data, endpoint, page, text } from "@fieldmesh/http/internal";
import type { Handler } from "../serve/serve.ts";
import { withSamples } from "../serve/with-samples.ts";

const Thing = z.object({ id: z.string(), size: z.custom<number | bigint>() });
/** The record of all samples. */
export const thing = { id: "a", size: 1 };

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
export const tables = withSamples(rows, {
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
export const BASE = "http://127.0.0.1:4010";
/** Sends a GET request to a handler. */
export const get = (handler: Handler, path: string) => handler(new Request(BASE + path));
/** Sends a body to a handler, as JSON by default. */
export const post = (handler: Handler, path: string, body: string, type = "application/json") =>
  handler(new Request(BASE + path, { method: "POST", body, headers: { "content-type": type } }));
