import { inspect } from "node:util";
import { createVirtualClock } from "../../sandbox/src/engine/time/clocks.ts";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { signedRequest, type RawBody } from "../src/index.ts";
import {
  createReceiver,
  memoryPoison,
  memoryStore,
  noStore,
  type DeliveryReport,
  type IdempotencyStore,
  type ReceiverOptions,
} from "../src/receiver/index.ts";
import { responseOf, type DeliveryOutcome } from "../src/receiver/responses.ts";
import { sampleEvent } from "../src/samples.ts";
import { everyOutcome } from "../../../tools/testing/every-outcome.ts";

const secret = "whsec_test";
const url = "http://127.0.0.1/hooks";
const event = sampleEvent("sim.activated");

function receiverOf(options: Partial<ReceiverOptions> = {}) {
  const reports: DeliveryReport[] = [];
  const errors: unknown[] = [];
  const receive = createReceiver({
    secret,
    store: memoryStore(),
    handlers: {},
    onOutcome: (report) => reports.push(report),
    onError: (error) => errors.push(error),
    ...options,
  });
  const deliver = async (body: object | RawBody = event) => {
    const response = await receive(await signedRequest(body, { url, secret }));
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  return { receive, deliver, reports, errors };
}

describe("each outcome has its response", () => {
  test("handled, then duplicate: 200", async () => {
    const { deliver, reports } = receiverOf();
    expect(await deliver()).toMatchObject({ status: 200, text: "handled" });
    expect(await deliver()).toMatchObject({ status: 200, text: "duplicate" });
    const { id, type } = event;
    expect(reports).toEqual([
      { outcome: "handled", status: 200, event: { id, type } },
      { outcome: "duplicate", status: 200, event: { id, type } },
    ]);
  });

  test("responds only after the handler has ended", async () => {
    const end = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const { deliver } = receiverOf({
      handlers: { "*": () => (started.resolve(), end.promise) },
    });
    let answered = false;
    const delivery = deliver().finally(() => (answered = true));
    await started.promise;
    await new Promise(setImmediate);
    expect(answered).toBe(false);
    end.resolve();
    expect((await delivery).status).toBe(200);
  });

  test("a handler that failed: 500, and only onError receives the error", async () => {
    const error = new Error("no database");
    const { deliver, errors } = receiverOf({ handlers: { "*": () => Promise.reject(error) } });
    expect(await deliver()).toMatchObject({ status: 500, text: "failed" });
    expect(errors).toMatchObject([{ errors: [error] }]);
  });

  test.each<[string, Partial<IdempotencyStore>, string, string]>([
    [
      "in progress elsewhere",
      { claim: async () => ({ status: "in_progress", endsIn: 12_001 }) },
      "in_progress",
      "13",
    ],
    ["the store is down", { claim: () => Promise.reject(new Error("down")) }, "store_failed", "30"],
    ["the lease is lost", { complete: async () => false }, "lease_lost", "30"],
  ])("%s: 503 with Retry-After", async (_name, part, outcome, seconds) => {
    const { deliver } = receiverOf({ store: { ...noStore(), ...part } });
    const { status, text, headers } = await deliver();
    expect([status, text, headers.get("retry-after")]).toEqual([503, outcome, seconds]);
  });

  test("not a POST: 405", async () => {
    const response = await receiverOf().receive(new Request(url));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test.each([
    ["not signed", {}],
    ["signed with another secret", { "platform-signature": `t=1,v1=${"0".repeat(64)}` }],
  ])("%s: 401, and no handler runs", async (_name, headers) => {
    const handler = vi.fn();
    const { receive } = receiverOf({ handlers: { "*": handler } });
    const response = await receive(new Request(url, { method: "POST", headers, body: "{}" }));
    expect(response.status).toBe(401);
    expect(handler).not.toHaveBeenCalled();
  });

  test.each(["{", '{"id":"evt_1"}', "[]"])(
    "a verified %s that is not an event: 400",
    async (body) => {
      expect(await receiverOf().deliver(body)).toMatchObject({ status: 400, text: "not_parsed" });
    },
  );

  test("an event of the other environment: 400, and no handler runs", async () => {
    const handler = vi.fn();
    const { deliver } = receiverOf({ expectLivemode: true, handlers: { "*": handler } });
    expect(await deliver()).toMatchObject({ status: 400, text: "wrong_livemode" });
    expect(await deliver({ ...event, livemode: true })).toMatchObject({ status: 200 });
    expect(handler).toHaveBeenCalledTimes(1);
  });

  test("a body that was already read: 500, and the error for onError says what to do", async () => {
    const { receive, errors } = receiverOf();
    const request = await signedRequest(event, { url, secret });
    await request.json();
    expect((await receive(request)).status).toBe(500);
    expect(String(errors)).toContain("Pass the Request to the receiver first");
  });
});

test("a response is text that names the outcome, with headers only for their status codes", async () => {
  const { headers, text } = await receiverOf().deliver();
  expect([headers.get("content-type"), text]).toEqual(["text/plain; charset=utf-8", "handled"]);
  for (const outcome of Object.keys(everyOutcome) as DeliveryOutcome[]) {
    const response = responseOf(outcome);
    const names = ["allow", "retry-after", "connection"].map((name) => name in response.headers);
    const ends = outcome === "too_large" || outcome === "incomplete";
    expect(names).toEqual([response.status === 405, response.status === 503, ends]);
  }
});

test("reads a body only up to its limit", async () => {
  const { receive } = receiverOf({ maxBytes: 10_000 });
  let sent = 0;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 1_000;
      controller.enqueue(new Uint8Array(1_000));
    },
    cancel: () => void (isCancelled = true),
  });
  const { headers } = await signedRequest(event, { url, secret });
  const init = { method: "POST", headers, body, duplex: "half" };
  const response = await receive(new Request(url, init as RequestInit));
  expect(response.status).toBe(413);
  expect(isCancelled).toBe(true);
  expect(sent).toBeLessThan(20_000);
  const announced = await signedRequest("x".repeat(10_001), { url, secret });
  announced.headers.set("content-length", "10001");
  expect((await receive(announced)).status).toBe(413);
  expect(announced.bodyUsed).toBe(false);
  const whole = await signedRequest("x".repeat(10_000), { url, secret });
  whole.headers.set("content-length", "10000");
  expect((await receive(whole)).status).toBe(400);
});

