import { CheckpointError } from "@fieldmesh/core";
import { InputError } from "@fieldmesh/http";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../sandbox/src/index.ts";
import { createClock } from "../../../tools/testing/test-clock.ts";
import {
  createConsoleClient,
  type ConsoleClientOptions,
  type DeviceEvent,
  type EventFollower,
  type EventGap,
  type EventsCheckpoint,
  type FollowEventsOptions,
} from "../src/index.ts";
import { uplinkEvent } from "../src/samples/records.ts";
import { euis, ids } from "./answering.ts";

const device_id = ids.device;
const SECOND = 1_000;
const START = 1_795_163_400_000;

/** Creates an event a number of seconds after the start. */
const eventAt = (second: number, fcnt = second) => ({
  ...uplinkEvent,
  reported_at: String(START + second * SECOND),
  data: { ...uplinkEvent.data, fcnt },
});
const eventsAt = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => eventAt(from + index));
const fcntOf = ({ data }: DeviceEvent): unknown => (data as { fcnt: number }).fcnt;

/** A console with the events of one device, newest last. It returns the last hundred, newest first unless it is told otherwise. */
function serve(
  events: object[] = [],
  {
    respond = (last: object[]): unknown => last.toReversed(),
    ...options
  }: Partial<ConsoleClientOptions> & { respond?: (last: object[]) => unknown } = {},
) {
  const clock = createClock(START);
  const requests: string[] = [];
  const client = createConsoleClient({
    baseUrl: "https://console.test",
    apiKey: "k",
    retry: false,
    rateLimit: false,
    fetch: async (url) => {
      requests.push(new URL(url).pathname);
      const body = respond(events.slice(-100));
      return body instanceof Response ? body : Response.json(body);
    },
    ...options,
  });
  const follow = (own: FollowEventsOptions = {}) =>
    client.devices.follow({ device_id }, { clock, ...own });
  return { clock, events, requests, client, follow };
}

async function take(follower: EventFollower, count: number): Promise<unknown[]> {
  const taken: unknown[] = [];
  while (taken.length < count) {
    const { value } = await follower.next();
    if (value === undefined) break;
    taken.push(fcntOf(value));
  }
  return taken;
}

/** Takes what a follower returns without a wait: it ends at the first one. */
async function takeReady(follow: (own: FollowEventsOptions) => EventFollower, own = {}) {
  const controller = new AbortController();
  const clock = createClock(START);
  const sleep = async () => controller.abort();
  const follower = follow({ ...own, signal: controller.signal, clock: { ...clock, sleep } });
  const taken: unknown[] = [];
  for await (const event of follower) taken.push(fcntOf(event));
  return { taken, follower };
}

describe("the order of the events", () => {
  test.each<[string, (last: object[]) => object[]]>([
    ["newest first", (last) => last.toReversed()],
    ["oldest first", (last) => last],
    ["in no order", (last) => last.toSorted((a, b) => fcntIn(a) - fcntIn(b))],
  ])("is that of reported_at if the response is %s", async (_, respond) => {
    const server = serve(eventsAt(1, 30), { respond });
    const follower = server.follow();
    expect(await take(follower, 30)).toEqual(Array.from({ length: 30 }, (_each, at) => at + 1));
    server.events.push(eventAt(31), eventAt(32));
    expect(await take(follower, 2)).toEqual([31, 32]);
  });

  const fcntIn = (event: object): number => (event as typeof uplinkEvent).data.fcnt % 7;

  test("of equal times is that of the response, whose end is the beginning if it is newest first", async () => {
    const last = [eventAt(0, 0), eventAt(1, 10), eventAt(1, 11), eventAt(2, 2)];
    for (const respond of [(all: object[]) => all, (all: object[]) => all.toReversed()])
      expect((await takeReady(serve(last, { respond }).follow)).taken).toEqual([0, 10, 11, 2]);
  });

  test("has events without a time last", async () => {
    const events = [eventAt(1), { ...eventAt(5), reported_at: "soon" }, eventAt(3)];
    expect((await takeReady(serve(events).follow)).taken).toEqual([1, 3, 5]);
  });
});

