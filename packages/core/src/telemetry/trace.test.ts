import { inspect } from "node:util";
import { AsyncLocalStorage } from "node:async_hooks";
import { channel as channelOf, tracingChannel } from "node:diagnostics_channel";
import { afterEach, describe, expect, test } from "vitest";
import { canaries } from "../../../../tools/canaries/canaries.ts";
import { FieldmeshError } from "../error.ts";
import {
  attemptChannel,
  callChannel,
  chunkChannel,
  deliveryChannel,
  handlerChannel,
  pageChannel,
  storeChannel,
} from "./channels.ts";
import { openChannel as openNone } from "./open-channel-none.ts";
import { openChannel } from "./open-channel-node.ts";
import type { TraceMessage } from "./messages.ts";
import { trace } from "./trace.ts";

interface Message extends TraceMessage {
  readonly name: string;
  count?: number;
}

const NAME = "fieldmesh:test";
const channel = openChannel<Message>(NAME);
const nodes = tracingChannel(NAME);
const events: [string, unknown][] = [];
const record = (event: string) => (message: unknown) => {
  events.push([event, structuredClone(message)]);
};
const subscribers = {
  start: record("start"),
  end: record("end"),
  error: record("error"),
  asyncStart: record("asyncStart"),
  asyncEnd: record("asyncEnd"),
};
afterEach(() => {
  nodes.unsubscribe(subscribers);
  events.length = 0;
});

const never = (): never => {
  throw new Error("this was called, and nobody listens");
};

test("without a subscriber, trace runs the work and creates no message", async () => {
  const work = async (...given: unknown[]): Promise<number> => given.length;
  expect(await trace(channel, work, { start: never, end: never, fail: never })).toBe(0);
  const fails = async (): Promise<never> => Promise.reject(new Error("x"));
  await expect(trace(channel, fails, { start: never, fail: never })).rejects.toThrow("x");
});

test("the channels of a browser bundle have no subscribers", async () => {
  nodes.subscribe(subscribers);
  const none = openNone<Message>(NAME);
  expect(await trace(none, async () => 1, { start: never })).toBe(1);
  await none.tracePromise(async () => undefined, { name: "x" });
  expect(events).toEqual([]);
});

test("without hasSubscribers, as in Bun, openChannel checks the subscribers of each event", async () => {
  const prototype = Object.getPrototypeOf(nodes) as object;
  const own = Object.getOwnPropertyDescriptor(prototype, "hasSubscribers")!;
  Reflect.deleteProperty(prototype, "hasSubscribers");
  try {
    const opened = openChannel<Message>(`${NAME}:bare`);
    expect(opened.hasSubscribers).toBe(false);
    const node = channelOf(`tracing:${NAME}:bare:asyncEnd`);
    const listen = (): void => undefined;
    node.subscribe(listen);
    expect(opened.hasSubscribers).toBe(true);
    node.unsubscribe(listen);
  } finally {
    Object.defineProperty(prototype, "hasSubscribers", own);
  }
});

test("all events publish the same message, which never contains the result", async () => {
  nodes.subscribe(subscribers);
  const work = async (message?: Message): Promise<string> =>
    message === undefined ? "" : canaries.apiKey;
  const result = await trace(channel, work, {
    start: () => ({ name: "x" }),
    end: (text) => ({ count: text.length }),
  });
  expect(result).toBe(canaries.apiKey);
  expect(events.map(([event]) => event)).toEqual(["start", "end", "asyncStart", "asyncEnd"]);
  expect(events[0]?.[1]).toEqual({ name: "x" });
  expect(events[3]?.[1]).toEqual({ name: "x", count: canaries.apiKey.length });
  expect(inspect(events, { depth: 9 })).not.toContain(canaries.apiKey);
});

// Not a canary: the scanner would find it in the error, where this test puts it.
const WORDS = "what an error says may be a key";

class ApiError extends FieldmeshError {
  readonly status = 429;
  readonly code = WORDS;
  protected static override readonly errorName: string = "ApiError";
}
class ConnectionError extends FieldmeshError {
  readonly code = "ECONNRESET";
  protected static override readonly errorName: string = "ConnectionError";
}
class OrderError extends Error {
  readonly code = WORDS;
  override name: string = WORDS;
}

