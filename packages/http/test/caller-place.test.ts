import { setTimeout as sleep } from "node:timers/promises";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createConsoleClient } from "../../console-client/src/index.ts";
import { createLedgerClient } from "../../ledger-client/src/index.ts";
import { catchUp, createMobileClient } from "../../mobile-client/src/index.ts";
import { memoryStore } from "../../webhook-types/src/receiver/index.ts";
import { createEventRouter } from "../../webhook-types/src/router/index.ts";
import { canaries } from "../../../tools/canaries/canaries.ts";
import { FieldmeshError } from "@fieldmesh/core";
import { keepPlace } from "../src/errors/caller-place.ts";

// Whoever reads a log sees in the stack which line of the application has read the list.

const limit = Error.stackTraceLimit;
// That of Node: Vitest has set a larger one.
beforeEach(() => void (Error.stackTraceLimit = 10));
afterEach(() => void (Error.stackTraceLimit = limit));

const ADDRESS = "14PfJGTfaDUPYZyASmRyGsVMCijnBQ2441HM19SjAntMjrkDv6G";
const DEVICE = "d2f0c5b1-6c0d-4f7e-8d39-51d1a2b3c4d5";
const TIMES = { min_time: new Date(0), max_time: new Date(1_000_000) };

/** Clients of a service that responds with a page at most, and then with 503. */
function clientsOf(pages: number) {
  const init = {
    baseUrl: "https://places.test",
    retry: { attempts: 2, baseDelay: 1 },
    rateLimit: false,
    fetch: async (url: string) => {
      await sleep(1);
      if (pages-- <= 0) return Response.json({}, { status: 503 });
      if (url.endsWith("height")) return Response.json({ data: { height: 9 } });
      return Response.json({ data: [{ address: ADDRESS }], cursor: `c${pages}` });
    },
  } as const;
  return {
    console: createConsoleClient({ ...init, apiKey: canaries.apiKey }),
    ledger: createLedgerClient(init),
    mobile: createMobileClient({ ...init, apiKey: canaries.apiKey }),
  };
}
type Clients = ReturnType<typeof clientsOf>;

async function readAll(list: AsyncIterable<unknown>): Promise<void> {
  for await (const item of list) void item;
}

/** A walk that begins in another function than the one that reads from it. */
function begun({ ledger }: Clients) {
  return ledger.accounts.list().walk();
}

const WAYS: Readonly<Record<string, (clients: Clients) => Promise<unknown>>> = {
  async "for await"({ ledger }) {
    async function theCaller() {
      for await (const account of ledger.accounts.list()) void account;
    }
    await theCaller();
  },
  async next(clients) {
    const walk = begun(clients);
    async function theCaller() {
      while (!(await walk.next()).done);
    }
    await theCaller();
  },
  async "next of a walk that began elsewhere"({ ledger }) {
    const theCaller = () => ledger.accounts.list().walk();
    await readAll(theCaller());
  },
  async pages({ ledger }) {
    async function theCaller() {
      for await (const page of ledger.accounts.list().pages()) void page;
    }
    await theCaller();
  },
  async page({ ledger }) {
    async function theCaller() {
      for (;;) await ledger.accounts.list().page();
    }
    await theCaller();
  },
  async take({ ledger }) {
    async function theCaller() {
      for await (const account of ledger.accounts.list().take(50)) void account;
    }
    await theCaller();
  },
  async toArray({ ledger }) {
    const theCaller = () => ledger.accounts.list().toArray({ limit: 50 });
    await theCaller();
  },
  async stream({ ledger }) {
    const theCaller = () => ledger.accounts.list().stream();
    await readAll(theCaller());
  },
  async "Readable.from"({ ledger }) {
    const theCaller = () => Readable.from(ledger.accounts.list());
    await readAll(theCaller());
  },
  async parallel({ ledger }) {
    const theCaller = () => ledger.accounts.rewards({ address: ADDRESS, ...TIMES }).parallel();
    await readAll(theCaller());
  },
  async follow({ ledger }) {
    const theCaller = () => ledger.blocks.follow({ from: 5 });
    await readAll(theCaller());
  },
  async "follow of a device"({ console: { devices } }) {
    const theCaller = () => devices.follow({ device_id: DEVICE });
    await readAll(theCaller());
  },
  async "next of follow"({ ledger }) {
    const blocks = ledger.blocks.follow({ from: 5 });
    async function theCaller() {
      while (!(await blocks.next()).done);
    }
    await theCaller();
  },
  async each({ console: { devices } }) {
    async function theCaller() {
      for await (const device of devices.each()) void device;
    }
    await theCaller();
  },
  async "mobile events"({ mobile }) {
    async function theCaller() {
      for await (const event of mobile.events.list()) void event;
    }
    await theCaller();
  },
  async catchUp({ mobile: client }) {
    const router = createEventRouter({});
    const store = memoryStore();
    const theCaller = () => catchUp({ client, since: new Date(0), router, store });
    await theCaller();
  },
};

