import { Secret } from "@fieldmesh/core";
import { createVerifier, signedRequest } from "@fieldmesh/webhook-types";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { request as startRequest } from "node:http";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { canaries } from "../../../../../tools/canaries/canaries.ts";
import { UsageError } from "../command-error.ts";
import { toNodeListener } from "../../server/node-listener.ts";
import { serveLocal } from "../testing/fake-sandbox.ts";
import { type Arrival, type DeliveryServerOptions, serveDeliveries } from "./delivery-server.ts";
import { fakeSleep } from "../testing/context.ts";

const secret = new Secret(canaries.webhookSecret);
const LIMIT = 1_048_576;
const EVENT = {
  id: "evt_1",
  type: "sim.teleported",
  created_at: "2026-11-20T08:30:00Z",
  livemode: false,
  data: { object: {} },
  idempotency_key: "idem_1",
};
afterEach(() => void vi.useRealTimers());

/** Starts a server, and collects what it reports. */
async function start(options: Partial<DeliveryServerOptions> = {}) {
  const arrivals: Arrival[] = [];
  const server = await serveDeliveries({
    port: 0,
    verify: createVerifier({ secret }),
    forwardTo: undefined,
    report: async (arrival) => void arrivals.push(arrival),
    ...options,
  });
  onTestFinished(() => server.close());
  const deliver = async (body: object | string = EVENT): Promise<number> =>
    (await fetch(await signedRequest(body, { url: server.origin, secret }))).status;
  const until = server.until(new AbortController().signal);
  until.catch(() => {});
  return { arrivals, deliver, server, until };
}

/** A receiver that responds with a status. */
async function receiver(status: number) {
  const bodies: string[] = [];
  const server = await serveLocal(
    toNodeListener(async (request) => {
      bodies.push(await request.text());
      return new Response(null, { status });
    }),
  );
  return Object.assign(server, { bodies, forwardTo: new URL(server.url) });
}

test("a verified delivery is accepted and reported with its event, and without its body", async () => {
  const { arrivals, deliver } = await start();
  expect(await deliver()).toBe(200);
  expect(arrivals).toEqual([
    {
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/) as string,
      took: expect.any(Number) as number,
      status: 200,
      event: expect.objectContaining({ id: "evt_1", type: "sim.teleported" }) as object,
    },
  ]);
});

test("a body of 1 MiB is verified, and a larger one is rejected before it is verified", async () => {
  const { arrivals, server } = await start();
  const send = async (size: number): Promise<number> =>
    (await fetch(server.origin, { method: "POST", body: "x".repeat(size) })).status;
  expect(await send(LIMIT)).toBe(401);
  expect(await send(LIMIT + 1)).toBe(413);
  expect(arrivals).toMatchObject([
    { status: 401, rejected: "header_missing" },
    { status: 413, rejected: "too_large" },
  ]);
  expect(arrivals.map((each) => Object.keys(each))).toEqual(
    [1, 2].map(() => ["at", "took", "status", "rejected"]),
  );
});

/** Sends the start of a delivery, and returns its response or "closed". `end` breaks it off. */
function beginDelivery(origin: string) {
  const sent = startRequest(origin, { method: "POST", headers: { "content-length": "100" } });
  sent.write("{");
  const status = new Promise((resolve) => {
    sent.on("response", (response) => resolve(response.statusCode));
    sent.on("error", () => resolve("closed"));
  });
  return { status, breakOff: () => sent.destroy() };
}

/** Lets sockets work, without a timer. */
async function rounds(until: () => boolean): Promise<void> {
  for (let n = 0; n < 20_000 && !until(); n++) await new Promise(setImmediate);
  expect(until()).toBe(true);
}

test("a body that is not complete after 30 seconds is a 408, and is reported", async () => {
  const { arrivals, server } = await start();
  // The time of a body starts when its request has come. A spy on the faked setTimeout would outlive this test.
  let begun = 0;
  const begin = () => void begun++;
  subscribe("http.server.request.start", begin);
  onTestFinished(() => void unsubscribe("http.server.request.start", begin));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { status } = beginDelivery(server.origin);
  await rounds(() => begun > 0);
  vi.advanceTimersByTime(29_999);
  expect(arrivals).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(await status).toBe(408);
  expect(arrivals).toMatchObject([{ status: 408, rejected: "too_slow" }]);
});