describe("trace publishes the class and the code of an error, not its message:", () => {
  test.each<[string, unknown, object]>([
    ["a status", new ApiError(WORDS), { name: "ApiError", code: "429" }],
    ["a code", new ConnectionError("x"), { name: "ConnectionError", code: "ECONNRESET" }],
    ["a class", new FieldmeshError("x"), { name: "FieldmeshError", code: "FieldmeshError" }],
    ["a caller's class", new OrderError(WORDS), { name: "OrderError", code: "OrderError" }],
    ["a string", WORDS, { name: "String", code: "String" }],
  ])("%s", async (_title, thrown, error) => {
    nodes.subscribe(subscribers);
    const work = (): Promise<never> => Promise.reject(thrown as Error);
    const caught = await trace(channel, work, { start: () => ({ name: "x" }) }).catch(
      (each: unknown) => ({ caught: each }),
    );
    expect((caught as { caught: unknown }).caught).toBe(thrown);
    expect(events.map(([event]) => event)).toEqual([
      "start",
      "end",
      "error",
      "asyncStart",
      "asyncEnd",
    ]);
    expect(events.at(-1)?.[1]).toEqual({ name: "x", error });
    expect(inspect(events, { depth: 9 })).not.toContain(WORDS);
  });
});

test("a subscriber can run the work in another context", async () => {
  const storage = new AsyncLocalStorage<string>();
  const wrap = (name: string) => ({
    start: (message: unknown) => {
      const { wrap: inner } = message as Message;
      const within = (work: () => Promise<void>) =>
        storage.run(`${storage.getStore() ?? ""}${name}`, work);
      Object.assign(message as Message, {
        wrap: (work: () => Promise<void>) => within(() => (inner ? inner(work) : work())),
      });
    },
  });
  const both = [wrap("a"), wrap("b")] as unknown as (typeof subscribers)[];
  for (const each of both) nodes.subscribe(each);
  try {
    const work = async () => storage.getStore();
    expect(await trace(channel, work, { start: () => ({ name: "x" }) })).toBe("ba");
  } finally {
    for (const each of both) nodes.unsubscribe(each);
  }
});

test.each<[string, unknown]>([
  ["does not call the work", async () => undefined],
  [
    "throws",
    () => {
      throw new Error("wrap");
    },
  ],
  ["rejects", () => Promise.reject(new Error("wrap"))],
])("a wrap that %s has no effect: the work runs exactly once", async (_, wrap) => {
  const broken = {
    start: (message: object) => void Object.assign(message, { wrap }),
  } as unknown as typeof subscribers;
  nodes.subscribe(broken);
  const start = () => ({ name: "x" });
  let times = 0;
  try {
    const result = await trace(channel, async () => ++times, { start });
    expect([result, times]).toEqual([1, 1]);
    const failing = trace(channel, () => Promise.reject(new RangeError("own")), { start });
    await expect(failing).rejects.toThrow("own");
  } finally {
    nodes.unsubscribe(broken);
  }
});

test("fail adds fields to the message of a failure, and sets its code", async () => {
  nodes.subscribe(subscribers);
  const work = (): Promise<never> => Promise.reject(new TypeError("x"));
  const traced = trace(channel, work, {
    start: () => ({ name: "x" }),
    fail: () => ({ count: 2, code: "timeout" }),
  });
  await expect(traced).rejects.toThrow(TypeError);
  expect(events.at(-1)?.[1]).toEqual({
    name: "x",
    count: 2,
    error: { name: "TypeError", code: "timeout" },
  });
});

test("a subscriber that throws causes only an uncaughtException event", async () => {
  const seen = Promise.withResolvers<unknown>();
  const listeners = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.once("uncaughtException", seen.resolve);
  const broken = { ...subscribers, start: never };
  nodes.subscribe(broken);
  try {
    expect(await trace(channel, async () => 1, { start: () => ({ name: "x" }) })).toBe(1);
    expect(String(await seen.promise)).toContain("nobody listens");
  } finally {
    nodes.unsubscribe(broken);
    for (const listener of listeners) process.on("uncaughtException", listener);
  }
});

test.each([
  ["fieldmesh:call", callChannel],
  ["fieldmesh:attempt", attemptChannel],
  ["fieldmesh:page", pageChannel],
  ["fieldmesh:chunk", chunkChannel],
  ["fieldmesh:delivery", deliveryChannel],
  ["fieldmesh:handler", handlerChannel],
  ["fieldmesh:store", storeChannel],
] as const)("a subscriber of %s receives its messages", async (name, own) => {
  const heard: unknown[] = [];
  const listener = { ...subscribers, start: (message: unknown) => void heard.push(message) };
  tracingChannel(name).subscribe(listener);
  try {
    const message = { name };
    await trace(own as unknown as typeof channel, async () => 1, { start: () => message });
    expect(heard).toEqual([message]);
  } finally {
    tracingChannel(name).unsubscribe(listener);
  }
  expect(own.hasSubscribers).toBe(false);
});
