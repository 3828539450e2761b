import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import {
  endpoint,
  type CallOptions,
  type IdempotentCallOptions,
  type Pager,
} from "../src/index.ts";
import { Thing, type Things } from "./things.ts";

declare const things: Things;

test("a row without fields takes the options alone", () => {
  expectTypeOf(things.list).parameters.toEqualTypeOf<[options?: CallOptions | undefined]>();
  expectTypeOf(things.list).returns.resolves.toEqualTypeOf<Thing[]>();
});

test("a row whose fields are all optional may be called without input", () => {
  void things.walk();
  void things.walk({ kind: "x" });
});

test("path, query and body are one flat input", () => {
  expectTypeOf(things.update).parameter(0).toEqualTypeOf<{ name: string; size: number }>();
  expectTypeOf(things.find)
    .parameter(0)
    .toEqualTypeOf<{ name: string; limit?: number | undefined }>();
});

test("results are as their kind says", () => {
  expectTypeOf(things.get).returns.resolves.toEqualTypeOf<Thing>();
  expectTypeOf(things.delete).returns.resolves.toEqualTypeOf<string>();
  expectTypeOf(things.walk()).toEqualTypeOf<Pager<Thing>>();
});

test("only a keyed row takes an idempotency key, only an open one a schema", () => {
  expectTypeOf(things.createOnce).parameter(1).toEqualTypeOf<IdempotentCallOptions | undefined>();
  // @ts-expect-error not keyed
  void things.create({ name: "x" }, { idempotencyKey: "k" });
  // @ts-expect-error not open
  void things.get({ name: "x" }, { schema: Thing });
  const schema = z.object({ a: z.string() });
  expectTypeOf(things.create({ name: "x" }, { schema })).resolves.toEqualTypeOf<{ a: string }>();
  expectTypeOf(things.find({ name: "x" }, { schema })).resolves.toEqualTypeOf<{ a: string }[]>();
});

test("a result type is never taken from where the result goes", () => {
  // @ts-expect-error no schema was given, so it is a Thing
  const wrong: Promise<{ a: string }> = things.create({ name: "x" });
  void wrong;
});

test("samples and paths that do not fit their row do not compile", () => {
  // @ts-expect-error a wrong sample output
  endpoint("GET /v1/x", { result: Thing, sample: { input: {}, output: { id: "1" } } });
  // @ts-expect-error a path parameter without a schema
  endpoint("GET /v1/x/:id", { result: Thing, sample: { input: {}, output: { id: 1, name: "" } } });
  endpoint("GET /v1/x/:id", {
    path: { id: z.string() },
    result: Thing,
    // @ts-expect-error a wrong sample input
    sample: { input: { id: 7 }, output: { id: 1, name: "" } },
  });
});
