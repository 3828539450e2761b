import { createServer, type AddressInfo } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CallError } from "../src/index.ts";
import { everyHook } from "../../../tools/testing/canary.ts";
import { createThings, thing, type Things } from "./things.ts";

// With any response, a call resolves to its output or rejects with an error of fieldmesh, never with one of the runtime.

const calls: readonly ((things: Things) => Promise<unknown>)[] = [
  (things) => things.list(),
  (things) => things.find({ name: "one" }),
  (things) => things.get({ name: "one" }),
  (things) => things.create({ name: "one", key: "abcd" }),
  (things) => things.delete({ name: "one" }),
  (things) => things.walk().toArray({ limit: 5 }),
];

async function endOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "output",
    (error: unknown) => (error instanceof CallError ? "our error" : error),
  );
}

const likely = fc.record(
  {
    ...Object.fromEntries(Object.keys(thing).map((key) => [key, fc.jsonValue()])),
    key: fc.jsonValue(),
    data: fc.oneof(fc.array(fc.constant(thing)), fc.jsonValue()),
    cursor: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  fc.oneof(likely, fc.array(likely), fc.jsonValue()).map((value) => JSON.stringify(value)),
  fc.string({ unit: "binary" }),
  fc.bigInt().map(String),
);
const header = fc.constantFrom("retry-after", "date", "location", "content-type", "x-request-id");

test("a call handles any status, headers and body", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 200, max: 599 }),
      fc.dictionary(header, fc.string({ unit: "grapheme-ascii" })),
      body,
      fc.constantFrom("strict", "warn"),
      async (status, headers, text, validation) => {
        const things = createThings({
          validation,
          retry: { attempts: 2, baseDelay: 0 },
          totalTimeout: 50,
          hooks: everyHook(() => undefined),
          fetch: async () => new Response(isBodiless(status) ? null : text, { status, headers }),
        });
        for (const call of calls)
          expect(await endOf(call(things))).toBeOneOf(["output", "our error"]);
      },
    ),
    { numRuns: 150 },
  );
}, 20_000);

function isBodiless(status: number): boolean {
  return [204, 205, 304].includes(status);
}

test("a call handles any bytes in place of a response", async () => {
  let bytes = Buffer.alloc(0);
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const things = createThings({ baseUrl: `http://127.0.0.1:${port}`, retry: false, timeout: 500 });
  const piece = fc.constantFrom(
    "HTTP/1.1 200 OK\r\n",
    "HTTP/1.1 103 Early Hints\r\n",
    "HTTP/1.1 101 Switching Protocols\r\n",
    "HTTP/1.0 204 No\r\n",
    "content-length: 5\r\n",
    "content-length: -1\r\n",
    "content-encoding: gzip\r\n",
    "content-encoding: br, deflate\r\n",
    "transfer-encoding: chunked\r\n",
    "location: /v1/things\r\n",
    "\r\n",
    "2\r\n[]\r\n0\r\n\r\n",
    "ffffffff\r\n",
    "[]",
    "\u0000",
    ":\r\n",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
      bytes = Buffer.from(pieces.join(""), "latin1");
      expect(await endOf(things.list())).toBeOneOf(["output", "our error"]);
    }),
    { numRuns: 200 },
  );
  server.close();
}, 20_000);
