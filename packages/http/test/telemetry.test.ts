import { tracingChannel, type TracingChannelSubscribers } from "node:diagnostics_channel";
import { afterEach, describe, expect, test, vi } from "vitest";
import { everythingPrinted, findCanary } from "../../../tools/canaries/canaries.ts";
import type { AttemptMessage, CallMessage, PageMessage } from "../src/internal.ts";
import { startList } from "./list-server.ts";
import { API_KEY, createThings, createThingsTransport, errorOf, thing } from "./things.ts";

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

interface Seen {
  readonly channel: string;
  readonly event: string;
  readonly message: object;
}

const seen: Seen[] = [];
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  const canary = findCanary(everythingPrinted(seen.splice(0)));
  if (canary !== undefined) throw new Error(`A message holds a canary (as ${canary}).`);
});

/** Records a copy of each message of a channel. */
function watch(name: string): void {
  const record = (event: string) => (message: unknown) => {
    seen.push({ channel: name, event, message: structuredClone(message) as object });
  };
  listen(name, { start: record("start"), asyncEnd: record("end") });
}

function listen<Message extends object>(
  name: string,
  subscribers: Partial<TracingChannelSubscribers<Message>>,
): void {
  const nodes = tracingChannel<Message, Message>(`fieldmesh:${name}`);
  const all = subscribers as TracingChannelSubscribers<Message>;
  nodes.subscribe(all);
  stops.push(() => nodes.unsubscribe(all));
}

const messagesOf = (name: string, event = "end"): object[] =>
  seen.filter((each) => each.channel === name && each.event === event).map((each) => each.message);

const REQUEST = {
  call: "things.get",
  method: "GET",
  template: "/v1/things/:name",
  serverAddress: "things.test",
  serverPort: 443,
};

test("a call and its attempts are published with the same id", async () => {
  watch("call");
  watch("attempt");
  const statuses = [503, 200];
  const things = createThings({
    fetch: async () => Response.json({ data: thing }, { status: statuses.shift() ?? 200 }),
  });
  await things.get({ name: API_KEY });
  expect(seen.map((each) => [each.channel, each.event])).toEqual([
    ["call", "start"],
    ["attempt", "start"],
    ["attempt", "end"],
    ["attempt", "start"],
    ["attempt", "end"],
    ["call", "end"],
  ]);
  const request = { ...REQUEST, callId: expect.stringMatching(UUID) as string };
  expect(messagesOf("call", "start")).toEqual([request]);
  expect(messagesOf("call")).toEqual([{ ...request, attempts: 2, status: 200 }]);
  const bytes = JSON.stringify({ data: thing }).length;
  const duration = expect.any(Number) as number;
  const attempt = { ...request, headers: {}, bytes, duration };
  const error = { name: "AttemptFailed", code: "503" };
  expect(messagesOf("attempt")).toEqual([
    { ...attempt, attempt: 1, status: 503, error },
    { ...attempt, attempt: 2, status: 200 },
  ]);
  const [{ callId } = { callId: "" }] = messagesOf("call") as CallMessage[];
  expect(messagesOf("attempt").map((each) => (each as AttemptMessage).callId)).toEqual([
    callId,
    callId,
  ]);
});

test("no message contains values of the path or the query, or the path of baseUrl", async () => {
  watch("call");
  const { request } = createThingsTransport({
    baseUrl: `http://[::1]:8080/${API_KEY}`,
    fetch: async () => Response.json({}),
  });
  await request({ method: "PATCH", path: `/v1/things/${API_KEY}`, query: { key: API_KEY } });
  expect(messagesOf("call")).toMatchObject([
    {
      call: "request",
      method: "PATCH",
      template: "/v1/things/:value",
      serverAddress: "::1",
      serverPort: 8080,
    },
  ]);
});

describe("a subscriber can add headers to an attempt:", () => {
  test("each attempt has its own headers, and none overrides a header of the request", async () => {
    const sent: Headers[] = [];
    const statuses = [503, 200];
    const things = createThings({
      headers: { "x-team": "water" },
      fetch: async (_, { headers }) => {
        sent.push(headers);
        return Response.json({ data: thing }, { status: statuses.shift() ?? 200 });
      },
    });
    listen<AttemptMessage>("attempt", {
      start: ({ headers, attempt }) => {
        Object.assign(headers, {
          [`only-${attempt}`]: "yes",
          traceparent: `00-${attempt}`,
          KEY: "another key",
          "x-team": "fire",
          "Content-Length": "1",
          "user-agent": "another",
          "not valid": "\n",
          number: 1,
        });
      },
    });
    await things.get({ name: "one" });
    expect(sent.map((headers) => headers.get("traceparent"))).toEqual(["00-1", "00-2"]);
    expect(sent.map((headers) => headers.has("only-1"))).toEqual([true, false]);
    for (const headers of sent) {
      expect(headers.get("key")).toBe(API_KEY);
      expect(headers.get("x-team")).toBe("water");
      expect(headers.get("user-agent")).toBe("things-test/1.0");
      expect(headers.has("content-length")).toBe(false);
      expect(headers.has("number")).toBe(false);
    }
  });
});

test("the pages of a list publish the same list object and enclose their calls", async () => {
  watch("page");
  watch("call");
  const lists = new Set<object>();
  listen<PageMessage>("page", { start: ({ list }) => void lists.add(list) });
  const server = startList({ length: 7 });
  await server.things.walk().toArray({ limit: Infinity });
  expect(lists.size).toBe(1);
  expect([...lists]).toEqual([{}]);
  const page = { call: "things.walk", list: {} };
  expect(messagesOf("page")).toEqual([
    { ...page, isFirst: true, items: 3 },
    { ...page, isFirst: false, items: 3 },
    { ...page, isFirst: false, items: 1 },
  ]);
  expect(seen.slice(0, 4).map((each) => [each.channel, each.event])).toEqual([
    ["page", "start"],
    ["call", "start"],
    ["call", "end"],
    ["page", "end"],
  ]);
  server.failures.push(400);
  await errorOf(server.things.walk().page());
  expect(lists.size).toBe(2);
  expect(messagesOf("page").at(-1)).toMatchObject({ error: { name: "ApiError", code: "400" } });
});

test("without a listener, no message is created", async () => {
  // A client reads its host once, for its first message.
  const readHost = vi.spyOn(URL.prototype, "hostname", "get");
  stops.push(() => readHost.mockRestore());
  const things = createThings({ fetch: async () => Response.json({ data: thing }) });
  readHost.mockClear();
  await things.get({ name: "one" });
  expect(readHost).not.toHaveBeenCalled();
  watch("call");
  watch("attempt");
  await things.get({ name: "one" });
  expect(readHost).toHaveBeenCalledTimes(1);
});
