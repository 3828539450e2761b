import type { createServer, IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { expectTypeOf, test } from "vitest";
import { type NodeIncoming, type NodeOutgoing, toNodeListener } from "./node-listener.ts";

test("Node's own message and response are what the adapter takes", () => {
  expectTypeOf<IncomingMessage>().toExtend<NodeIncoming>();
  expectTypeOf<ServerResponse>().toExtend<NodeOutgoing>();
});

test("a listener is one that createServer takes", () => {
  const listener = toNodeListener(() => new Response());
  expectTypeOf(listener).toExtend<RequestListener>();
  expectTypeOf<typeof createServer>().toBeCallableWith(listener);
});

test("a handler may be async, and may leave out the connection", () => {
  expectTypeOf(toNodeListener).toBeCallableWith(
    async (request: Request) => new Response(await request.text()),
  );
  // @ts-expect-error a handler answers with a Response
  toNodeListener(() => "text");
});
