import * as z from "zod/mini";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  bind,
  ConnectionError,
  endpoint,
  FetchFunctionError,
  isApiError,
  page,
  withResponse,
  type ApiError,
  type CallError,
  type CallOptions,
  type Drift,
  type FetchFunction,
  type ResponseValidationError,
  type Schema,
} from "../src/internal.ts";
import { createPager } from "../src/pager.ts";
import { API_KEY, createThings, createThingsTransport, errorOf, Thing, thing } from "./things.ts";

// Which parts of a response are read, at each end of a range.

const latin1 = (text: string): Response => new Response(Buffer.from(text, "latin1"));

test("a sentence in another encoding is accepted with validation off, and a record in one is rejected", async () => {
  const create = (text: string) =>
    createThings({ fetch: async () => latin1(text), validation: "off" }).create({ name: "one" });
  expect(await create("cr\u00e9\u00e9")).toBe("cr\uFFFD\uFFFD");
  const error = await errorOf<ResponseValidationError>(create('{"id":1,"name":"\u00e9"}'));
  expect(error.problems).toEqual([{ path: "", message: "is not UTF-8" }]);
  expect(error.message).toContain(
    "The call was carried out. Configure the deployment, or the proxy in front of it, to respond in UTF-8.",
  );
  expect(error.body.reveal()).toBe('{"id":1,"name":"\uFFFD"}');
});

describe("the id of a request", () => {
  const idOf = async (headers: Record<string, string>) => {
    const things = createThings({ fetch: async () => Response.json([thing], { headers }) });
    return (await withResponse(things.list())).requestId;
  };

  test.each<[string, string | undefined]>([
    ["!", "!"],
    ["~".repeat(200), "~".repeat(200)],
    ["x".repeat(201), undefined],
    ["two words", undefined],
    [`${"x".repeat(200)} y`, undefined],
    ["y \u00e9", undefined],
    ["", undefined],
    [`id-${API_KEY}`, undefined],
  ])("%j is read as %j from each header", async (id, read) => {
    expect(await idOf({ "x-request-id": id })).toBe(read);
    expect(await idOf({ "request-id": id })).toBe(read);
  });

  test("is that of x-request-id if both headers are sent, and undefined without them", async () => {
    expect(await idOf({ "x-request-id": "one", "request-id": "two" })).toBe("one");
    expect(await idOf({})).toBeUndefined();
  });
});

describe("a redirect of a read", () => {
  async function followed(
    location: string | undefined,
    { status = 302, baseUrl = "https://things.test/api" } = {},
  ): Promise<string | undefined> {
    const sent: string[] = [];
    const headers: Record<string, string> = location === undefined ? {} : { location };
    const fetch: FetchFunction = async (url) => {
      sent.push(url);
      return sent.length === 1 ? new Response(null, { status, headers }) : Response.json([thing]);
    };
    await createThings({ baseUrl, fetch, retry: false })
      .list()
      .catch((error: unknown) => expect(isApiError(error, status)).toBe(true));
    return sent[1];
  }

  test.each([
    [300, false],
    [301, true],
    [302, true],
    [303, true],
    [304, false],
    [305, false],
    [307, true],
    [308, true],
  ])("with the status %i is followed: %s", async (status, isFollowed) => {
    expect((await followed("/api/b", { status })) === "https://things.test/api/b").toBe(isFollowed);
  });

  test.each<[string | undefined, boolean]>([
    ["/api/", true],
    ["b?c=d#e", true],
    ["https://things.test:443/api/b", true],
    ["/api", false],
    ["/apis/b", false],
    ["/b/api/c", false],
    ["http://things.test/api/b", false],
    ["https://things.test:8443/api/b", false],
    ["https://user@things.test/api/b", false],
    ["https://:word@things.test/api/b", false],
    ["/api/%2Fb", false],
    ["/api/%5cb", false],
    ["/api/%252e", false],
    ["/api/%2eb", true],
    ["https://", false],
    [undefined, false],
  ])("to %s is followed only if it stays below the base URL: %s", async (location, isFollowed) => {
    for (const baseUrl of ["https://things.test/api", "https://things.test/api/"])
      expect((await followed(location, { baseUrl })) !== undefined).toBe(isFollowed);
  });
});

