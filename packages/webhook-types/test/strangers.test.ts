import { EventEmitter } from "node:events";
import { inspect } from "node:util";
import v8 from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { parseJson } from "@fieldmesh/core";
import { readBytes } from "@fieldmesh/core/internal";
import { createVirtualClock } from "../../sandbox/src/engine/time/clocks.ts";
import type { RawMessage } from "../src/adapters/index.ts";
import { readNode, type NodeMessage } from "../src/adapters/node.ts";
import {
  createVerifier,
  platformScheme,
  sign,
  standardWebhooks,
  type Scheme,
} from "../src/index.ts";
import { createQueueReceiver } from "../src/queue/index.ts";
import { createEventParser, EventParseError, parseEvent, redactEvent } from "../src/parse/index.ts";
import {
  createReceiver,
  memoryPoison,
  memoryStore,
  type ReceiverOptions,
} from "../src/receiver/index.ts";
import { sampleEvent } from "../src/samples.ts";
import * as node from "../src/verify/mac-node.ts";
import * as web from "../src/verify/mac-web.ts";

// What anyone can do who knows the address of a receiver, and no secret.

const secret = "whsec_0123456789abcdef";
const body = JSON.stringify(sampleEvent("plan.updated"));
const now = Date.parse("2026-11-20T08:00:00Z");
const signed = (by = secret, scheme?: Scheme) =>
  sign({ secret: by, body, scheme, timestamp: now / 1_000 });
const forged = await signed("whsec_of_a_stranger_0000");
const { "webhook-signature": _, ...unsigned } = await signed("whsec_MfKQ", standardWebhooks);

const newKey = () =>
  crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);

afterEach(() => void vi.restoreAllMocks());

/** A receiver that prints, and what it prints and passes to `onError`. Time stands still until a test advances it. */
function receiverOf(options: Partial<ReceiverOptions> = {}) {
  const clock = createVirtualClock(new Date(now).toISOString());
  const printed: string[] = [];
  const print = (...values: unknown[]) => void printed.push(values.map(String).join(" "));
  vi.spyOn(console, "warn").mockImplementation(print);
  vi.spyOn(console, "error").mockImplementation(print);
  const errors: unknown[] = [];
  const { receive } = createReceiver({
    secret,
    store: memoryStore({ clock }),
    handlers: {},
    clock,
    onError: (error) => errors.push(error),
    ...options,
  });
  const send = async (message: Partial<RawMessage> = {}): Promise<string> => {
    const response = await receive({ method: "POST", url: "/", headers: forged, body, ...message });
    return `${response.status} ${response.body}`;
  };
  return { send, clock, printed, errors };
}

const tenants = (
  secretsOf: (tenant: string) => string | undefined | Promise<string | undefined>,
): Pick<ReceiverOptions, "secret"> => ({
  secret: { tenantOf: ({ url }) => decodeURIComponent(url.slice(1)) || undefined, secretsOf },
});
const sealed = () => Promise.reject<string>(new Error("vault is sealed"));

describe("without a signature header of the form of the scheme", () => {
  const own: Scheme = {
    ...platformScheme,
    name: "mine",
    read: (header) => {
      const value = decodeURIComponent(header("x-mine") ?? "");
      return value === "" ? "header_missing" : { prefix: "", signatures: [value], timestamp: 1 };
    },
  };
  test.each<[string, Scheme, Record<string, string>, string]>([
    ["none", platformScheme, {}, "header_missing"],
    ["no time", platformScheme, { "platform-signature": "v1=00" }, "header_malformed"],
    ["no signature", platformScheme, { "platform-signature": "t=1" }, "header_malformed"],
    ["none of Standard Webhooks", standardWebhooks, unsigned, "header_missing"],
    [
      "no v1 of Standard Webhooks",
      standardWebhooks,
      { ...unsigned, "webhook-signature": "v2,x" },
      "header_malformed",
    ],
    ["none of the user's own", own, {}, "header_missing"],
    ["what the user's own cannot decode", own, { "x-mine": "%ff" }, "header_malformed"],
  ])("%s: no secret is asked for, and no body is read", async (_name, scheme, headers, reason) => {
    const ask = vi.fn(() => secret);
    const read = vi.fn(async () => body);
    const reports: unknown[] = [];
    for (const asked of [{ secret: ask }, tenants(ask)]) {
      const onOutcome = (report: unknown) => void reports.push(report);
      const { send, errors } = receiverOf({ ...asked, scheme, onOutcome });
      expect(await send({ url: "/acme", headers, body: read })).toBe("401 not_verified");
      expect([ask, read].map((each) => each.mock.calls.length)).toEqual([0, 0]);
      expect(errors).toEqual([]);
    }
    expect(reports).toMatchObject([{ reason }, { reason }]);
    const verifying = createVerifier({ secret: ask, scheme })({ body, headers });
    await expect(verifying).rejects.toMatchObject({ reason });
    expect(ask).not.toHaveBeenCalled();
  });
});

