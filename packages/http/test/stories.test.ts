import { tracingChannel, type TracingChannelSubscribers } from "node:diagnostics_channel";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { withResponse, type CallError, type FetchFunction } from "../src/internal.ts";
import { createThings, thing, type ThingsOptions } from "./things.ts";

// Everything that a user sees of a call, in order: hooks, log lines, spans and attempts. A line without fields has those of the event
// before it. The end of a span notes what its start does not.

const MINUTE = 60_000;
const SECOND = 1_000;
const ID = "00000000-0000-4000-8000-000000000000";

let story: unknown[] = [];
let startedAt: number | undefined;
const stops: (() => void)[] = [];

beforeEach(() => {
  story = [];
  startedAt = undefined;
  vi.useFakeTimers({ now: new Date("2026-01-01T00:00:00Z") });
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  vi.spyOn(crypto, "randomUUID").mockReturnValue(ID);
  for (const name of ["call", "attempt"]) watch(name);
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** To a hundredth of a second, because a timer of 0 ms takes one. */
const note = (kind: string, ...values: unknown[]): void =>
  void story.push([Math.round((performance.now() - start()) / 10) * 10, kind, ...values]);

const start = (): number => (startedAt ??= performance.now());

/** Records the start and the end of each span. */
function watch(name: string): void {
  const started = new WeakMap<object, object>();
  const subscribers = {
    start(message: object) {
      const copy = { ...message };
      started.set(message, copy);
      note(`${name} start`, copy);
    },
    asyncEnd(message: object) {
      const added = Object.entries(message).filter(([key]) => !(key in started.get(message)!));
      expect(message).toMatchObject(started.get(message)!);
      note(`${name} end`, Object.fromEntries(added));
    },
  };
  const all = subscribers as unknown as TracingChannelSubscribers<object>;
  const channel = tracingChannel<object, object>(`fieldmesh:${name}`);
  channel.subscribe(all);
  stops.push(() => channel.unsubscribe(all));
}

function createRecorded(options: ThingsOptions) {
  let told = {};
  const hook = (name: string) => (event: object) => {
    told = { ...event, body: undefined };
    note(name, event);
  };
  const line = (level: string) => (message: string, fields: object) => {
    const isTold = JSON.stringify(fields) === JSON.stringify(told);
    note(level, message, ...(isTold ? [] : [fields]));
  };
  return createThings({
    ...options,
    retry: { baseDelay: SECOND, maxDelay: MINUTE },
    hooks: {
      onRequest: hook("onRequest"),
      onResponse: hook("onResponse"),
      onFailure: hook("onFailure"),
    },
    logger: { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") },
  });
}

/** Responds after 20 ms, with these responses in turn, then with a thing. */
function respondWith(...responses: (() => Response | Promise<never>)[]): FetchFunction {
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return await (responses.shift() ?? (() => Response.json([thing])))();
  };
}

/** Runs a call to its end and returns the whole story. */
async function storyOf(call: Promise<unknown>): Promise<string> {
  start();
  const ended = withResponse(call).then(
    ({ output, attempts }) => note("resolved", output, attempts),
    ({ name, message, outcome, attempts }: CallError) =>
      note("rejected", { name, message, outcome, attempts }),
  );
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  await ended;
  return `${JSON.stringify(story, null, 2)}\n`;
}

const recording = (name: string): string => `./stories/${name}.json`;

describe("the story of a call", () => {
  test("that meets a 429", async () => {
    const limit = { status: 429, headers: { "retry-after": "2" } };
    const things = createRecorded({ fetch: respondWith(() => new Response("", limit)) });
    await expect(await storyOf(things.list())).toMatchFileSnapshot(recording("429"));
  });

  test("that is aborted while it waits for a permit", async () => {
    const controller = new AbortController();
    const things = createRecorded({ rateLimit: 1, fetch: respondWith() });
    const first = things.list();
    await vi.advanceTimersByTimeAsync(SECOND);
    await first;
    story = [];
    startedAt = undefined;
    setTimeout(() => controller.abort(new Error("the user left")), 5 * SECOND);
    const call = things.create({ name: "one" }, { signal: controller.signal });
    await expect(await storyOf(call)).toMatchFileSnapshot(recording("abort"));
  });
});
