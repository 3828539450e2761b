import * as z from "zod";
import { data, endpoint, page, text } from "@fieldmesh/http";
import type { Handler } from "../serve/serve.ts";

const Thing = z.object({ id: z.string(), size: z.custom<number | bigint>() });
/** The record of all samples. */
export const thing = { id: "a", size: 1 };

/** Tables with every kind of row and response, and with rows that differ in every possible way. */
export const tables = {
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

/** The address of the handlers. */
export const BASE = "http://127.0.0.1:4010";
/** Sends a GET request to a handler. */
export const get = (handler: Handler, path: string) => handler(new Request(BASE + path));
/** Sends a body to a handler, as JSON by default. */
export const post = (handler: Handler, path: string, body: string, type = "application/json") =>
  handler(new Request(BASE + path, { method: "POST", body, headers: { "content-type": type } }));