const gone = () => Promise.reject(new Error("socket hang up"));

test.each<[string, string, Partial<RawMessage>, Partial<ReceiverOptions>?]>([
  ["another method", "405 not_post", { method: "GET" }],
  ["no signature", "401 not_verified", { headers: {} }],
  ["a malformed signature", "401 not_verified", { headers: { "platform-signature": "x" } }],
  ["a wrong signature", "401 not_verified", {}],
  ["an old signature", "401 not_verified", { headers: await sign({ secret, body, timestamp: 1 }) }],
  ["an announced length", "413 too_large", { headers: { ...forged, "content-length": "1e9" } }],
  ["a long body", "413 too_large", { body: async () => undefined }],
  ["a body that breaks off", "400 incomplete", { body: gone }],
  ["no tenant", "401 not_verified", { url: "/" }, tenants(() => secret)],
  ["a URL that tenantOf cannot read", "401 not_verified", { url: "/%ff" }, tenants(() => secret)],
  ["an unknown tenant", "401 not_verified", { url: "/who" }, tenants(() => undefined)],
  ["one with no secrets", "401 not_verified", { url: "/who" }, tenants(() => [] as never)],
])(
  "%s: no onError, and a line a minute with the count",
  async (_name, response, message, options) => {
    const { send, clock, printed, errors } = receiverOf(options);
    for (let each = 0; each < 100; each++) expect(await send(message)).toBe(response);
    expect(printed).toHaveLength(1);
    await clock.advance(60_000);
    await send(message);
    expect(printed).toHaveLength(2);
    expect(printed[1]).toContain("(and 99 more since the last time");
    expect(printed.join()).not.toContain("%ff");
    expect(errors).toEqual([]);
    const lines: string[] = [];
    const add = (line: string) => void lines.push(line);
    const logged = receiverOf({ ...options, logger: { debug: add, warn: add, error: add } });
    for (let each = 0; each < 100; each++) await logged.send(message);
    expect(lines).toHaveLength(1);
  },
);

test("a body that stops is given up after 30 s: 400, a line, and no onError", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { send, printed, errors } = receiverOf();
  const sent = send({ body: () => new Promise(() => undefined) });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await sent).toBe("400 incomplete");
  expect(printed).toEqual([expect.stringContaining("The body did not arrive within 30 s.")]);
  expect(errors).toEqual([]);
});

const brokenStore = { ...memoryStore(), claim: () => sealed() as never };

const good = { headers: await signed() };

describe("a failure of the user's own code reaches onError, once a minute for each kind", () => {
  test.each<[string, string, Partial<ReceiverOptions>, Partial<RawMessage>]>([
    ["a secret function", "500 unreadable", { secret: sealed }, {}],
    ["its odd result", "500 unreadable", { secret: () => 7 as never }, {}],
    ["secretsOf", "500 unreadable", tenants(sealed), { url: "/acme" }],
    [
      "a tenantOf of the wrong type",
      "500 unreadable",
      { secret: { tenantOf: () => 7 as never, secretsOf: sealed } },
      {},
    ],
    ["a parser that ran first", "500 unreadable", {}, { ...good, body: { id: 1 } as never }],
    ["a store", "503 store_failed", { store: brokenStore }, good],
  ])("%s", async (_name, response, options, message) => {
    const { send, clock, errors, printed } = receiverOf(options);
    for (let each = 0; each < 100; each++) expect(await send(message)).toBe(response);
    expect(errors).toHaveLength(1);
    await clock.advance(60_000);
    await send(message);
    expect(errors).toHaveLength(2);
    expect(printed).toEqual([]);
    const silent = receiverOf({ ...options, onError: undefined });
    for (let each = 0; each < 100; each++) await silent.send(message);
    expect(silent.printed).toHaveLength(1);
    await silent.clock.advance(60_000);
    await silent.send(message);
    expect(silent.printed[1]).toContain("(and 99 more since the last time");
  });
});