test("what anyone can send is reported once a minute, with a count, and ends nothing", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { arrivals, deliver, server } = await start();
  const forge = async () => {
    const { breakOff, status } = beginDelivery(server.origin);
    await new Promise((resolve) => setTimeout(resolve, 50));
    breakOff();
    await status;
    await fetch(server.origin, { method: "POST", body: "x" });
    await fetch(server.origin, { method: "POST", body: "x".repeat(LIMIT + 1) });
  };
  for (let n = 0; n < 3; n++) await forge();
  const reasons = () => Object.fromEntries(arrivals.map((each) => [each.rejected, each.more]));
  const fromKinds = (more: string | undefined) => ({
    broken_off: more,
    header_missing: more,
    too_large: more,
  });
  expect(arrivals).toHaveLength(3);
  expect(reasons()).toEqual(fromKinds(undefined));
  expect([await deliver(), await deliver()]).toEqual([200, 200]);
  expect(arrivals).toHaveLength(5);
  vi.advanceTimersByTime(60_000);
  arrivals.length = 0;
  await forge();
  expect(reasons()).toEqual(fromKinds("(and 2 more since the last time)"));
});

test("a body that is not an event is forwarded but not stored, and the report says so", async () => {
  await using target = await receiver(202);
  const store = vi.fn(async () => {});
  const { arrivals, deliver } = await start({ store, forwardTo: target.forwardTo });
  expect(await deliver('{"hello":1}')).toBe(202);
  expect(arrivals).toEqual([
    {
      at: expect.any(String) as string,
      took: expect.any(Number) as number,
      status: 202,
      rejected: "not_an_event",
    },
  ]);
  expect(target.bodies).toEqual(['{"hello":1}']);
  expect(store).not.toHaveBeenCalled();
});

test("an event is stored before it is forwarded, and the status of the receiver is returned", async () => {
  await using target = await receiver(503);
  const stored: unknown[] = [];
  const { arrivals, deliver } = await start({
    forwardTo: target.forwardTo,
    store: async ({ id }) => void stored.push(id, [...target.bodies]),
  });
  expect(await deliver()).toBe(503);
  expect(stored).toEqual(["evt_1", []]);
  expect(target.bodies).toEqual([JSON.stringify(EVENT)]);
  expect(arrivals).toMatchObject([{ status: 503, event: { id: "evt_1" } }]);
});

test("if an event cannot be stored, it is neither forwarded nor reported, and the server ends", async () => {
  await using target = await receiver(200);
  const full = new Error("disk full");
  const { arrivals, deliver, until } = await start({
    forwardTo: target.forwardTo,
    store: () => Promise.reject(full),
  });
  expect(await deliver()).toBe(503);
  await expect(until).rejects.toBe(full);
  expect([...arrivals, ...target.bodies]).toEqual([]);
});

test("a server listens on this machine only, on the given port", async () => {
  const { server } = await start();
  expect(server.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const { port } = new URL(server.origin);
  await expect(start({ port: Number(port) })).rejects.toThrow(
    new UsageError(`Port ${port} is in use. Choose another one; --port 0 is any free one.`),
  );
  await expect(start({ port: 70_000 })).rejects.toMatchObject({ code: "ERR_SOCKET_BAD_PORT" });
  await server.close();
  const again = await start({ port: Number(port) });
  expect(again.server.origin).toBe(server.origin);
});

/** Starts a server with a delivery in progress. `respond` ends it. */
async function inProgress() {
  const verified = Promise.withResolvers<never>();
  const verify = vi.fn(() => verified.promise);
  const server = await serveDeliveries({
    port: 0,
    verify,
    forwardTo: undefined,
    report: async () => {},
  });
  const delivery = fetch(server.origin, { method: "POST", body: "{}" });
  delivery.catch(() => {});
  await vi.waitFor(() => expect(verify).toHaveBeenCalled());
  return { server, delivery, respond: () => verified.resolve({} as never) };
}

test("after two seconds, a server cuts off the deliveries in progress, and leaves no timer", async () => {
  const passed = Promise.withResolvers<void>();
  fakeSleep(() => passed.promise);
  const { server, delivery } = await inProgress();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const before = vi.getTimerCount();
  const closing = server.close();
  expect(vi.getTimerCount()).toBe(before + 1);
  passed.resolve();
  await closing;
  await expect(delivery).rejects.toThrow("fetch failed");
  expect(vi.getTimerCount()).toBe(before);
});
