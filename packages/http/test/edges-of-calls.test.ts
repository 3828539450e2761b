import * as z from "zod/mini";
import { describe, expect, test } from "vitest";
import {
  bind,
  bindClient,
  endpoint,
  showTextOf,
  type CallError,
  type ClientMethods,
  type FetchFunction,
  type Logger,
  type ResponseValidationError,
  type SharedCounter,
} from "../src/internal.ts";
import { createThings, createThingsTransport, errorOf, thing } from "./things.ts";
import type { ThingsOptions } from "./things.ts";
import { startList, upTo } from "./list-server.ts";

// What a call hides, and what its errors say.

describe("the client redacts in a repeated value", () => {
  const { name } = { name: "https://bob77:pa55w@hooks.test/in?to=water" };

  /** Returns what a hook sees of a header with this value during a call. */
  async function shown(
    value: string,
    call: (things: ReturnType<typeof createThings>) => Promise<unknown>,
  ): Promise<string | undefined> {
    let seen: string | undefined;
    const things = createThings({
      fetch: async () => Response.json({ ...thing, data: [] }, { headers: { "x-echo": value } }),
      hooks: { onResponse: ({ headers }) => void (seen = headers["x-echo"]) },
      validation: "off",
    });
    await call(things);
    return seen;
  }

  test.each([
    ["bob77", "[redacted]"],
    ["pa55w", "[redacted]"],
    ["hooks.test", "hooks.test"],
    ["to=water", "to=water"],
  ])("only the user and password of a URL: %s becomes %s", async (value, expected) => {
    expect(await shown(value, (things) => things.create({ name }))).toBe(expected);
    expect(await shown(value, (things) => things.find({ name }))).toBe(expected);
    expect(
      await shown(value, (things) => things.get({ name: `x ${name}`.replaceAll("/", "") })),
    ).toBe(value);
  });

  test.each([
    ["1234", "[redacted]"],
    ["123", "123"],
  ])("an undeclared parameter of four or more characters: %s becomes %s", async (pin, expected) => {
    const walk = { query: { pin } };
    expect(await shown(`pin ${pin}`, (things) => things.walk({}, walk).page())).toBe(
      expected === pin ? `pin ${pin}` : expected,
    );
  });

  test("a secret of any length", async () => {
    expect(await shown("abcd", (things) => things.create({ name: "one", key: "abcd" }))).toBe(
      "[redacted]",
    );
  });
});

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

  test("has no frames if the error has none, and only the last frames of a very long stack", async () => {
    const without = new SyntaxError("no");
    delete without.stack;
    expect((await caught(without)).stack).toBe("SyntaxError: no");
    const long = new SyntaxError("no");
    long.stack = `SyntaxError: no\n    at first (a.js)\n${"-".repeat(5_000)}\n    at last (b.js)`;
    expect((await caught(long)).stack).toBe("SyntaxError: no\n    at last (b.js)");
  });

  test("can be changed by code that prints it", async () => {
    const cause = await caught(new SyntaxError("no"));
    cause.name = "Other";
    cause.stack = "none";
    expect([cause.name, cause.stack]).toEqual(["Other", "none"]);
  });
});

test.each<[string, () => unknown, string, boolean]>([
  [
    "throws",
    () => {
      throw new Error("sealed");
    },
    "threw. See cause. The next call asks the function again.",
    true,
  ],
  [
    "returns a number",
    () => 7,
    "did not return a string or a Secret. The next call asks the function again.",
    false,
  ],
])(
  "the error of an apiKey function that %s says what happened and what to do",
  async (_what, apiKey, end, hasCause) => {
    const fetch: FetchFunction = async () => Response.json([thing]);
    const error = await errorOf(createThings({ fetch, apiKey: apiKey as () => string }).list());
    expect(error.message).toBe(
      `things.list (GET /v1/things) was not sent: the function apiKey ${end}`,
    );
    expect(Object.hasOwn(error, "cause")).toBe(hasCause);
  },
);