describe.each([
  ["node:crypto", node],
  ["WebCrypto", web],
] as const)("signatures in one header, by %s", (_name, mac) => {
  let create: typeof createVerifier;
  beforeEach(async () => {
    vi.doMock("#mac", () => mac);
    vi.resetModules();
    ({ createVerifier: create } = await import("../src/verify/create-verifier.ts"));
    vi.doUnmock("#mac");
  });
  const base64 = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const schemes = [
    [platformScheme, "platform-signature", ",v1=", secret],
    [standardWebhooks, "webhook-signature", " v1,", base64],
  ] as const;

  test.each(schemes)("of $name: at most 8 are compared", async (scheme, name, before, by) => {
    const headers = await signed(by, scheme);
    const value = headers[name] ?? "";
    const [start, ours = ""] = value.split(before.trim());
    const verify = create({ secret: by, scheme, now: () => now });
    const after = (wrong: number) =>
      `${start?.replace(/,$/, "")}${`${before}00`.repeat(wrong)}${before}${ours}`.trim();
    await verify({ body, headers: { ...headers, [name]: after(7) } });
    const late = verify({ body, headers: { ...headers, [name]: after(8) } });
    await expect(late).rejects.toMatchObject({ reason: "signature_mismatch" });
  });
});

test("WebCrypto computes one MAC for each secret, however many signatures there are", async () => {
  const spies = (["sign", "verify"] as const).map((name) => vi.spyOn(crypto.subtle, name));
  const mac = web.createMac(secret, "hex");
  expect(await mac.verify("1.", body, Array(8).fill("00".repeat(32)) as string[])).toBe(false);
  expect(spies.flatMap(({ mock }) => mock.calls)).toHaveLength(1);
});

describe("a failed call of the secret function is remembered for 10 s", () => {
  const each: [string, (ask: () => Promise<string>) => Partial<ReceiverOptions>][] = [
    ["one secret", (ask) => ({ secret: ask })],
    ["each tenant", tenants],
  ];
  test.each(each)("of %s, also the first one", async (_name, options) => {
    const ask = vi.fn(sealed);
    const { send, clock } = receiverOf(options(ask));
    const flood = async (response: string) => {
      for (let sent = 0; sent < 20; sent++) expect(await send({ url: "/acme" })).toBe(response);
    };
    await flood("500 unreadable");
    expect(ask).toHaveBeenCalledTimes(1);
    await clock.advance(9_999);
    await flood("500 unreadable");
    expect(ask).toHaveBeenCalledTimes(1);
    await clock.advance(1);
    ask.mockResolvedValueOnce(secret);
    await flood("401 not_verified");
    expect(ask).toHaveBeenCalledTimes(2);
  });
});

test.each<[string, () => Promise<unknown>]>([
  ["unknown", async () => undefined],
  ["unknown, with an empty list", async () => []],
  ["unknown, with null", async () => null],
  ["given an empty secret", async () => ""],
  ["failing", sealed],
])("10,001 invented tenants that are %s push no real one out", async (_name, invented) => {
  const found = async (tenant: string) => (tenant === "acme" ? secret : invented());
  const ask = vi.fn(found as (tenant: string) => Promise<string>);
  const { send } = receiverOf({ ...tenants(ask), onOutcome: () => undefined });
  const real = { url: "/acme", headers: await signed() };
  expect(await send(real)).toBe("200 handled");
  for (let each = 0; each < 10_001; each++) await send({ url: `/t${each}` });
  ask.mockClear();
  expect(await send(real)).toBe("200 duplicate");
  expect(ask).not.toHaveBeenCalled();
  // One that was just found unknown is remembered, too.
  await send({ url: "/t10000" });
  expect(ask).not.toHaveBeenCalled();
});

