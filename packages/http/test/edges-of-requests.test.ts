import * as z from "zod/mini";
import { tracingChannel } from "node:diagnostics_channel";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { record } from "@fieldmesh/core/internal/schema";
import {
  bind,
  CursorExpiredError,
  endpoint,
  type CallError,
  type Drift,
  type FailureEvent,
  type FetchFunction,
  type InputError,
  type Logger,
  type Validation,
} from "../src/internal.ts";
import { toProblems } from "../src/errors/problem.ts";
import { splitArray } from "../src/wire/split-array.ts";
import { startList } from "./list-server.ts";
import { createThings, createThingsTransport, eachThing, errorOf, thing } from "./things.ts";

// What is rejected before a request, what hooks see of it, and how a list is read, at each end of a range.

afterEach(() => void vi.unstubAllGlobals());

const ok: FetchFunction = async () => Response.json([thing]);
const UNREADABLE = "cannot be read: a getter or a proxy in it throws";
/** Members with a getter that throws what only the client throws otherwise. */
const throwing = (name: string): object =>
  Object.defineProperty({}, name, {
    enumerable: true,
    get(): never {
      throw new TypeError("canary");
    },
  });

describe("an error of a getter is never shown", () => {
  const things = createThings({ fetch: ok });
  const { request } = createThingsTransport({ fetch: ok });

  test.each<[string, string, () => Promise<unknown>]>([
    ["of the options", "options", () => things.list(throwing("timeout") as never)],
    ["of a schema", "options", () => things.list({ schema: throwing("~standard") } as never)],
    ["of the input", "", () => things.create(throwing("name") as never)],
    ["of a walk's query", "", () => things.walk({}, { query: throwing("a") as never }).page()],
    ["of the input of a walk", "", () => things.walk(throwing("kind")).page()],
  ])("%s", async (_what, path, call) => {
    const error = await errorOf<InputError>((async () => await call())());
    expect(error.message).not.toContain("canary");
    if (error.name === "InputError")
      expect(error.problems).toEqual([{ path, message: expect.stringContaining(UNREADABLE) }]);
    else expect(error.message).toContain(UNREADABLE);
  });

  test("of the options or the schema of request", async () => {
    const get = { method: "GET", path: "/v1/any" } as const;
    for (const call of [
      request(get, throwing("timeout")),
      request({ ...get, schema: throwing("~standard") } as never),
    ])
      expect((await errorOf(call)).message).toContain(UNREADABLE);
  });
});

describe("an InputError", () => {
  test("names its call and route, has no attempts, and ends each problem with one period", async () => {
    const error = await errorOf<InputError>(
      createThings({ fetch: ok }).list({ totalTimeout: 0.5 }),
    );
    expect(error).toMatchObject({ call: "things.list", route: "GET /v1/things" });
    expect(error.attempts).toEqual([]);
    const message =
      "totalTimeout must be an integer from 1 to 2147483647, in milliseconds; it is 0.5";
    expect(error.problems).toEqual([{ path: "options", message }]);
    expect(error.message).toContain(`was not sent: options: ${message}. Correct the input`);
  });

  test.each([5, "signal", null])("is the result of options that are %j", async (options) => {
    const call = createThings({ fetch: ok }).create({ name: "one" }, options as never);
    expect((await errorOf<InputError>(call)).problems).toEqual([
      { path: "options", message: "must be an object, such as { signal }" },
    ]);
    const { request } = createThingsTransport({ fetch: ok, keyedWrites: true });
    const any = request({ method: "POST", path: "/v1/any" }, options as never);
    expect((await errorOf<InputError>(any)).problems).toHaveLength(1);
  });

  test("is no result of an unknown field that is undefined", async () => {
    const fetch: FetchFunction = async () => Response.json({ data: thing });
    const input = { name: "one", nmae: undefined } as never;
    expect(await createThings({ fetch }).get(input)).toEqual(thing);
  });

  test("is the result of a parameter that a walk cannot send", async () => {
    const { walk } = createThings({ fetch: ok });
    const problemOf = async (query: object) =>
      (await errorOf<InputError>(walk({}, { query: query as never }).page())).problems;
    expect(await problemOf({ "\ud800": "x" })).toEqual([
      { path: "query", message: "contains half of a surrogate pair" },
    ]);
    expect(await problemOf({ kind: "x" })).toEqual([
      { path: "options.query.kind", message: "is a field of the input" },
    ]);
    expect(await problemOf({ "Pump 1": {} })).toEqual([
      { path: "options.query.[…]", message: "must be a string, a number or a boolean" },
    ]);
  });
});