describe("the error of a walk says what happened and what to do, for", () => {
  const base = { call: "things.walk", route: "GET /v1/things/all" };

  test("a loop", async () => {
    const list = startList({ length: 9, next: () => "c3" });
    const error = await errorOf<CallError>(list.things.walk().toArray({ limit: 99 }));
    expect(error).toMatchObject({ ...base, outcome: "rejected", attempts: [] });
    expect(error.message).toBe(
      "things.walk (GET /v1/things/all) received a cursor that it had already followed, after 2 pages and 6 items. " +
        "The walk cannot continue. Start it again later, or report the repeated cursor to the service.",
    );
  });

  test("too many empty pages", async () => {
    const list = startList({ length: 10, size: 0, next: () => `c${Math.random()}` });
    const error = await errorOf<CallError>(
      list.things.walk({}, { maxEmptyPages: 0 }).toArray({ limit: 99 }),
    );
    expect(error).toMatchObject({ ...base, outcome: "rejected", attempts: [] });
    expect(list.queries).toHaveLength(1);
  });

  test("a place that is lost", async () => {
    const list = startList({ length: 7 });
    const walk = list.things.walk().walk();
    for (const id of upTo(5)) expect((await walk.next()).value?.id).toBe(id);
    const checkpoint = walk.checkpoint();
    await walk.return();
    list.ids = upTo(60, 50);
    const error = await errorOf<CallError>(
      list.things.walk({}, { checkpoint }).toArray({ limit: 99 }),
    );
    expect(error).toMatchObject({ ...base, outcome: "rejected", attempts: [], items: 5 });
    expect(error.message).toBe(
      "things.walk (GET /v1/things/all) did not find its place after 5 items: the last of them are no longer in the list. " +
        "Read the list from its start, without a checkpoint and in one lane, and skip the items that you already have by their ids.",
    );
  });
});

describe("a logger", () => {
  const logged = async (members: object): Promise<unknown[]> => {
    const lines: unknown[][] = [];
    const write = (...line: unknown[]): void => void lines.push(line);
    const logger = { debug: write, info: write, warn: write, error: write, ...members };
    await createThings({
      fetch: async () => Response.json([thing]),
      logger: logger as Logger,
    }).list();
    return lines[0] ?? [];
  };

  test("receives the fields first only if it has pino's method bindings", async () => {
    expect(await logged({})).toEqual(["things.list (GET /v1/things) attempt 1", expect.anything()]);
    for (const bindings of [undefined, {}, "x"])
      expect((await logged({ bindings }))[0]).toBe("things.list (GET /v1/things) attempt 1");
    expect((await logged({ bindings: () => ({}) }))[1]).toBe(
      "things.list (GET /v1/things) attempt 1",
    );
  });

  test("that is null, or lacks a method, is rejected when a client is created", () => {
    const none = (): void => undefined;
    for (const logger of [null, 5, {}, { debug: none, info: none, warn: none, error: 5 }])
      expect(() => createThings({ logger: logger as never })).toThrow(
        "logger must be an object with the methods debug, info, warn and error, as console and loggers of pino and winston are; it is ",
      );
  });
});

/** Returns the name of a budget: the first half of a SHA-256. */
async function nameOf(owner: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(owner));
  return `${Buffer.from(digest).toString("hex").slice(0, 32)}:requests`;
}

test("a header that a call cannot set is reported as a problem of its options", async () => {
  const things = createThings({ fetch: async () => Response.json([thing]) });
  const error = await errorOf(things.list({ headers: { host: "x" } }));
  expect(error).toMatchObject({ name: "InputError", problems: [{ path: "options" }] });
});

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

  test("counts a call without retries, too", async () => {
    const client = create({ fetch, rateLimit: 2, retry: false });
    for (let call = 0; call < 4; call++) await client.request(get);
    expect(client.rateLimit.state().reads).toMatchObject({ left: 0, inFlight: 0, waiting: 0 });
  });

  test.each<[unknown, string]>([
    [5, "withOptions requires an object, such as { timeout: 5_000 }."],
    [null, "withOptions requires an object, such as { timeout: 5_000 }."],
    [
      {
        get timeout(): number {
          throw new Error("canary");
        },
      },
      "The argument of withOptions cannot be read: a getter or a proxy in it throws",
    ],
  ])("rejects options that cannot be read: %#", (options, message) => {
    expect(() => create({ fetch }).withOptions(options as ThingsOptions)).toThrow(message);
  });

  test("names only the method of a request whose path is not a string", async () => {
    const error = await errorOf<CallError>(
      create({ fetch }).request({ method: "PUT", path: 7 } as never),
    );
    expect(error.route).toBe("PUT /");
    const unknown = await errorOf<CallError>(create({ fetch }).request({ path: "/v1/a" } as never));
    expect(unknown.route).toBe("? /v1/a");
  });
});