test("passes to handlers when and with which secret a delivery was signed, and a stable key", async () => {
  const clock = createVirtualClock("2026-11-20T08:00:00Z");
  const handler = vi.fn();
  const receive = createReceiver({
    secrets: ["whsec_next", secret],
    clock,
    store: memoryStore({ clock }),
    handlers: { "sim.activated": (_event, context) => handler({ ...context, signal: undefined }) },
  });
  const timestamp = clock.now() / 1_000;
  expect((await receive(await signedRequest(event, { url, secret, timestamp }))).status).toBe(200);
  expect(handler).toHaveBeenCalledWith({
    idempotencyKey: event.id,
    attempt: 1,
    delivery: { signedAt: timestamp, secretIndex: 1, messageId: undefined },
    signal: undefined,
  });
  await clock.advance(301_000);
  expect((await receive(await signedRequest(event, { url, secret, timestamp }))).status).toBe(401);
});

describe("a receiver without a reporter", () => {
  const canary = "whsec_canary";
  const forged = { "platform-signature": `t=1,v1=${canary}` };

  /** Creates a receiver, records the lines that it prints, and returns a function that sends to it. */
  function silent(options: Partial<ReceiverOptions> = {}) {
    const clock = createVirtualClock("2026-11-20T08:00:00Z");
    const lines: string[] = [];
    const print = vi.spyOn(console, "warn").mockImplementation((line) => void lines.push(line));
    onTestFinished(() => print.mockRestore());
    const store = memoryStore({ clock });
    const { receive } = receiverOf({
      secret: canary,
      clock,
      store,
      onOutcome: undefined,
      ...options,
    });
    const post = async (headers: Record<string, string>, body = canary): Promise<number> =>
      (await receive(new Request(url, { method: "POST", headers, body }))).status;
    return { receive, post, lines, clock };
  }

  test("names the reason, the expected header, and explain", async () => {
    const { post, lines } = silent();
    await post({});
    expect(lines[0]).toContain("401 not_verified");
    expect(lines[0]).toContain(
      "header_missing platform-signature. Check that the service sends the header",
    );
    expect(lines[0]).toContain("explain of @fieldmesh/webhook-types/explain");
  });

  test.for<[string, Partial<ReceiverOptions>, number, string]>([
    ["of the other environment", { expectLivemode: true }, 400, "compare expectLivemode"],
    ["that is too large", { maxBytes: 5 }, 413, "more bytes than maxBytes"],
    [
      "whose handlers ran longer than the lease",
      { store: { ...noStore(), complete: async () => false } },
      503,
      "The lease ended before",
    ],
  ])("prints what to do about an event %s", async ([, options, status, advice]) => {
    const { receive, lines, clock } = silent({ secret, ...options });
    const signed = { url, secret, timestamp: clock.now() / 1_000 };
    expect((await receive(await signedRequest(event, signed))).status).toBe(status);
    expect(lines).toEqual([expect.stringContaining(advice)]);
  });

  test("prints no part of a header, a body or the secret", async () => {
    const { post, lines } = silent();
    await post({ [canary]: canary });
    await post(forged);
    await post({ "platform-signature": canary });
    await post({ ...forged, "content-length": `${2 ** 30}` });
    expect(lines).toHaveLength(4);
    expect(lines.join()).not.toContain(canary);
  });

  test("prints nothing if onOutcome or a logger receives it, which has a line at its level", async () => {
    expect(await silent({ onOutcome: () => {} }).post({})).toBe(401);
    const logged: string[] = [];
    const at = (level: string) => (line: string) => void logged.push(`${level} ${line}`);
    const logger = { debug: at("debug"), warn: at("warn"), error: at("error") };
    const fails = { "plan.created": () => Promise.reject(new Error(canary)) };
    const { receive, post, lines, clock } = silent({ secret, logger, handlers: fails });
    const signed = { url, secret, timestamp: clock.now() / 1_000 };
    await receive(await signedRequest(event, signed));
    await post({});
    await receive(await signedRequest(sampleEvent("plan.created", { id: "evt_plan" }), signed));
    expect(logged).toEqual([
      `debug sim.activated (${event.id}): 200 handled.`,
      expect.stringMatching(/^warn A delivery: 401 not_verified\. .*header_missing/),
      "error plan.created (evt_plan): 500 failed.",
    ]);
    expect(lines).toEqual([]);
  });
});

