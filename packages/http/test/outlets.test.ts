import { AsyncLocalStorage } from "node:async_hooks";
import { tracingChannel, type TracingChannelSubscribers } from "node:diagnostics_channel";
import type { TraceMessage } from "@fieldmesh/core";
import { afterEach, describe, expect, test } from "vitest";
import type { FetchFunction, Hooks, Logger } from "../src/internal.ts";
import { everyHook, everythingPrinted } from "../../../tools/canaries/canaries.ts";
import { createThings, thing, type Things, type ThingsOptions } from "./things.ts";

// What observers see of a call: each fact and each rule, in each outlet. A cell that is empty fails.

type Outlet = "hooks" | "logger" | "channels";
type Facts = Readonly<Record<string, unknown>>;
type Observe = (fact: Facts) => unknown;

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

/** Subscribes to the channels of calls and attempts. */
function listen(subscribers: Partial<TracingChannelSubscribers<TraceMessage>>): void {
  for (const name of ["fieldmesh:call", "fieldmesh:attempt"]) {
    const channel = tracingChannel<unknown, TraceMessage>(name);
    const all = subscribers as TracingChannelSubscribers<TraceMessage>;
    channel.subscribe(all);
    stops.push(() => channel.unsubscribe(all));
  }
}

function loggerOf(observe: Observe): Logger {
  const write = (_: string, fields: object): unknown => observe(fields as Facts);
  return { debug: write, info: write, warn: write, error: write };
}

/** Each outlet, with a function that sees everything it receives. */
const outlets: Record<Outlet, (observe: Observe) => { hooks?: Hooks; logger?: Logger }> = {
  hooks: (observe) => ({ hooks: everyHook((_, event) => observe({ ...event })) }),
  logger: (observe) => ({ logger: loggerOf(observe) }),
  channels(observe) {
    const see = (message: object): unknown => observe(message as Facts);
    listen({ start: see as never, asyncEnd: see as never });
    return {};
  },
};
const everyOutlet = Object.keys(outlets) as Outlet[];

/** Makes a call, and returns everything that one outlet saw of it. */
async function seenBy(
  outlet: Outlet,
  options: ThingsOptions,
  call = (things: Things): Promise<unknown> => things.get({ name: "one" }),
): Promise<readonly Facts[]> {
  const seen: Facts[] = [];
  const observed = outlets[outlet]((fact) => void seen.push({ ...fact }));
  await call(createThings({ ...options, ...observed })).catch(() => undefined);
  return seen;
}

const found = { data: thing };
const headers = { "x-request-id": "req-4711" };
const brokenOff = (): Response => new Response('{"data": {"id": 1', { headers });
const after =
  (ms: number, respond: () => Response): FetchFunction =>
  async () => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return respond();
  };
const succeed = after(20, () => Response.json(found, { headers }));
const statuses =
  (...all: number[]): FetchFunction =>
  async () =>
    Response.json(found, { status: all.shift() ?? 200 });
const reset: FetchFunction = async () => {
  throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
};
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;
const codeOf = ({ failure, error }: Facts): unknown =>
  failure ?? (error as { code?: string } | undefined)?.code;

describe("a fact of an attempt is in each outlet:", () => {
  const facts: [string, FetchFunction, (event: Facts) => boolean][] = [
    ["the method that was called", succeed, ({ call }) => call === "things.get"],
    ["the id of the call", succeed, ({ callId }) => UUID.test(String(callId))],
    [
      "the HTTP method and the template of the URL",
      succeed,
      ({ route, method, template }) =>
        (route ?? `${String(method)} ${String(template)}`) === "GET /v1/things/:name",
    ],
    [
      "the number of the attempt",
      statuses(503, 200, 503, 200, 503),
      ({ attempt }) => attempt === 2,
    ],
    ["the status", succeed, ({ attempt, status }) => attempt === 1 && status === 200],
    ["the status of an error", statuses(404, 404, 404), ({ status }) => status === 404],
    [
      "the status of a response that broke off",
      async () => brokenOff(),
      (event) => event["attempt"] === 1 && event["status"] === 200 && codeOf(event) !== undefined,
    ],
    ["the bytes of the body", succeed, ({ bytes }) => bytes === JSON.stringify(found).length],
    [
      "the duration of a success",
      succeed,
      ({ attempt, duration }) => attempt === 1 && Number(duration) >= 15,
    ],
    [
      "the duration of a failure",
      reset,
      (event) => Number(event["duration"]) >= 0 && codeOf(event) === "ECONNRESET",
    ],
    ["what failed below HTTP", reset, (event) => codeOf(event) === "ECONNRESET"],
    [
      "the id under which the server logged it",
      succeed,
      ({ attempt, requestId }) => attempt === 1 && requestId === "req-4711",
    ],
  ];
  test.for(facts.flatMap((fact) => everyOutlet.map((outlet) => [outlet, ...fact] as const)))(
    "%s: %s",
    async ([outlet, , fetch, holds]) => {
      const seen = await seenBy(outlet, { fetch });
      expect(seen.filter(holds)).not.toEqual([]);
    },
  );
});

