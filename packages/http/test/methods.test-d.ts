import { Agent, fetch as undiciFetch } from "undici";
import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import {
  bind,
  endpoint,
  page,
  type Transport,
  type CallOptions,
  type ClientOptions,
  type IdempotentCallOptions,
  type Pager,
} from "../src/internal.ts";
import { createPager } from "../src/pager.ts";
import { dispatchFetch } from "../src/wire/dispatch-fetch.ts";
import { Thing, type Things } from "./things.ts";

declare const things: Things;
declare const transport: Transport;

test("a method without fields accepts only options", () => {
  expectTypeOf(things.list).parameters.toEqualTypeOf<[options?: CallOptions | undefined]>();
  expectTypeOf(things.list).returns.resolves.toEqualTypeOf<Thing[]>();
});

test("a method whose fields are all optional can be called without input", () => {
  void things.walk();
  void things.walk({ kind: "x" });
});

test("path, query and body are one flat input", () => {
  expectTypeOf(things.update).parameter(0).toEqualTypeOf<{ name: string; size: number }>();
  expectTypeOf(things.find)
    .parameter(0)
    .toEqualTypeOf<{ name: string; limit?: number | undefined }>();
});

test("each kind of row has its result type", () => {
  expectTypeOf(things.get).returns.resolves.toEqualTypeOf<Thing>();
  expectTypeOf(things.delete).returns.resolves.toEqualTypeOf<string>();
  expectTypeOf(things.walk()).toEqualTypeOf<Pager<Thing>>();
});

test("a table with paged lists requires what creates their pagers", () => {
  const list = {
    walk: endpoint("GET /v1/x", {
      result: page(Thing),
    }),
  };
  const get = {
    get: endpoint("GET /v1/x", {
      result: Thing,
    }),
  };
  // @ts-expect-error no pager
  bind("x", list, transport);
  bind("x", { ...list, ...get }, transport, createPager);
  bind("x", get, transport);
});

test("only a keyed row accepts an idempotency key, and only an open row accepts a schema", () => {
  expectTypeOf(things.createOnce).parameter(1).toEqualTypeOf<IdempotentCallOptions | undefined>();
  // @ts-expect-error not keyed
  void things.create({ name: "x" }, { idempotencyKey: "k" });
  // @ts-expect-error not open
  void things.get({ name: "x" }, { schema: Thing });
  const schema = z.object({ a: z.string() });
  expectTypeOf(things.create({ name: "x" }, { schema })).resolves.toEqualTypeOf<{ a: string }>();
  expectTypeOf(things.find({ name: "x" }, { schema })).resolves.toEqualTypeOf<{ a: string }[]>();
});

test("the result type is never inferred from the variable that receives it", () => {
  // @ts-expect-error without a schema, the result is a Thing
  const wrong: Promise<{ a: string }> = things.create({ name: "x" });
  void wrong;
});

test("a path that does not match its row does not compile", () => {
  // @ts-expect-error a path parameter without a schema
  endpoint("GET /v1/x/:id", { result: Thing });
  endpoint("GET /v1/x/:id", {
    path: { id: z.string() },
    result: Thing,
  });
});

test("the option fetch accepts dispatchFetch, and the fetch of the runtime and of undici", () => {
  type Fetch = NonNullable<ClientOptions["fetch"]>;
  expectTypeOf(dispatchFetch({ dispatcher: new Agent() })).toEqualTypeOf<Fetch>();
  expectTypeOf<typeof fetch>().toExtend<Fetch>();
  expectTypeOf(async (url: string) => await undiciFetch(url)).toExtend<Fetch>();
  // @ts-expect-error -- an agent of node:http
  dispatchFetch({ dispatcher: { maxSockets: 1 } });
});