test.each([null, 5, "a=b", [["a", "b"]]])("request rejects the query %j", async (query) => {
  const { request } = createThingsTransport({ fetch: ok });
  const error = await errorOf<InputError>(
    request({ method: "GET", path: "/v1/any", query } as never),
  );
  expect(error.problems).toEqual([{ path: "query", message: "must be a plain object" }]);
});

test("hooks hide each value of four characters in a request of any path", async () => {
  const seen: unknown[] = [];
  const headers = { "x-echo": "page 2026" };
  const { request } = createThingsTransport({
    fetch: async () => Response.json([], { headers }),
    hooks: { onResponse: (event) => seen.push(event.headers["x-echo"]) },
  });
  for (const page of ["202", "2026"])
    await request({ method: "GET", path: "/v1/any", query: { page } });
  expect(seen).toEqual(["page 2026", "[redacted]"]);
});

test("hooks receive the fields of the path, the query and the body that the input has", async () => {
  const inputs: unknown[] = [];
  const things = createThings({
    fetch: async (url) => Response.json(url.includes("search") ? [] : { ...thing, data: thing }),
    hooks: { onRequest: ({ input }) => inputs.push(input) },
  });
  await things.find({ name: "one" });
  await things.update({ name: "one", size: 7 });
  expect(inputs).toStrictEqual([{ name: "one" }, { name: "one", size: 7 }]);
});

describe("a report of drift by a client's own code", () => {
  test.each<[Validation, number]>([
    ["strict", 1],
    ["warn", 1],
    ["off", 0],
  ])("with validation %s reaches onDrift %i times", (validation, times) => {
    const onDrift = vi.fn<(drift: Drift) => void>();
    const transport = createThingsTransport({ validation, onDrift });
    transport.reportDrift({ call: "a", route: "GET /a" }, [{ path: "b", message: "no" }]);
    expect(onDrift).toHaveBeenCalledTimes(times);
  });

  test("is printed with validation warn only", () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    try {
      for (const validation of ["strict", "off", "warn"] as const) {
        const { reportDrift } = createThingsTransport({ validation });
        reportDrift({ call: "a", route: "GET /a" }, [{ path: "b", message: "no" }]);
      }
      expect(warn).toHaveBeenCalledTimes(1);
    } finally {
      warn.mockRestore();
    }
  });

  test("has no effect if the console throws, which is printed by its name", () => {
    const lines: unknown[] = [];
    let isBroken = true;
    const warn = (line: unknown): void => {
      if (isBroken) {
        isBroken = false;
        throw new Error("closed");
      }
      lines.push(line);
    };
    vi.stubGlobal("console", { warn });
    const { reportDrift } = createThingsTransport({ validation: "warn" });
    reportDrift({ call: "a", route: "GET /a" }, [{ path: "b", message: "no" }]);
    expect(lines).toEqual([expect.stringMatching(/^console\.warn threw an error/)]);
  });
});

describe("a problem", () => {
  test("of another library's schema needs no details", () => {
    const say = (issue: object): unknown =>
      toProblems([{ message: "", ...issue }], { a: 1 }, [], "hidden")[0]?.message;
    expect(say({ code: "invalid_value" })).toBe("does not fit the schema");
    expect(say({ code: "invalid_union" })).toBe("fits none of the allowed forms, got object");
    expect(say({ errors: [[{ message: "", path: ["b"] }]] })).toBe("does not fit the schema");
  });

  test("shows a number of up to six digits as an index, also in a name", () => {
    const pathOf = (part: PropertyKey) => toProblems([{ message: "", path: [part] }], {})[0]?.path;
    expect(["12", "123456", "a1", "1a"].map(pathOf)).toEqual(["[12]", "[123456]", "a1", "[…]"]);
    expect(pathOf("1234567")).not.toBe("[1234567]");
  });

  test("of a cursor that has expired says so", () => {
    const context = { call: "a", route: "GET /a", outcome: "rejected", attempts: [] } as const;
    expect(new CursorExpiredError(context, "c2").message).toBe(
      "a (GET /a) failed with 400: the cursor has expired. Read the list from its start again. " +
        'With onCursorExpired: "restart", the client does so and resumes at the same place.',
    );
  });
});