describe("an event", () => {
  test("is returned once, and one that came late is returned late", async () => {
    const { events, follow } = serve(eventsAt(1, 5));
    const follower = follow();
    expect(await take(follower, 5)).toEqual([1, 2, 3, 4, 5]);
    events.splice(2, 0, eventAt(2, 99));
    events.push(eventAt(6));
    expect(await take(follower, 2)).toEqual([99, 6]);
  });

  test("that is there twice is two events, and a third one is new", async () => {
    const { events, follow } = serve([eventAt(1), eventAt(1)]);
    const follower = follow();
    expect(await take(follower, 2)).toEqual([1, 1]);
    events.push(eventAt(1), eventAt(2));
    expect(await take(follower, 2)).toEqual([1, 2]);
  });

  test("is the same if the console writes its fields in another order", async () => {
    const { events, follow } = serve([eventAt(1)]);
    const follower = follow();
    await take(follower, 1);
    const { data, ...others } = eventAt(1);
    events.splice(0, 1, { data: Object.fromEntries(Object.entries(data).toReversed()), ...others });
    events.push(eventAt(2));
    expect(await take(follower, 1)).toEqual([2]);
  });

  test("that changes is a new one", async () => {
    const { events, follow } = serve([eventAt(1)]);
    const follower = follow();
    await take(follower, 1);
    events.splice(0, 1, { ...eventAt(1, 7), description: "again" });
    expect(await take(follower, 1)).toEqual([7]);
  });

  test("is not repeated if the server behind one response lags, or returns nothing", async () => {
    let respond = (last: object[]) => last;
    const gaps: EventGap[] = [];
    const server = serve(eventsAt(1, 100), { respond: (last) => respond(last) });
    const follower = server.follow({ onGap: (gap) => gaps.push(gap) });
    await take(follower, 100);
    server.events.push(...eventsAt(101, 150));
    await take(follower, 50);
    const responses = [[], eventsAt(20, 119), eventsAt(1, 3), eventsAt(52, 151)];
    respond = () => responses.shift() ?? [];
    expect(await take(follower, 1)).toEqual([151]);
    expect(gaps).toEqual([]);
  });

  test("with an integer above 2^53 and with secrets is found again", async () => {
    const odd = (second: number) => ({
      ...eventAt(second),
      data: { ...uplinkEvent.data, fcnt: second, dc: { balance: 1, nonce: 1, used: 1 } },
      token: `t${second}`,
    });
    const text = (last: object[]) =>
      new Response(
        JSON.stringify(last).replaceAll('"balance":1', '"balance":12345678901234567890'),
      );
    const { events, follow } = serve([odd(1)], { respond: text });
    const follower = follow();
    expect(await take(follower, 1)).toEqual([1]);
    events.push(odd(2));
    expect(await take(follower, 1)).toEqual([2]);
  });
});

test('from: "now" leaves out what is there at the first request', async () => {
  const { events, follow } = serve(eventsAt(1, 20));
  const gaps: EventGap[] = [];
  const follower = follow({
    from: "now",
    onGap: (gap) => gaps.push(gap),
    clock: {
      ...createClock(),
      sleep: async () => void (events.length < 30 && events.push(eventAt(events.length + 1))),
    },
  });
  expect(await take(follower, 10)).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
  expect(gaps).toEqual([]);
});

describe("a gap", () => {
  const between = (after: number | undefined, before: number): EventGap => ({
    device_id,
    after: after === undefined ? undefined : String(START + after * SECOND),
    before: String(START + before * SECOND),
  });

  test.each<[string, object[], object[], EventGap[]]>([
    ["more than 100 events came", eventsAt(1, 5), eventsAt(6, 200), [between(5, 101)]],
    ["100 came, and nothing is lost", eventsAt(1, 5), eventsAt(6, 105), [between(5, 6)]],
    ["99 came", eventsAt(1, 5), eventsAt(6, 104), []],
    ["100 came where there was none", [], eventsAt(1, 100), [between(undefined, 1)]],
    ["a few came where there was none", [], eventsAt(1, 99), []],
  ])("is reported if it may be one: %s", async (_, first, more, expected) => {
    const { events, follow } = serve([...first]);
    const gaps: EventGap[] = [];
    const follower = follow({
      onGap: (gap) => gaps.push(gap),
      clock: { ...createClock(), sleep: async () => void events.push(...more.splice(0)) },
    });
    const all = first.length + Math.min(100, more.length);
    expect(await take(follower, all)).toHaveLength(all);
    expect(gaps).toEqual(expected);
  });

  test("is reported if the console has dropped what was seen", async () => {
    const { events, follow } = serve(eventsAt(1, 5));
    const gaps: EventGap[] = [];
    const follower = follow({ onGap: (gap) => gaps.push(gap) });
    await take(follower, 5);
    events.splice(0, 5, eventAt(9));
    expect(await take(follower, 1)).toEqual([9]);
    expect(gaps).toEqual([between(5, 9)]);
  });

  test("is reported before the first event after it, and the follower continues after an error of onGap", async () => {
    const { events, follow } = serve(eventsAt(1, 2));
    const seen: unknown[] = [];
    const follower = follow({
      async onGap() {
        await Promise.resolve();
        seen.push("gap");
        throw new Error("stop here");
      },
    });
    seen.push(...(await take(follower, 2)));
    events.push(...eventsAt(3, 150));
    await expect(follower.next()).rejects.toThrow("stop here");
    seen.push(...(await take(follower, 2)));
    expect(seen).toEqual([1, 2, "gap", 51, 52]);
  });

  test("is a warning in the log of the client without onGap, with times and no payload", async () => {
    const lines: unknown[][] = [];
    const none = () => undefined;
    const logger = {
      debug: none,
      info: none,
      error: none,
      warn: (...line: unknown[]) => lines.push(line),
    };
    const { events, follow } = serve(eventsAt(1, 2), { logger });
    const follower = follow();
    await take(follower, 2);
    events.push(...eventsAt(3, 150));
    await take(follower, 1);
    expect(lines).toEqual([
      [
        "devices.follow (GET /api/v1/devices/:device_id/events): events of a device may be lost after 2026-11-20T08:30:02.000Z " +
          "and before 2026-11-20T08:30:51.000Z: no event of the last response was seen before. Pass onGap to handle it.",
        expect.objectContaining({ call: "devices.follow", device_id }),
      ],
    ]);
  });
});