test.each(Object.keys(WAYS).flatMap((way) => [0, 1].map((pages) => [way, pages] as const)))(
  "the error of a list that is read with %s has the line of its caller, after %i pages",
  async (way, pages) => {
    const error = await WAYS[way]?.(clientsOf(pages)).catch((thrown: unknown) => thrown);
    const { stack = "" } = error as Error;
    expect(stack).toMatch(/^\w*Error: /);
    expect(stack).toMatch(/\n +at (async )?theCaller .*caller-place\.test\.ts/);
    // Each place once.
    const lines = stack.split("\n");
    expect(new Set(lines).size).toBe(lines.length);
  },
);

const own = Object.getOwnPropertyDescriptors(Error);
afterEach(() => void Object.defineProperties(Error, own));

function begin() {
  return keepPlace(begin);
}
function anyCaller() {
  return begin();
}
/** Returns the stack of an error after the place of `anyCaller` was added to it. */
function stackWith(error: Error, times = 1): unknown {
  for (const withPlace of Array.from({ length: times }, anyCaller))
    expect(withPlace(error)).toBe(error);
  return error.stack;
}
const plain = (stack?: unknown): Error =>
  Object.assign(new FieldmeshError("failed"), { stack: stack ?? "FieldmeshError: failed" });

test("adds nothing but frames, each once, and not those of the method itself", () => {
  const [first, ...frames] = String(stackWith(plain(), 2)).split("\n");
  expect(first).toBe("FieldmeshError: failed");
  expect(frames.every((frame) => /^ +at /.test(frame))).toBe(true);
  expect(frames.filter((frame) => frame.includes("anyCaller"))).toHaveLength(1);
  expect(frames.join()).not.toMatch(/keepPlace|capture|begin/);
});

test("leaves the errors of others alone, and those without a usual stack", () => {
  const other = Object.assign(new Error("of the user"), { stack: "Error: of the user" });
  expect(stackWith(other)).toBe("Error: of the user");
  for (const thrown of [undefined, null, "text", 5]) expect(anyCaller()(thrown)).toBe(thrown);
  const sites = [{}];
  expect(stackWith(plain(sites))).toBe(sites);
  const fixed = { value: "FieldmeshError: failed" };
  expect(stackWith(Object.defineProperty(plain(), "stack", fixed))).toBe(fixed.value);
});

test.each<[string, () => void]>([
  ["no frames are captured", () => (Error.stackTraceLimit = 0)],
  ["no stack is captured", () => Object.assign(Error, { stackTraceLimit: undefined })],
  [
    "the engine has no captureStackTrace",
    () => Object.assign(Error, { captureStackTrace: undefined }),
  ],
  ["the program formats stacks as lists", () => (Error.prepareStackTrace = (_, sites) => sites)],
  [
    "the program's own format throws",
    () =>
      (Error.prepareStackTrace = () => {
        throw new Error("own");
      }),
  ],
])("a stack stays as it is if %s", (_, change) => {
  const error = plain();
  change();
  const withPlace = anyCaller();
  expect(withPlace(error)).toBe(error);
  expect(error.stack).toBe("FieldmeshError: failed");
});
