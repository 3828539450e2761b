import { tracingChannel, type TracingChannelSubscribers } from "node:diagnostics_channel";
import { afterEach, expect, test, vi } from "vitest";
import { canaries, everythingPrinted, findCanary } from "../../../tools/canaries/canaries.ts";
import { signedRequest } from "../src/index.ts";
import {
  createReceiver,
  memoryOrder,
  memoryPoison,
  memoryStore,
  type ReceiverOptions,
} from "../src/receiver/index.ts";
import { createEventRouter } from "../src/router/index.ts";
import { sampleEvent } from "../src/samples.ts";
import type * as Names from "../src/events/show-name.ts";

const { showName } = vi.hoisted(() => ({ showName: vi.fn<(name: string) => string>() }));
vi.mock("../src/events/show-name.ts", async (original) => {
  const names = await original<typeof Names>();
  showName.mockImplementation(names.showName);
  return { ...names, showName };
});

const WORDS = "the words of an error";
const secret = canaries.webhookSecret;
const event = sampleEvent("sim.activated");
const named = { id: event.id, type: event.type };
const seen: [channel: string, event: string, message: Record<string, unknown>][] = [];
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  const printed = everythingPrinted(seen.splice(0));
  const found = findCanary(printed) ?? (printed.includes(WORDS) ? WORDS : undefined);
  if (found !== undefined) throw new Error(`A message holds what is not public: ${found}`);
});

function watch(): void {
  for (const name of ["delivery", "handler", "store"]) {
    const record = (what: string) => (message: unknown) => {
      seen.push([name, what, structuredClone(message) as Record<string, unknown>]);
    };
    const nodes = tracingChannel(`fieldmesh:${name}`);
    const subscribers = {
      start: record("start"),
      asyncEnd: record("end"),
    } as unknown as TracingChannelSubscribers<object>;
    nodes.subscribe(subscribers);
    stops.push(() => nodes.unsubscribe(subscribers));
  }
}

const ends = (name: string) =>
  seen.filter(([channel, what]) => channel === name && what === "end").map(([, , end]) => end);
const steps = () =>
  seen.map(([name, what, { operation }]) => [name, what, operation].filter(Boolean).join(" "));

const quiet = { onError: () => {}, onOutcome: () => {} };
const deliver = async (options: Partial<ReceiverOptions>, with_ = secret) => {
  const receive = createReceiver({
    ...quiet,
    secret,
    store: memoryStore(),
    handlers: {},
    ...options,
  });
  return await receive(
    await signedRequest(event, { url: "http://127.0.0.1/hooks", secret: with_ }),
  );
};

test("a delivery publishes its store calls and its handlers between its start and its end", async () => {
  watch();
  const handlers = { "sim.activated": async () => {}, "*": () => {} };
  await deliver({ handlers, order: memoryOrder() });
  expect(steps()).toEqual([
    "delivery start",
    "store start isOlder",
    "store end isOlder",
    "store start claim",
    "store end claim",
    "handler start",
    "handler start",
    "handler end",
    "handler end",
    "store start complete",
    "store end complete",
    "store start remember",
    "store end remember",
    "delivery end",
  ]);
  expect(ends("delivery")).toEqual([{ outcome: "handled", status: 200, event: named }]);
  expect(ends("handler")).toEqual([{ event: named }, { event: named }]);
});

test("an inbox publishes the handlers between the start and the end of its run", async () => {
  watch();
  const run = async (_id: string, work: (transaction: never) => Promise<void>) => {
    await work({ signal: new AbortController().signal, enter: () => {} } as never);
    return "committed" as const;
  };
  await deliver({ store: { run }, handlers: { "*": () => {} } });
  expect(steps().slice(1, 5)).toEqual([
    "store start run",
    "handler start",
    "handler end",
    "store end run",
  ]);
});

test("a failure is published with the class of its error", async () => {
  watch();
  const fails = () => {
    throw new RangeError(WORDS);
  };
  const poison = { store: memoryPoison(), attempts: 1, reload: () => event };
  await deliver({ handlers: { "*": fails }, poison });
  expect(ends("handler")).toEqual([
    { event: named, error: { name: "RangeError", code: "RangeError" } },
  ]);
  expect(ends("delivery")).toMatchObject([{ outcome: "set_aside" }]);
  expect(ends("store").map(({ operation }) => operation)).toEqual([
    "claim",
    "release",
    "fail",
    "setAside",
  ]);
  const store = { ...memoryStore(), claim: () => Promise.reject(new TypeError(WORDS)) };
  await deliver({ store });
  expect(ends("store").at(-1)).toMatchObject({ operation: "claim", error: { name: "TypeError" } });
  expect(ends("delivery").at(-1)).toMatchObject({ outcome: "store_failed", status: 503 });
});

test("a delivery that is not verified has no event", async () => {
  watch();
  await deliver({}, `whsec_${btoa("another secret of some length")}`);
  expect(ends("delivery")).toEqual([
    { outcome: "not_verified", status: 401, reason: "signature_mismatch", event: undefined },
  ]);
});

test("a router without a receiver publishes its handlers", async () => {
  watch();
  await createEventRouter({ "sim.activated": () => {} }).dispatch(event);
  expect(steps()).toEqual(["handler start", "handler end"]);
});

test("no message is created without a subscriber", async () => {
  // Each message about an event creates its names.
  await deliver({ handlers: { "*": () => {} } });
  expect(showName).not.toHaveBeenCalled();
  watch();
  await deliver({ handlers: { "*": () => {} } });
  expect(showName).toHaveBeenCalledTimes(4);
});
