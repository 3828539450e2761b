import { tracingChannel } from "node:diagnostics_channel";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type CallError,
  type Drift,
  type FailureEvent,
  type FetchFunction,
  type InputError,
  type Logger,
  type Validation,
} from "../src/internal.ts";
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

test("every error has the name of its class", async () => {
  const all = Object.entries(await import("../src/index.ts"));
  for (const [name, value] of all.filter(([each]) => /^[A-Z]\w*Error$/.test(each)))
    expect(Reflect.get(Object(value) as object, "errorName")).toBe(name);
});
