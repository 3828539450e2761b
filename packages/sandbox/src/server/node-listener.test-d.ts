import type { createServer, RequestListener } from "node:http";
import { expectTypeOf, test } from "vitest";
import { toNodeListener } from "./node-listener.ts";

test("createServer accepts a listener", () => {
  const listener = toNodeListener(() => new Response());
  expectTypeOf(listener).toExtend<RequestListener>();
  expectTypeOf<typeof createServer>().toBeCallableWith(listener);
});

test("a handler may be async, and may omit the connection", () => {
  expectTypeOf(toNodeListener).toBeCallableWith(
    async (request: Request) => new Response(await request.text()),
  );
  // @ts-expect-error a handler returns a Response
  toNodeListener(() => "text");
});
