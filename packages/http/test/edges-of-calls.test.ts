import * as z from "zod/mini";
import { describe, expect, test } from "vitest";
import {
  bind,
  bindClient,
  endpoint,
  showTextOf,
  type ClientMethods,
  type FetchFunction,
  type ResponseValidationError,
  type SharedCounter,
} from "../src/internal.ts";
import { createThings, createThingsTransport, errorOf } from "./things.ts";
import type { ThingsOptions } from "./things.ts";

describe("field names in a response", () => {
  const rows = {
    read: endpoint("GET /v1/maps", {
      result: z.object({ sizes: z.record(z.string(), z.number()), other: z.strictObject({}) }),
    }),
  };

  test("are shown in problems, unless they are secrets of the call", async () => {
    const body = { sizes: { water: "x", pump_key: "x" }, other: { pump_key: 1 } };
    const fetch: FetchFunction = async () => Response.json(body);
    const problemsWith = async (apiKey: string) => {
      const { read } = bind("maps", rows, createThingsTransport({ fetch, apiKey }));
      return (await errorOf<ResponseValidationError>(read())).problems;
    };
    expect(await problemsWith("other_key")).toEqual([
      { path: "sizes.water", message: "expected number, got string" },
      { path: "sizes.pump_key", message: "expected number, got string" },
      { path: "other", message: "has no field pump_key" },
    ]);
    expect(await problemsWith("pump_key")).toEqual([
      { path: "sizes.water", message: "expected number, got string" },
      { path: "[redacted]", message: "expected number, got string" },
      { path: "other", message: "does not fit the schema" },
    ]);
  });
});

test("showTextOf hides strings of a service that contain a secret of the call", async () => {
  const { request } = createThingsTransport({ fetch: async () => new Response("ok") });
  const show = await showTextOf(
    request({ method: "POST", path: "/v1/any", body: { key: "water-pump-7" } }),
  );
  expect(show("is taken")).toBe("is taken");
  expect(show("water-pump-7 is taken")).toBeUndefined();
});

describe("the copy of an error of a custom fetch", () => {
  const caught = async (thrown: Error): Promise<Error> => {
    const fetch: FetchFunction = async () => {
      throw thrown;
    };
    const error = await errorOf(createThings({ fetch, apiKey: "water-key-77" }).list());
    return error.cause as Error;
  };

  test("has its name, the beginning of its message, and the frames of its stack", async () => {
    const thrown = new RangeError("x".repeat(5_001));
    thrown.stack = [
      "RangeError: x",
      "    at run (file.js:2:2)",
      "    at open (https://a.test/?k=water-key-77)",
      "at nowhere",
      "\tat last (file.js:3:3)",
    ].join("\n");
    const cause = await caught(thrown);
    expect(cause.name).toBe("RangeError");
    expect(cause.message).toBe("x".repeat(5_000));
    expect(cause.stack?.split("\n")).toEqual([
      `RangeError: ${"x".repeat(5_000)}`,
      "    at run (file.js:2:2)",
      "\tat last (file.js:3:3)",
    ]);
    expect(cause).not.toBe(thrown);
    expect(Object.keys(cause)).toEqual([]);
  });
});

/** Returns the name of a budget: the first half of a SHA-256. */
async function nameOf(owner: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(owner));
  return `${Buffer.from(digest).toString("hex").slice(0, 32)}:requests`;
}

describe("a client", () => {
  interface Client extends ClientMethods<Client, ThingsOptions> {}
  const create = (options: ThingsOptions, parent?: ThingsOptions["parent"]): Client =>
    bindClient(createThingsTransport({ ...options, ...(parent && { parent }) }), options, create);
  const get = { method: "GET", path: "/v1/things" } as const;
  const fetch: FetchFunction = async () => Response.json([]);

  test("returns the state of its limits, which withOptions shares unless other limits are configured", async () => {
    const client = create({ fetch, rateLimit: 5 });
    const same = client.withOptions({ timeout: 5 });
    const other = client.withOptions({ rateLimit: 7 });
    const another = client.withOptions({ apiKey: "another" });
    await client.request(get);
    await same.request(get);
    await other.withOptions({ timeout: 5 }).request(get);
    const leftOf = ({ rateLimit }: Client) => [
      rateLimit.state().reads.limit,
      rateLimit.state().reads.left,
    ];
    expect([client, same, other, another].map(leftOf)).toEqual([
      [5, 3],
      [5, 3],
      [7, 6],
      [5, 5],
    ]);
    expect(client.rateLimit.state().reads.source).toBe("option");
  });

  test("counts reads and writes separately if the service does, also after withOptions", async () => {
    const rateLimit = { reads: 9, writes: 4 };
    const client = create({ fetch, rateLimit: 5, service: { countsWritesApart: true } });
    const other = client.withOptions({ rateLimit });
    for (const each of [client, other])
      await each.request({ method: "POST", path: "/v1/any", body: {} });
    const { reads, writes } = other.rateLimit.state();
    expect([reads.limit, reads.left, writes.limit, writes.left]).toEqual([9, 9, 4, 3]);
  });

  test("counts reads and writes as its service does if no limit is configured", async () => {
    const limited: FetchFunction = async () =>
      Response.json([], {
        headers: { "ratelimit-limit": "9", "ratelimit-remaining": "3", "ratelimit-reset": "60" },
      });
    for (const countsWritesApart of [true, false]) {
      const client = create({ fetch: limited, rateLimit: 5, service: { countsWritesApart } });
      const other = client.withOptions({ rateLimit: undefined });
      await other.request(get);
      const { reads, writes } = other.rateLimit.state();
      expect(reads.limit).toBe(9);
      expect(writes.limit).toBe(countsWritesApart ? undefined : 9);
    }
  });

  test("shares a store with clients of the same server and key, under a name that shows neither", async () => {
    const budgets: SharedCounter[] = [];
    const shared = {
      take: async (budget: SharedCounter) => (budgets.push(budget), 0),
      block: async () => undefined,
    };
    const limit = { requests: 5, shared };
    const client = create({ fetch, rateLimit: limit, apiKey: "one" });
    const others: ThingsOptions[] = [
      { rateLimit: { requests: 7, window: 500, shared } },
      { apiKey: "two" },
      { baseUrl: "https://other.test" },
      { apiKey: () => "three" },
    ];
    for (const each of [client, ...others.map((options) => client.withOptions(options))])
      await each.request(get);
    expect(budgets.map((budget) => [budget.limit, budget.window])).toEqual([
      [5, 60_000],
      [7, 500],
      [5, 60_000],
      [5, 60_000],
      [5, 60_000],
    ]);
    const keys = budgets.map(({ key }) => key);
    expect(keys[1]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(4);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}:requests$/);
    // A store that processes share requires the same names in each process.
    expect(keys[0]).toBe(await nameOf("https://things.test one"));
    expect(keys[3]).toBe(await nameOf("https://other.test one"));
  });
});