describe("a checkpoint", () => {
  test("is there after the first request, is small JSON, and has nothing of the events but a time", async () => {
    const { follow } = serve(eventsAt(1, 150));
    const follower = follow();
    expect(follower.checkpoint()).toBeUndefined();
    await take(follower, 100);
    const json = JSON.stringify(follower.checkpoint());
    expect(json.length).toBeLessThan(2_000);
    expect(json).not.toContain(uplinkEvent.data.payload);
    expect(json).not.toContain(device_id);
    expect(JSON.parse(json)).toMatchObject({
      version: 1,
      call: "devices.follow",
      newest: eventAt(150).reported_at,
    });
  });

  test("resumes after the last event that was returned, in another process, and keeps equal events apart", async () => {
    const first = [eventAt(1), eventAt(1), ...eventsAt(2, 9)];
    const { events, follow } = serve(first);
    const follower = follow();
    expect(await take(follower, 4)).toEqual([1, 1, 2, 3]);
    const checkpoint = JSON.parse(JSON.stringify(follower.checkpoint())) as EventsCheckpoint;
    events.push(eventAt(10));
    const resumed = await takeReady(follow, { checkpoint, from: "now" });
    expect(resumed.taken).toEqual([4, 5, 6, 7, 8, 9, 10]);
    const again = await takeReady(follow, { checkpoint: resumed.follower.checkpoint() });
    expect(again.taken).toEqual([]);
  });

  test("reports the gap of the time between", async () => {
    const { events, follow } = serve(eventsAt(1, 3));
    const { follower } = await takeReady(follow);
    events.push(...eventsAt(4, 300));
    const gaps: EventGap[] = [];
    const checkpoint = follower.checkpoint();
    await takeReady(follow, { checkpoint, onGap: (gap: EventGap) => gaps.push(gap) });
    expect(gaps).toMatchObject([
      { after: eventAt(3).reported_at, before: eventAt(201).reported_at },
    ]);
  });

  test("holds at most 200 hashes, of the last events", async () => {
    const { events, follow } = serve([]);
    const clock = createClock();
    const sleep = async () => void events.push(...eventsAt(events.length, events.length + 49));
    const follower = follow({ clock: { ...clock, sleep } });
    await take(follower, 1_000);
    expect(follower.checkpoint()?.seen).toHaveLength(200);
  });

  test.each<[string, (checkpoint: EventsCheckpoint) => unknown, string]>([
    ["changed", (each) => ({ ...each, newest: "1" }), "damaged"],
    ["of another version", (each) => ({ ...each, version: 2 }), "invalid"],
    ["a string", () => "checkpoint", "invalid"],
  ])("that is %s is rejected before a request", async (_, change, reason) => {
    const { requests, follow } = serve(eventsAt(1, 3));
    const { follower } = await takeReady(follow);
    requests.length = 0;
    const checkpoint = change(follower.checkpoint()!) as EventsCheckpoint;
    await expect(follow({ checkpoint }).next()).rejects.toMatchObject({ reason });
    expect(requests).toEqual([]);
  });

  test("of another device or server is rejected", async () => {
    const { follow, client } = serve(eventsAt(1, 3));
    const checkpoint = (await takeReady(follow)).follower.checkpoint();
    const other = { device_id: ids.label };
    await expect(client.devices.follow(other, { checkpoint }).next()).rejects.toMatchObject({
      reason: "other_input",
    });
    const elsewhere = serve([], { baseUrl: "https://other.test" });
    await expect(elsewhere.follow({ checkpoint }).next()).rejects.toBeInstanceOf(CheckpointError);
    const inCapitals = { device_id: device_id.toUpperCase() };
    const { clock } = serve();
    await client.devices
      .follow(inCapitals, { checkpoint, clock, signal: AbortSignal.abort() })
      .next();
  });
});