test.each<[string, (chunks: Iterable<Uint8Array>) => Partial<RawMessage>]>([
  ["of Node", (chunks) => ({ body: (...limits) => readNode(messageWith(chunks), ...limits, "") })],
  ["of fetch", (chunks) => ({ body: (...of) => readBytes(ReadableStream.from(chunks), ...of) })],
])(
  "a body %s in 300,000 chunks of one byte costs its bytes, and not an object each",
  async (_name, of) => {
    v8.setFlagsFromString("--expose-gc");
    const gc = runInNewContext("gc") as () => void;
    const heap: number[] = [];
    const measure = () => {
      gc();
      heap.push(process.memoryUsage().heapUsed / 2 ** 20);
    };
    function* chunks() {
      measure();
      for (let each = 0; each < 300_000; each++) yield new Uint8Array(1);
      measure();
    }
    const { send } = receiverOf({ onOutcome: () => undefined });
    expect(await send(of(chunks()))).toBe("401 not_verified");
    const [before = 0, after = 0] = heap;
    expect(after - before).toBeLessThan(10);
  },
);

/** A message of Node whose body has arrived in chunks. */
function messageWith(chunks: Iterable<Uint8Array>): NodeMessage {
  const message = Object.assign(new EventEmitter(), { headers: {}, readableEnded: false });
  setImmediate(() => {
    for (const chunk of chunks) message.emit("data", chunk);
    message.emit("end");
  });
  return message;
}

describe("a secret of fewer than 16 characters after its prefix", () => {
  const warned = (create: () => unknown): string[] => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    create();
    return warn.mock.calls.map((values) => inspect(values));
  };
  beforeEach(() => void vi.resetModules());

  test("is named once, and never quoted", async () => {
    const { createVerifier: create } = await import("../src/index.ts");
    const long = "whsec_0123456789abcdef";
    expect(warned(() => create({ secret: long }))).toEqual([]);
    const lines = warned(() => {
      for (let times = 0; times < 3; times++) create({ secrets: [long, "whsec_0123456789abcde"] });
    });
    expect(lines).toEqual([expect.stringContaining("secrets[1] has fewer than 16 characters")]);
    expect(lines.join()).not.toContain("0123");
  });
});

describe("a signed event that is nested 5,000 levels deep", () => {
  const deepOf = (levels: number) => {
    const event = sampleEvent("plan.updated", { data: { object: { deep: "@" } } });
    const deep = "[".repeat(levels) + "]".repeat(levels);
    // An integer above 2^53 takes another way through the parser.
    return JSON.stringify(event).replace('"@"', `[12345678901234567890,${deep}]`);
  };
  const handlers = { "*": () => Promise.reject(new Error("fails")) };

  test("is no event for the parser, however it arrives", async () => {
    const parse = createEventParser({});
    for (const levels of [501, 5_000, 100_000])
      for (const read of [parseEvent, parse])
        for (const deep of [deepOf(levels), new TextEncoder().encode(deepOf(levels))])
          expect(() => read(deep, { validation: "off" })).toThrow(EventParseError);
    expect(() => parseEvent(deepOf(5_000))).toThrow(
      /nested (?:more than 500 levels deep|too deeply)/,
    );
    expect(() => parseEvent(parseJson(deepOf(2_000)))).toThrow("nested more than 500 levels deep");
    expect(redactEvent(parseEvent(deepOf(400)))).toMatchObject({ type: "plan.updated" });
  });

  test("is a 400 of a receiver, with or without poison, and of a queue", async () => {
    const deep = deepOf(5_000);
    const headers = await sign({ secret, body: deep, timestamp: now / 1_000 });
    const poison = { store: memoryPoison({ payload: "withoutSecrets" as const }), attempts: 1 };
    for (const options of [{}, { poison }]) {
      const { send, errors } = receiverOf({ ...options, handlers });
      expect(await send({ headers, body: deep })).toBe("400 not_parsed");
      expect(errors).toMatchObject([{ name: "EventParseError" }]);
    }
    const [key, queue] = [await newKey(), { add: async () => undefined }];
    const clock = createVirtualClock(new Date(now).toISOString());
    const quiet = { onError: () => undefined, onOutcome: () => undefined, clock };
    const { receive } = createQueueReceiver({ secret, keys: [key], queue, ...quiet });
    expect(await receive({ method: "POST", headers, body: deep })).toMatchObject({ status: 400 });
  });
});