describe("a fact of the end of a call is in the log and in the channel:", () => {
  const invalid: FetchFunction = async () => Response.json({ data: 5 }, { headers });
  const held: FetchFunction = async () =>
    new Response("", { status: 429, headers: { ...headers, "retry-after": "60" } });
  const isEnd = ({ outcome }: Facts): boolean => outcome !== undefined;
  const facts: [string, FetchFunction, (event: Facts) => boolean][] = [
    ["its outcome", statuses(404, 404), ({ outcome }) => outcome === "rejected"],
    [
      "the class of its error",
      statuses(404, 404),
      ({ error }) => /ApiError/.test(JSON.stringify(error)),
    ],
    ["the status of its last response", statuses(404, 404), ({ status }) => status === 404],
    ["the status of a response that does not fit", invalid, ({ status }) => status === 200],
    [
      "the status of a response that broke off",
      async () => brokenOff(),
      ({ status }) => status === 200,
    ],
    ["the id under which the server logged it", held, ({ requestId }) => requestId === "req-4711"],
  ];
  const those = ["logger", "channels"] as const;
  test.for(facts.flatMap((fact) => those.map((outlet) => [outlet, ...fact] as const)))(
    "%s: %s",
    async ([outlet, , fetch, holds]) => {
      const seen = await seenBy(outlet, { fetch, totalTimeout: 1_000 });
      expect(seen.filter(isEnd).filter(holds)).not.toEqual([]);
    },
  );

  test.for(those)("%s: the 429 of another call, for which a call was not sent", async (outlet) => {
    const seen = await seenBy(outlet, { fetch: held, totalTimeout: 1_000 }, async (things) => {
      await things.get({ name: "one" }).catch(() => undefined);
      await things.get({ name: "two" });
    });
    const ends = seen.filter(isEnd);
    expect(ends.at(-1)).toMatchObject({ outcome: "not_sent", status: 429 });
  });
});

describe("a rule is kept for each outlet:", () => {
  test.for(everyOutlet)(
    "an observer of %s that changes an event changes none of others",
    async (outlet) => {
      const change = (event: object): void => {
        for (const name of Object.keys(event)) {
          if (name !== "headers") (event as Record<string, unknown>)[name] = "changed";
          for (const inner of Object.keys(Object(event["headers" as never])))
            (event["headers" as never] as Record<string, unknown>)[inner] = "changed";
        }
      };
      const changing =
        outlet === "hooks"
          ? { hooks: everyHook((_, event) => change(event)) }
          : outlets[outlet](change);
      for (const other of everyOutlet.filter((each) => each !== outlet)) {
        const seen = await seenBy(other, { fetch: statuses(404), ...changing });
        expect(seen.length).toBeGreaterThan(1);
        expect(everythingPrinted(seen)).not.toContain("changed");
      }
    },
  );

  test.for(["hooks", "logger"] as const)(
    "%s: all of an attempt is told within its span",
    async (outlet) => {
      const spans = new AsyncLocalStorage<string>();
      let count = 0;
      const channel = tracingChannel<unknown, TraceMessage>("fieldmesh:attempt");
      const subscribers = {
        start: (message: TraceMessage) =>
          void (message.wrap = (work) => spans.run(`span ${++count}`, work)),
      } as never;
      channel.subscribe(subscribers);
      stops.push(() => channel.unsubscribe(subscribers));
      const seen: unknown[] = [];
      const observe: Observe = ({ attempt, wait, outcome }) =>
        wait === undefined && outcome === undefined && seen.push([attempt, spans.getStore()]);
      const failures = [reset, succeed];
      const fetch: FetchFunction = (...args) => (failures.shift() ?? succeed)(...args);
      await createThings({ fetch, ...outlets[outlet](observe) }).get({ name: "one" });
      expect(seen).toEqual([
        [1, "span 1"],
        [1, "span 1"],
        [2, "span 2"],
        [2, "span 2"],
      ]);
    },
  );
});