test("a write without a shown response accepts only the type of its record", async () => {
  const rows = {
    all: endpoint("POST /v1/parts", {
      result: z.array(record({ id: z.int() })),
      open: "optional",
    }),
  };
  const all = (body: unknown): Promise<unknown> =>
    bind(
      "parts",
      rows,
      createThingsTransport({ fetch: async () => Response.json(body), onDrift: () => undefined }),
    ).all();
  expect(await all([{ id: "x" }])).toEqual([{ id: "x" }]);
  expect(await all({ id: 1 })).toBeUndefined();
});

test("the place of a walk keeps its name between versions and below a path prefix", async () => {
  const fetch: FetchFunction = async () => Response.json({ data: [thing], cursor: "c2" });
  const placeOf = async (baseUrl: string) => {
    const walk = createThings({ fetch, baseUrl }).walk({}, { prefetch: 0 }).walk();
    await walk.next();
    await walk.return();
    return walk.checkpoint();
  };
  const [root, below] = [
    await placeOf("https://things.test"),
    await placeOf("https://things.test/api/"),
  ];
  expect(below.path).toBe(root.path);
  expect(below.server).not.toBe(root.server);
  expect(root).toMatchObject({ path: "3gtjw58wus", server: "1e0njhvsb3a", version: 1 });
});

test("a walk that resumes within a page reads ahead if its limit needs the next page", async () => {
  const list = startList({ length: 12, size: 4 });
  const items = list.things.walk({}, { prefetch: 0 }).walk();
  for (let count = 0; count < 2; count++) await items.next();
  const walk = list.things.walk({}, { checkpoint: items.checkpoint(), maxItems: 4 }).walk();
  list.queries.length = 0;
  await walk.next();
  await turn();
  expect(list.queries).toHaveLength(2);
});

test("a walk can be ended after its checkpoint was taken and before its first request", async () => {
  const list = startList({ length: 3 });
  const walk = list.things.walk().walk();
  expect(walk.checkpoint().items).toBe(0);
  expect((await walk.return()).done).toBe(true);
  expect(list.queries).toEqual([]);
});

describe("a body that is not a usual stream", () => {
  const bytes = new TextEncoder().encode(JSON.stringify([thing]));

  test("may have getReader only, as in browsers that cannot iterate over streams", async () => {
    const { body } = new Response(bytes);
    const stream = { getReader: () => body!.getReader() };
    const fetch = async () => ({ status: 200, ok: true, headers: new Headers(), body: stream });
    expect(await createThings({ fetch: fetch as never }).list()).toEqual([thing]);
  });

  test.each([{}, { getReader: 5 }, 5])("is a mistake of fetch if it is %j", async (body) => {
    const fetch = async () => ({ status: 200, ok: true, headers: new Headers(), body });
    expect((await errorOf(createThings({ fetch: fetch as never }).list())).message).toContain(
      "returned an object without a body that is a stream or null",
    );
  });
});

