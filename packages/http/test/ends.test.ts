import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CallError, FetchFunction, Schema } from "../src/internal.ts";
import { createThings, errorOf, thing, type Things, type ThingsOptions } from "./things.ts";

// These tests use a virtual clock: a call that does not end at once waits for a timer that never fires, and the test fails.
const never = new Promise<never>(() => undefined);
const reason = new Error("the user left");

/** Rejects after the call has ended, when nothing awaits the promise any more. */
async function late(after = 150): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, after));
  throw new Error("canary-late");
}

const schemaThat = (validate: () => unknown): Schema<unknown> =>
  ({ "~standard": { version: 1, vendor: "test", validate } }) as unknown as Schema<unknown>;

const respondWithThing: FetchFunction = async () => Response.json(thing, { status: 201 });
const bodyThat = (pull: () => Promise<never>): Response =>
  new Response(new ReadableStream({ pull }), { status: 201 });

const unhandled: unknown[] = [];
const keep = (error: unknown): void => void unhandled.push(error);
beforeEach(() => {
  vi.useFakeTimers();
  unhandled.length = 0;
  process.on("unhandledRejection", keep);
});
afterEach(async () => {
  if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(200);
  vi.useRealTimers();
  // Node reports an unhandled rejection once the microtask queue is empty.
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off("unhandledRejection", keep);
  if (unhandled.length > 0) throw new Error("an unhandled rejection");
});

/** Phases in which a call can hang: its options, its outcome if it ends there, and its schema. */
const PHASES: readonly [
  phase: string,
  options: ThingsOptions,
  outcome: string,
  schema?: Schema<unknown>,
][] = [
  ["the apiKey function is pending", { fetch: respondWithThing, apiKey: () => never }, "not_sent"],
  [
    "the apiKey function rejects late",
    { fetch: respondWithThing, apiKey: () => late() },
    "not_sent",
  ],
  ["the fetch is pending", { fetch: () => never }, "unknown"],
  ["the fetch rejects late", { fetch: () => late() }, "unknown"],
  ["the body is pending", { fetch: async () => bodyThat(() => never) }, "unknown"],
  ["the body fails late", { fetch: async () => bodyThat(() => late()) }, "unknown"],
  ["the schema is pending", { fetch: respondWithThing }, "applied", schemaThat(() => never)],
  ["the schema rejects late", { fetch: respondWithThing }, "applied", schemaThat(() => late())],
  [
    "a hook is pending",
    { fetch: () => never, hooks: { onRequest: () => never } as never },
    "unknown",
  ],
];

describe.each(PHASES)("while %s", (_phase, options, outcome, schema) => {
  const create = (things: Things, more: object): Promise<unknown> =>
    things.create({ name: "one" }, { ...(schema && { schema }), ...more });

  test("an abort ends the call and leaves no listener", async () => {
    const controller = new AbortController();
    const ended = errorOf<CallError>(create(createThings(options), { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(30);
    controller.abort(reason);
    const error = await ended;
    expect(error).toMatchObject({ name: "AbortError", outcome, cause: reason });
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  test("totalTimeout ends the call", async () => {
    const ended = errorOf<CallError>(create(createThings(options), { totalTimeout: 60 }));
    await vi.advanceTimersByTimeAsync(60);
    const error = await ended;
    expect(error).toMatchObject({ name: "TimeoutError", limit: "totalTimeout", outcome });
  });
});

describe("a walk ends with its signal", () => {
  test.each<[string, FetchFunction]>([
    ["while a page is pending", () => never],
    [
      "while the second page is pending",
      (url) =>
        url.includes("cursor") ? never : Promise.resolve(Response.json({ data: [], cursor: "c" })),
    ],
    ["while it waits to retry a page", async () => new Response("", { status: 503 })],
  ])("%s", async (_when, fetch) => {
    const controller = new AbortController();
    const walk = createThings({ fetch }).walk(
      {},
      { signal: controller.signal, keepTrying: 3_600_000 },
    );
    const ended = errorOf<CallError>(walk.toArray({ limit: 10 }));
    await vi.advanceTimersByTimeAsync(40);
    controller.abort(reason);
    expect(await ended).toMatchObject({ name: "AbortError", cause: reason });
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });
});

test("a response after the end of its call runs no hook", async () => {
  const seen: string[] = [];
  let respond: (response: Response) => void = () => undefined;
  const fetch: FetchFunction = () => new Promise((resolve) => (respond = resolve));
  const hooks = { onResponse: () => seen.push("response") };
  const ended = errorOf(createThings({ fetch, hooks }).list({ totalTimeout: 30 }));
  await vi.advanceTimersByTimeAsync(30);
  await ended;
  respond(Response.json([thing]));
  await vi.advanceTimersByTimeAsync(20);
  expect(seen).toEqual([]);
});
