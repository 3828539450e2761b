import { afterEach, expect, test, vi } from "vitest";
import { toNodeListener } from "../../server/node-listener.ts";
import { serveLocal, fakeSandbox } from "../testing/fake-sandbox.ts";
import { forward, post } from "./send-request.ts";
import { Secret } from "@fieldmesh/core";
import { canaries } from "../../../../../tools/canaries/canaries.ts";
import { CommandError } from "../command-error.ts";
import { testContext } from "../testing/context.ts";

const BODY = new Uint8Array([0, 255, 10, 13, 123]);
afterEach(() => void vi.restoreAllMocks());

function delivery(headers: Record<string, string> = {}): Request {
  const request = new Request("http://recorder.test/", { method: "POST" });
  // A Request leaves out the headers of a connection, which a server has nevertheless.
  return Object.defineProperty(request, "headers", { value: Object.entries(headers) });
}

/** A receiver that keeps what arrives, and responds with a status. */
async function receiver(status = 200) {
  const received: { method: string; headers: Record<string, string>; body: Uint8Array }[] = [];
  const server = await serveLocal(
    toNodeListener(async (request) => {
      const body = new Uint8Array(await request.arrayBuffer());
      received.push({ method: request.method, headers: Object.fromEntries(request.headers), body });
      const text = status === 204 ? null : "the response";
      return new Response(text, { status, headers: { location: "/" } });
    }),
  );
  return Object.assign(server, { received });
}

test("a delivery is forwarded byte for byte, with its headers", async () => {
  await using server = await receiver();
  const headers = { "platform-signature": "t=1,v1=a", "content-type": "text/x", "x-own": "b" };
  expect((await forward(delivery(headers), BODY, new URL(server.url))).status).toBe(200);
  expect(server.received).toMatchObject([{ method: "POST", headers, body: BODY }]);
});

test.each([
  ["connection", "close"],
  ["content-length", "999"],
  ["expect", "100-continue"],
  ["host", "tunnel.example"],
  ["keep-alive", "timeout=5"],
  ["proxy-connection", "close"],
  ["te", "trailers"],
  ["trailer", "x-own"],
  ["transfer-encoding", "chunked"],
  ["upgrade", "h2c"],
])("the header %s of the first connection is not forwarded", async (name, value) => {
  await using server = await receiver();
  const sent = vi.spyOn(globalThis, "fetch");
  const own = { [name]: value, "x-own": "b" };
  expect((await forward(delivery(own), BODY, new URL(server.url))).status).toBe(200);
  expect(sent.mock.calls[0]![1]!.headers).toEqual([["x-own", "b"]]);
  expect(server.received[0]!.headers["x-own"]).toBe("b");
  expect(server.received[0]!.headers[name]).not.toBe(value);
});

test.each([204, 302, 401, 503])(
  "the status %i and the body of the receiver are returned",
  async (status) => {
    await using server = await receiver(status);
    const response = await forward(delivery(), BODY, new URL(server.url));
    expect(response.status).toBe(status);
    expect(await response.text()).toBe(status === 204 ? "" : "the response");
    expect(response.headers.get("location")).toBeNull();
    expect(server.received).toHaveLength(1);
  },
);

test("without a response, the status is 502, and after 30 seconds 504", async () => {
  const nowhere = new URL("http://127.0.0.1:1/");
  expect((await forward(delivery(), BODY, nowhere)).status).toBe(502);
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
  expect((await forward(delivery(), BODY, nowhere)).status).toBe(504);
  expect(timeout.mock.calls).toEqual([[30_000]]);
});

test("a body that never ends is left, and its status is returned", async () => {
  let hasClosed = false;
  await using server = await serveLocal((_request, response) => {
    response.on("close", () => (hasClosed = true));
    response.write("x");
  });
  const response = await forward(delivery(), BODY, new URL(server.url));
  expect([response.status, response.body]).toEqual([200, null]);
  await vi.waitFor(() => expect(hasClosed).toBe(true), { timeout: 5_000 });
});

const secret = new Secret(canaries.webhookSecret);
const { signal } = testContext();

test.each([
  [200, "handled", "handled", true],
  [204, "", "", true],
  [299, "a".repeat(30), "a".repeat(30), true],
  [200, "a".repeat(31), "", true],
  [302, "moved", "moved", false],
  [401, "not_verified", "not_verified", false],
  [500, "Internal Server Error", "", false],
  [500, "handled\n", "", false],
  [500, " handled", "", false],
  [500, "Handled", "", false],
  [500, "x1", "", false],
])(
  "a response with status %i and the body %j is read",
  async (status, text, outcome, isAccepted) => {
    await using server = await fakeSandbox({ "POST /hooks": { status, text } });
    const posted = await post({ id: "evt_1" }, { url: new URL(server.url), secret, signal });
    expect(posted).toEqual({ status, outcome, isAccepted });
    expect(server.requests).toHaveLength(1);
  },
);

test("a receiver has 30 seconds to respond, and the message has no path and no query", async () => {
  const url = new URL("http://127.0.0.1:1/hooks?token=canary");
  await expect(post({ id: "evt_1" }, { url, secret, signal })).rejects.toThrow(
    new CommandError("Nothing responds at http://127.0.0.1:1. Is the receiver running?"),
  );
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
  await expect(post({ id: "evt_1" }, { url, secret, signal })).rejects.toThrow(
    new CommandError("No response from http://127.0.0.1:1 within 30 s."),
  );
  expect(timeout).toHaveBeenCalledWith(30_000);
});

test("Ctrl-C ends a post with the reason of the signal", async () => {
  const context = testContext();
  await using server = await serveLocal(() => context.interrupt());
  const target = { url: new URL(server.url), secret, signal: context.signal };
  const error: unknown = await post({ id: "evt_1" }, target).catch((thrown: unknown) => thrown);
  expect(error).toBe(context.signal.reason);
});