describe("a list that is read record by record", () => {
  const readAll = async (list: AsyncIterable<unknown>): Promise<unknown[]> => {
    const records: unknown[] = [];
    for await (const each of list) records.push(each);
    return records;
  };
  const cut = (bytes: Uint8Array, at: number): Response =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(bytes.subarray(0, at));
          controller.enqueue(bytes.subarray(at));
          controller.close();
        },
      }),
    );

  test("has the same records wherever its bytes are cut", async () => {
    const records = [
      { id: 1, name: "ü€😀" },
      { id: 2, name: "b" },
    ];
    const bytes = new TextEncoder().encode(` ${JSON.stringify(records)}`);
    for (let at = 1; at < bytes.length; at++) {
      const fetch: FetchFunction = async () => cut(bytes, at);
      expect(await readAll(eachThing({ fetch }))).toEqual(records);
    }
  });

  test("keeps the body of an error that is a list, and reports a missing body", async () => {
    const failed = await errorOf<CallError & { body: { reveal(): string } }>(
      readAll(eachThing({ fetch: async () => new Response("[1]", { status: 400 }) })),
    );
    expect(failed.body.reveal()).toBe("[1]");
    const none = readAll(eachThing({ fetch: async () => new Response(null) }));
    expect((await errorOf(none)).name).toBe("ResponseValidationError");
  });

  test("closes the connection of a body that is too long and not a list", async () => {
    const cancel = vi.fn();
    const part = new TextEncoder().encode("x".repeat(20));
    const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(part);
    const fetch: FetchFunction = async () => new Response(new ReadableStream({ pull, cancel }));
    await errorOf(readAll(eachThing({ fetch, retry: false }, { maxResponseBytes: 50 })));
    expect(cancel).toHaveBeenCalledTimes(1);
  });

  test("reads no more white space than one record may have", async () => {
    let sent = 0;
    const space = new TextEncoder().encode(" ".repeat(1_000));
    const pull = (controller: ReadableStreamDefaultController) => {
      if (sent++ > 50) controller.close();
      else controller.enqueue(space);
    };
    const fetch: FetchFunction = async () => new Response(new ReadableStream({ pull }));
    await errorOf(readAll(eachThing({ fetch, retry: false }, { maxResponseBytes: 1_000 })));
    expect(sent).toBeLessThan(10);
  });

  test("leaves no timer, is traced under its name, and logs its late failure", async () => {
    vi.useFakeTimers();
    const error = vi.fn();
    const none = (): void => undefined;
    const logger: Logger = { debug: none, info: none, warn: none, error };
    const started: object[] = [];
    const channel = tracingChannel("fieldmesh:call");
    const start = (message: object): void => void started.push({ ...message });
    const subscribers = { start, end: none, asyncStart: none, asyncEnd: none, error: none };
    channel.subscribe(subscribers);
    try {
      await readAll(eachThing({ fetch: ok }));
      expect(vi.getTimerCount()).toBe(0);
      expect(started).toMatchObject([{ call: "things.each" }]);
      const bad: FetchFunction = async () => Response.json([{ id: "x" }]);
      const failed = await errorOf(readAll(eachThing({ fetch: bad, logger })));
      expect(error).toHaveBeenCalledExactlyOnceWith(failed.message, expect.anything());
    } finally {
      channel.unsubscribe(subscribers);
      vi.useRealTimers();
    }
  });

  test("names only the last attempt as the one that ended", async () => {
    const failures: FailureEvent[] = [];
    const responses = [
      new Response("", { status: 503 }),
      new Response(`[${JSON.stringify(thing)},`),
    ];
    const error = await errorOf<CallError>(
      readAll(
        eachThing({
          fetch: async () => responses.shift()!,
          hooks: { onFailure: (event) => void failures.push(event) },
        }),
      ),
    );
    expect(error.attempts).toMatchObject([
      { status: 503, failure: undefined, reason: expect.stringContaining("retried") },
      { status: 200, failure: "TRUNCATED", reason: expect.stringContaining("no cursor") },
    ]);
    expect(failures).toMatchObject([{ attempt: 2, failure: "TRUNCATED" }]);
  });
});

test("a record of exactly the largest size may end in a later part of the body", () => {
  const splitter = splitArray(4);
  expect(splitter.push('"ab"')).toEqual([]);
  expect(splitter.end).toBeUndefined();
  expect(splitter.push("]")).toEqual(['"ab"']);
  expect(splitter.end).toBe("complete");
});

test("creating a client in an outdated runtime that is not Node names no version", () => {
  const withResolvers = Promise.withResolvers.bind(Promise);
  Object.assign(Promise, { withResolvers: undefined });
  vi.stubGlobal("process", undefined);
  try {
    expect(() => createThings({ fetch: ok })).toThrow(/another runtime of 2024 or later\.$/);
  } finally {
    vi.unstubAllGlobals();
    Object.assign(Promise, { withResolvers });
  }
});

test("every error has the name of its class", async () => {
  const all = Object.entries(await import("../src/index.ts"));
  for (const [name, value] of all.filter(([each]) => /^[A-Z]\w*Error$/.test(each)))
    expect(Reflect.get(Object(value) as object, "errorName")).toBe(name);
});
