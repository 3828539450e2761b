import { describe, expect, test } from "vitest";
import { memoryStore } from "@fieldmesh/webhook-types/receiver";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import { catchUp, createMobileClient, type CatchUpReport } from "../src/index.ts";
import { storedEvent as event } from "./stored-event.ts";

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