test("an id or a type cannot add a line to a log, or make one long", async () => {
  const lines: string[] = [];
  const add = (line: string) => void lines.push(line);
  const thrown: unknown[] = [];
  const { deliver } = receiverOf({
    logger: { debug: add, warn: add, error: add },
    poison: { store: { ...memoryPoison(), fail: () => Promise.reject(new Error("down")) } },
    handlers: { "*": () => Promise.reject(new Error("boom")) },
    onError: (error) => thrown.push(error),
  });
  for (const odd of [
    "\n2026 INFO forged",
    "\r\n",
    "\u001B[2J",
    "\u2028",
    "\u2029",
    "\u0085",
    "\u202E",
  ])
    await deliver({ ...event, id: `evt_1${odd}`, type: `x.y${odd}` });
  await deliver({ ...event, type: "x".repeat(200_000) });
  expect(lines).toHaveLength(8);
  expect(lines[0]).toBe(
    "x.y\\u{a}2026 INFO forged (evt_1\\u{a}2026 INFO forged): 503 store_failed.",
  );
  const messages = thrown.flatMap((error) => {
    const { message, errors } = error as AggregateError;
    return [message, (errors[0] as Error).message];
  });
  for (const text of [...lines, ...messages]) {
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(text.length).toBeLessThan(300);
  }
});

test("no event is lost if the parser does not return an event with an id synchronously", async () => {
  for (const parse of [() => undefined, async () => event, () => ({ ...event, id: "" })]) {
    const { deliver, errors } = receiverOf({ parse: parse as never });
    expect(await deliver()).toMatchObject({ status: 400, text: "not_parsed" });
    expect(String(errors[0])).toContain(
      "parse must return an event with an id and a type, and not a promise",
    );
  }
});

test("a reporter that rejects does not end the process", async () => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  const later = (() => Promise.reject(new Error("the log is full"))) as () => void;
  const { deliver } = receiverOf({
    onOutcome: later,
    onError: later,
    handlers: { "*": () => Promise.reject(new Error("no")) },
  });
  expect(await deliver()).toMatchObject({ status: 500 });
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test("a failed renewal of the secret is passed to onError, or printed, and never blamed on the signature", async () => {
  const print = vi.spyOn(console, "error").mockReturnValue();
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers().restoreAllMocks());
  const sealed = new Error("vault is sealed");
  const renewing = () => vi.fn().mockResolvedValueOnce("whsec_old").mockRejectedValue(sealed);
  const later = () => void vi.advanceTimersByTime(10_001);

  const { deliver, errors, reports } = receiverOf({ secret: renewing() });
  expect(await deliver()).toMatchObject({ status: 401 });
  expect(errors).toEqual([]);
  later();
  expect(await deliver()).toMatchObject({ status: 401, text: "not_verified" });
  expect(errors).toMatchObject([{ name: "WebhookVerificationError", cause: sealed }]);
  expect(reports.at(-1)).toMatchObject({ reason: "signature_mismatch" });

  const silent = receiverOf({ secret: renewing(), onError: undefined, onOutcome: undefined });
  await silent.deliver();
  expect(warn).toHaveBeenCalledTimes(1);
  later();
  await silent.deliver();
  expect(inspect(print.mock.calls)).toMatch(/function that returns the secret[^]*vault is sealed/);
});