describe("the client reads", () => {
  const KIB = 1_024;

  test("at most 256 KiB of the body of an error", async () => {
    const seen: number[] = [];
    const errorBody = async (size: number, options: CallOptions = {}) => {
      const fetch: FetchFunction = async () => new Response("x".repeat(size), { status: 404 });
      const hooks = { onResponse: ({ bytes }: { bytes: number }) => seen.push(bytes) };
      const error = await errorOf<ApiError>(createThings({ fetch, hooks }).list(options));
      return error.body.reveal().length;
    };
    expect(await errorBody(256 * KIB)).toBe(256 * KIB);
    expect(await errorBody(256 * KIB + 1)).toBe(0);
    expect(await errorBody(11, { maxResponseBytes: 10 })).toBe(11);
    expect(seen).toEqual([256 * KIB, 256 * KIB, 11]);
  });

  test("at most maxResponseBytes of the body of a success", async () => {
    const body = JSON.stringify([thing]);
    const list = (maxResponseBytes: number) =>
      createThings({ fetch: async () => new Response(body) }).list({ maxResponseBytes });
    expect(await list(body.length)).toEqual([thing]);
    const error = await errorOf<ResponseValidationError>(list(body.length - 1));
    expect(error).toMatchObject({ status: 200, outcome: "applied", call: "things.list" });
    expect(error.problems).toEqual([
      { path: "", message: `is larger than maxResponseBytes (${body.length - 1})` },
    ]);
    expect(error.message).toContain(
      "If you expect a response of that size, raise maxResponseBytes",
    );
    expect(error.body.reveal()).toBe("");
  });
});

test("a web page is reported as a web page, without a path", async () => {
  const fetch: FetchFunction = async () => new Response("<!doctype html><p>Sign in");
  const error = await errorOf<ResponseValidationError>(createThings({ fetch }).list());
  expect(error.problems).toEqual([{ path: "", message: "it is a web page" }]);
});

