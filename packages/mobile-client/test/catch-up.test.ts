import { describe, expect, test, vi } from "vitest";
import { memoryStore } from "@fieldmesh/webhook-types/receiver";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import {
  catchUp,
  createMobileClient,
  type CatchUpOptions,
  type CatchUpReport,
} from "../src/index.ts";
import { storedEvent as event } from "./nights.ts";

/** Runs catchUp over these events. Returns the totals, the order of the handlers, and the requests. */
async function run(events: readonly unknown[], options: Partial<CatchUpOptions> = {}) {
  const sent: string[] = [];
  const client = createMobileClient({
    baseUrl: "https://mobile.test",
    apiKey: "sk_sandbox_x",
    onDrift: () => undefined,
    fetch: async (url) => {
      sent.push(url);
      return Response.json({ data: events });
    },
  });
  const seen: string[] = [];
  const router = createEventRouter({
    "*": async ({ id }) => {
      seen.push(`${id} begins`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      seen.push(`${id} ends`);
    },
  });
  const totals = await catchUp({
    client,
    since: new Date(0),
    router,
    store: memoryStore(),
    ...options,
  });
  return { totals, seen, sent };
}

describe("the options of catchUp", () => {
  test.each<[object, string]>([
    [{ signal: "stop" }, "signal must be an AbortSignal; it is a string."],
    [
      { client: undefined },
      "client must be a client, such as createMobileClient({ … }); it is undefined.",
    ],
    [
      { client: {} },
      "client must be a client, such as createMobileClient({ … }); it is an object.",
    ],
    [{ client: { events: {} } }, "client must be a client"],
    [{ since: undefined }, "since must be a Date, or an ISO 8601 string; it is undefined."],
    [{ since: 0 }, "since must be a Date, or an ISO 8601 string; it is a number."],
    [
      { since: "yesterday" },
      "since must be a Date, or an ISO 8601 string; it is not a time such as",
    ],
    [{ clock: 0 }, "clock must be a clock, such as that of a sandbox; it is a number."],
    [{ deliveriesEnd: -1 }, "deliveriesEnd must be an integer from 0 to 31536000000"],
    [{ deliveryOnly: ["sim.*"] }, "deliveryOnly must be a list of"],
    [{ concurrency: 0 }, "concurrency must be"],
    [{ overlap: -1 }, "overlap must be"],
    [{ sinse: 0 }, 'catchUp has no option "sinse". Did you mean "since"?'],
  ])("reject %j", async (options, message) => {
    const failed = run([], options as never);
    await expect(failed).rejects.toThrow(TypeError);
    await expect(failed).rejects.toThrow(message);
  });

  test("must be an object", async () => {
    await expect(catchUp("x" as never)).rejects.toThrow(
      "catchUp requires an object of options, such as { client, since, router, store }, not a string.",
    );
  });

  test("query is sent with the request for the list", async () => {
    const { sent } = await run([], { query: { created_after: "x" } });
    expect(new URL(sent[0]!).searchParams.get("created_after")).toBe("x");
  });

  test.each(["America/Los_Angeles", "UTC", "Asia/Kolkata"])(
    "since without a zone is UTC, like the times of the events, in %s",
    async (zone) => {
      vi.stubEnv("TZ", zone);
      try {
        const hours = ["06", "08", "10", "12", "20"];
        const events = hours.map((hour) => event(hour, { created_at: `2026-11-20T${hour}:00:00` }));
        for (const since of ["2026-11-20T08:00:00", "2026-11-20T08:00:00Z"]) {
          const { totals } = await run(events, { since, validation: "off" });
          expect(totals.handled).toBe(4);
        }
        expect((await run(events, { since: "2026-11-20", validation: "off" })).totals.handled).toBe(
          5,
        );
      } finally {
        vi.unstubAllEnvs();
      }
    },
  );

  test("since skips the events that were created before it, but not at it", async () => {
    const events = [
      event("before", { created_at: "2026-11-20T08:29:59Z" }),
      event("at"),
      event("unreadable", { created_at: "soon" }),
    ];
    for (const since of ["2026-11-20T08:30:00Z", new Date("2026-11-20T08:30:00Z")]) {
      const { seen } = await run(events, { since, validation: "off" });
      expect(seen.filter((each) => each.endsWith("begins"))).toEqual([
        "at begins",
        "unreadable begins",
      ]);
    }
  });

  test("signal ends catchUp after the events in progress", async () => {
    const controller = new AbortController();
    const failed = run([event("a"), event("b")], {
      signal: controller.signal,
      onOutcome: () => controller.abort(),
    });
    await expect(failed).rejects.toMatchObject({ name: "AbortError" });
  });

  test("onOutcome may throw, and its error is printed", async () => {
    const warn = vi.spyOn(console, "error").mockReturnValue();
    const others = vi.spyOn(console, "warn").mockReturnValue();
    const { totals } = await run([event("a")], {
      onOutcome: () => {
        throw new Error("no disk");
      },
    });
    expect(totals.handled).toBe(1);
    const printed = [...warn.mock.calls, ...others.mock.calls].flat().join();
    expect(printed).toContain("onOutcome threw");
    vi.restoreAllMocks();
  });
});

test("concurrency limits how many events are handled at a time", async () => {
  const events = [event("a"), event("b"), event("c")];
  expect((await run(events)).seen.slice(0, 2)).toEqual(["a begins", "a ends"]);
  const { seen, totals } = await run(events, { concurrency: 2 });
  expect(seen.slice(0, 2)).toEqual(["a begins", "b begins"]);
  expect(seen).toHaveLength(6);
  expect(totals.handled).toBe(3);
});

test("an event that occurs several times in the list is handled once", async () => {
  const { seen, totals } = await run([event("a"), event("a"), event("a"), event("b")], {
    concurrency: 4,
  });
  expect(seen.toSorted()).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  expect(totals).toMatchObject({ handled: 2, duplicate: 2, in_progress: 0 });
});

test("catchUp passes validation and onDrift to the parser", async () => {
  const wrong = event("a", { data: { object: { id: 7 } } });
  const drift: unknown[] = [];
  const lenient = await run([wrong], {
    validation: "warn",
    onDrift: (each) => void drift.push(each),
  });
  expect(lenient.totals.handled).toBe(1);
  expect(drift).toHaveLength(1);
  const silent = await run([wrong], {
    validation: "off",
    onDrift: (each) => void drift.push(each),
  });
  expect(silent.totals.handled).toBe(1);
  expect(drift).toHaveLength(1);
});

test("an error of the caller's parser ends catchUp, unless the event is invalid", async () => {
  const parse = (): never => {
    throw new RangeError("the table of tenants is gone");
  };
  await expect(run([event("a")], { parse })).rejects.toThrow("the table of tenants is gone");
});

test("the caller's parser keeps its own options unless catchUp has others", async () => {
  const parse = vi.fn((stored: unknown) => stored as never);
  await run([event("a")], { parse });
  expect(parse).toHaveBeenCalledExactlyOnceWith(expect.anything(), { source: "store" });
  const onDrift = () => undefined;
  await run([event("a")], { parse, validation: "off", onDrift });
  expect(parse).toHaveBeenLastCalledWith(expect.anything(), {
    source: "store",
    validation: "off",
    onDrift,
  });
});

/** Creates a client whose server responds with these pages in turn. */
function clientOf(pages: readonly unknown[], options: object = {}) {
  let asked = 0;
  const client = createMobileClient({
    baseUrl: "https://mobile.test",
    apiKey: "sk_sandbox_x",
    onDrift: () => undefined,
    fetch: async () => Response.json(pages[asked++] ?? { data: [] }),
    ...options,
  });
  return { client, asked: () => asked };
}

async function catchUpWith(pages: readonly unknown[], options: object = {}) {
  const { client } = clientOf(pages, options);
  const seen: string[] = [];
  const reports: CatchUpReport[] = [];
  const totals = await catchUp({
    client,
    since: new Date(0),
    router: createEventRouter({ "*": ({ id }) => seen.push(id) }),
    store: memoryStore(),
    onOutcome: (report) => reports.push(report),
  });
  return { totals, seen, reports };
}

describe.each(["strict", "warn", "off"] as const)("with validation: %s", (validation) => {
  test.each<[object, string]>([
    [{ next_cursor: 7 }, "next_cursor"],
    [{ nextCursor: { after: 1 } }, "nextCursor"],
    [{ cursor: null, next_cursor: ["b"] }, "next_cursor"],
    [{ cursor: "", has_more: true }, "has_more"],
    [{ next_cursor: "", has_more: true }, "has_more"],
    [{ cursor: "", next_cursor: "b" }, "next_cursor"],
    [{ next: { offset: 9 } }, "next"],
    [{ next_page_token: "b" }, "next_page_token"],
    [{ meta: { has_more: true } }, "meta.has_more"],
    [{ links: { next: "/events?page=2" } }, "links.next"],
    [{ pagination: { next_cursor: "b" } }, "pagination.next_cursor"],
    [{ hasMore: true }, "hasMore"],
    [{ next_page: 2 }, "next_page"],
    [{ _links: { next: "/events?page=2" } }, "_links.next"],
    [{ paging: { hasMore: true } }, "paging.hasMore"],
  ])("a page of events with %j is an error, not the last page", async (rest, path) => {
    const page = { data: [event("evt_1")], ...rest };
    const list = clientOf([page], { validation }).client.events.list();
    const error = { name: "ResponseValidationError", outcome: "applied", problems: [{ path }] };
    await expect(list.toArray({ limit: 9 })).rejects.toMatchObject(error);
    await expect(catchUpWith([page], { validation })).rejects.toMatchObject(error);
  });

  test.each<object>([
    {},
    { cursor: null, next_cursor: null, has_more: false, next: "" },
    { cursor: "" },
    {
      next_cursor: "",
      meta: { has_more: false, total: 1 },
      links: { next: null, self: "/events" },
    },
    { pagination: "none", paging: { page: 1, pages: 1 } },
  ])("a page of events with %j is the last page", async (rest) => {
    const { client, asked } = clientOf([{ data: [event("evt_1")], ...rest }], { validation });
    expect(await client.events.list().toArray({ limit: 9 })).toHaveLength(1);
    expect(asked()).toBe(1);
  });

  test("a list follows a cursor that is a string, under each name and next to other signs of more pages", async () => {
    const { client, asked } = clientOf(
      [
        { data: [event("evt_1")], cursor: "a", has_more: true },
        { data: [event("evt_2")], next_cursor: "b", links: { next: "/events?cursor=b" } },
        { data: [event("evt_3")], cursor: null, nextCursor: "c" },
        [event("evt_4")],
      ],
      { validation },
    );
    expect(await client.events.list().toArray({ limit: 9 })).toHaveLength(4);
    expect(asked()).toBe(4);
  });
});

test.each<[unknown]>([
  [null],
  [5],
  ["x"],
  [true],
  [[]],
  [{}],
  [{ ...event("evt_x"), type: { toString: 1 }, created_at: { toString: 1 } }],
  [{ ...event("evt_x"), id: { toString: 1 }, created_at: new Date().toISOString() }],
])("catchUp reports %j in the list as not parsed, and handles the events after it", async (odd) => {
  const { totals, seen, reports } = await catchUpWith([
    { data: [event("evt_1"), odd, event("evt_2"), odd], cursor: "b" },
    { data: [odd, event("evt_3")] },
  ]);
  expect(seen).toEqual(["evt_1", "evt_2", "evt_3"]);
  expect(totals).toMatchObject({ handled: 3, not_parsed: 3 });
  const left = reports.filter(({ outcome }) => outcome === "not_parsed");
  expect(left).toHaveLength(3);
  for (const { id, type, error } of left) {
    expect([typeof id, typeof type]).toEqual(["string", "string"]);
    expect(error).toMatchObject({ name: "EventParseError" });
  }
});

test.each([1, 2, 8])(
  "a page that fails ends catchUp with its error, after one request, with concurrency %d",
  async (concurrency) => {
    let asked = 0;
    const { client } = clientOf([], {
      retry: false,
      fetch: async () => {
        asked++;
        if (asked === 3) return new Response("down", { status: 500 });
        return Response.json({
          data: [event(`evt_${asked}a`), event(`evt_${asked}b`)],
          cursor: `c${asked}`,
        });
      },
    });
    let running = 0;
    const router = createEventRouter({
      "*": async () => {
        running++;
        await new Promise((resolve) => setTimeout(resolve, 5));
        running--;
      },
    });
    await expect(
      catchUp({ client, since: new Date(0), router, store: memoryStore(), concurrency }),
    ).rejects.toMatchObject({ name: "ApiError", status: 500 });
    expect(asked).toBe(3);
    expect(running).toBe(0);
  },
);