describe("the wait between two requests", () => {
  test("is a quarter of the time since the last new event, from a second to a minute", async () => {
    const { clock, events, follow } = serve([eventAt(0)]);
    let waited = 0;
    const follower = follow({
      clock: {
        ...clock,
        async sleep(ms, signal) {
          await clock.sleep(ms, signal);
          if ((waited += ms) >= 600_000) events.push(eventAt(600));
        },
      },
    });
    await take(follower, 2);
    expect(clock.waits.slice(0, 6)).toEqual([1_000, 1_000, 1_000, 1_000, 1_000, 1_250]);
    expect(Math.max(...clock.waits)).toBe(60_000);
    expect(clock.waits.length).toBeLessThan(35);
  });

  test("is within minWait and maxWait, and there is one before each request but the first", async () => {
    const { clock, events, requests, follow } = serve(eventsAt(0, 3));
    const sleep = async (ms: number) => {
      await clock.sleep(ms);
      events.push(eventAt(events.length));
    };
    const follower = follow({ minWait: 30_000, maxWait: 40_000, clock: { ...clock, sleep } });
    await take(follower, 10);
    expect(clock.waits).toEqual(Array<number>(6).fill(30_000));
    expect(requests).toHaveLength(7);
  });
});

test("a failure is thrown, and the next next() retries without a wait; keepTrying outlasts it", async () => {
  let failures = 2;
  const respond = (last: object[]) => (failures-- > 0 ? new Response("", { status: 503 }) : last);
  const { clock, follow } = serve(eventsAt(1, 3), { respond });
  const follower = follow();
  await expect(follower.next()).rejects.toMatchObject({ status: 503, call: "devices.events" });
  await expect(follower.next()).rejects.toMatchObject({ status: 503 });
  expect(await take(follower, 3)).toEqual([1, 2, 3]);
  expect(clock.waits).toEqual([]);
  failures = 5;
  expect(await take(follow({ keepTrying: 600_000 }), 3)).toEqual([1, 2, 3]);
});

test.each<[object, object, object]>([
  [{ device_id: "7" }, {}, { call: "devices.events", problems: [{ path: "device_id" }] }],
  [
    { device_id },
    { from: "later" },
    { call: "devices.follow", problems: [{ path: "options.from" }] },
  ],
  [{ device_id }, { onGap: 5 }, { call: "devices.follow", problems: [{ path: "options.onGap" }] }],
  [
    { device_id },
    { minWait: -1 },
    { call: "devices.follow", problems: [{ path: "options.minWait" }] },
  ],
])("names the invalid input, before a request: %o %o", async (input, options, expected) => {
  const { requests, client } = serve();
  const error: unknown = await client.devices
    .follow(input as never, options as never)
    .next()
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InputError);
  expect(error).toMatchObject(expected);
  expect(requests).toEqual([]);
});

test("an unknown option throws, and names the option that may be meant", () => {
  expect(() => serve().follow({ onGapp: () => undefined } as never)).toThrow(
    'devices.follow has no option "onGapp". Did you mean "onGap"?',
  );
});

test("with validation off, any response is read: what is not an event is left out", async () => {
  const { follow } = serve([], { validation: "off", respond: () => [null, 5, "x", eventAt(1)] });
  expect((await takeReady(follow)).taken).toEqual([1]);
});

test("six hours of a device in the sandbox are returned completely, in order and without a gap", async () => {
  const { clock, ...sandbox } = createSandbox({ seed: 1, console: { data: "empty" } });
  const client = createConsoleClient({ ...sandbox.console, retry: false });
  const { id } = await client.devices.create({ name: "Tank", ...euis });
  const input = { device_id: id };
  await clock.advance(600_000);
  const gaps: EventGap[] = [];
  const onGap = (gap: EventGap) => void gaps.push(gap);
  const follower = client.devices.follow(input, { clock, onGap, minWait: 60_000 });
  await follower.next();
  const times: number[] = [];
  const walk = (async () => {
    for await (const { reported_at } of follower) times.push(Number(reported_at));
  })();
  const start = clock.now();
  for (let minute = 0; minute < 360; minute++) await clock.advance(60_000);
  await follower.return();
  await walk;
  const all = (await client.devices.events(input)).map((event) => Number(event.reported_at));
  const expected = all.filter((time) => time > start && time <= times.at(-1)!);
  expect(times.filter((time) => time > start)).toEqual(expected.toSorted((a, b) => a - b));
  expect(expected.length).toBeGreaterThan(30);
  expect(gaps).toEqual([]);
});