describe("a caller's schema", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const fetch: FetchFunction = async () => Response.json(thing);
  const schemaOf = (validate: (value: unknown) => unknown): Schema<unknown> =>
    ({ "~standard": { version: 1, vendor: "test", validate } }) as Schema<unknown>;
  const create = (schema: Schema<unknown>, signal?: AbortSignal) =>
    createThings({ fetch, totalTimeout: 5_000 }).create({ name: "one" }, { schema, signal });

  test("that settles with any result leaves no timer", async () => {
    expect(await create(schemaOf((value) => ({ value })))).toEqual(thing);
    await errorOf(create(schemaOf(() => ({ issues: [{ message: "no" }] }))));
    expect(vi.getTimerCount()).toBe(0);
  });

  test("that never settles is ended by totalTimeout or the signal, with the outcome applied", async () => {
    const never = schemaOf(() => new Promise(() => undefined));
    const controller = new AbortController();
    const calls = [
      errorOf<CallError>(create(never)),
      errorOf<CallError>(create(never, new AbortController().signal)),
      errorOf<CallError>(create(never, controller.signal)),
    ] as const;
    await vi.advanceTimersByTimeAsync(1_000);
    controller.abort("enough");
    await vi.advanceTimersByTimeAsync(4_000);
    const [late, lateToo, aborted] = await Promise.all(calls);
    for (const error of [late, lateToo]) {
      expect(error.name).toBe("TimeoutError");
      expect(error.message).toContain("within 5000 ms (totalTimeout). It was carried out, but");
    }
    expect(aborted).toMatchObject({ name: "AbortError", cause: "enough" });
    expect(aborted.message).toContain("It was carried out, but its response was not read");
    for (const error of [late, lateToo, aborted])
      expect(error).toMatchObject({
        call: "things.create",
        route: "POST /v1/things",
        outcome: "applied",
        attempts: [{ status: 200 }],
      });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("that aborts the signal of its call ends the call", async () => {
    const controller = new AbortController();
    const schema = schemaOf((value) => (controller.abort(), { value }));
    expect(await errorOf(create(schema, controller.signal))).toMatchObject({ name: "AbortError" });
  });

  test.each<[string, unknown]>([
    ["a value that is undefined", { value: undefined }],
    ["a value that is false", { value: false, issues: undefined }],
  ])("may return %s", async (_what, result) => {
    expect(await create(schemaOf(() => result))).toBe((result as { value: unknown }).value);
  });

  test.each<[string, unknown, string]>([
    ["issues next to a value", { value: 1, issues: [{ message: "", path: ["id"] }] }, "id"],
    ["an empty list of issues", { issues: [] }, ""],
    ["neither value nor issues", {}, ""],
    ["nothing", undefined, ""],
  ])("that returns %s causes a ResponseValidationError", async (_what, result, path) => {
    const error = await errorOf<ResponseValidationError>(create(schemaOf(() => result)));
    expect(error.problems).toEqual([{ path, message: "does not fit the schema" }]);
    expect(error.message).toContain("Correct the schema of the call.");
  });

  test("reports at most twenty problems, and hides field names that are secrets", async () => {
    const issues = Array.from({ length: 500 }, (_, index) => ({
      message: "",
      path: [index === 0 ? API_KEY.toLowerCase() : `field_${index}`],
    }));
    const error = await errorOf<ResponseValidationError>(create(schemaOf(() => ({ issues }))));
    expect(error.problems).toHaveLength(20);
    expect(error.problems[1]?.path).toBe("field_1");
    expect(JSON.stringify(error.problems)).not.toContain(API_KEY.toLowerCase());
  });
});

describe("drift", () => {
  const maps = {
    read: endpoint("GET /v1/maps", {
      result: z.record(z.string(), z.number()),
    }),
    walk: endpoint("GET /v1/maps/all", {
      result: page(Thing),
    }),
  };

  test("is counted separately for a thousand places, and together for all others", async () => {
    let at = 0;
    const drifts: Drift[] = [];
    const names = (): string[] => Array.from({ length: 20 }, () => `field_${at++}`);
    let asked: string[] = [];
    const transport = createThingsTransport({
      validation: "warn",
      onDrift: (drift) => drifts.push(drift),
      fetch: async () => Response.json(Object.fromEntries(asked.map((name) => [name, "x"]))),
    });
    const { read } = bind("maps", maps, transport, createPager);
    const countsOf = async (fields: string[]): Promise<number[]> => {
      asked = fields;
      await read();
      return (drifts.at(-1)?.problems ?? []).map(({ count }) => count);
    };
    for (let round = 0; round < 49; round++) await countsOf(names());
    const last = names();
    expect(await countsOf(last)).toEqual(last.map(() => 1));
    expect(at).toBe(1_000);
    expect(await countsOf(["more_1", "more_2"])).toEqual([1, 2]);
    expect(await countsOf(["more_1"])).toEqual([3]);
    expect(await countsOf(["field_0", "field_999"])).toEqual([2, 2]);
  });

  test("is printed once for each place without onDrift, and only with validation: warn", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    try {
      for (const validation of ["strict", "off", "warn"] as const) {
        const { list } = createThings({
          validation,
          fetch: async () =>
            Response.json([
              { ...thing, color: 7 },
              { ...thing, color: 8 },
            ]),
        });
        await list();
        await list();
      }
      expect(warn.mock.calls).toEqual([
        [
          "things.list (GET /v1/things): the response does not fit: [].color expected string, got number. " +
            "This place is not reported again; pass onDrift to see every time.",
        ],
      ]);
    } finally {
      warn.mockRestore();
    }
  });

  test("of a whole body is logged as drift of the body", async () => {
    const lines: unknown[] = [];
    const none = (): void => undefined;
    const logger = {
      debug: none,
      info: none,
      warn: (...line: unknown[]) => lines.push(line),
      error: none,
    };
    const fetch: FetchFunction = async () => Response.json("created");
    await createThings({ fetch, logger, validation: "warn" }).create({ name: "one" });
    expect(lines).toEqual([
      [
        expect.stringContaining("the response does not fit: the body expected object, got string."),
        {
          call: "things.create",
          route: "POST /v1/things",
          problem: { path: "", message: "expected object, got string", count: 1 },
        },
      ],
    ]);
  });
});

describe("a TypeError of fetch", () => {
  const caught = (thrown: unknown): Promise<Error> =>
    errorOf(
      createThings({
        retry: false,
        fetch: async () => {
          throw thrown;
        },
      }).list(),
    );

  test.each([
    "A Network failure",
    "fetch failed",
    "Failed to fetch",
    "Load failed",
    "terminated",
    "error sending request",
    "Connection closed",
    "socket hang up",
    "The internet seems offline",
    "bad port",
    "timeout",
    "time out",
    "timed out",
    "timedout",
    "aborted",
  ])("is a network failure with the message %j", async (message) => {
    expect(await caught(new TypeError(message))).toBeInstanceOf(ConnectionError);
  });

  test.each<[string, unknown, boolean]>([
    ["with a message that does not name the network", new TypeError("x is not a function"), true],
    ["with a cause", new TypeError("x", { cause: new Error("y") }), false],
    ["with a code", Object.assign(new TypeError("x"), { code: "E" }), false],
    ["that is another error", new EvalError("x"), false],
    ["that is not an Error", { name: "TypeError", message: "x" }, false],
  ])("%s is reported as the expected class: %#", async (_what, thrown, isMistake) => {
    const error = await caught(thrown);
    expect(error instanceof FetchFunctionError).toBe(isMistake);
    expect(error instanceof ConnectionError).toBe(!isMistake);
  });
});
