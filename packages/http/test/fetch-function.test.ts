import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { ConnectionError, FetchFunctionError, type FetchFunction } from "../src/internal.ts";
import { API_KEY, createThings, errorOf, thing } from "./things.ts";

/** Creates a client with this fetch, and counts the calls of fetch. */
function clientWith(fetch: (url: string) => unknown) {
  const calls: string[] = [];
  const things = createThings({
    fetch: (async (url) => {
      calls.push(url);
      return fetch(url);
    }) as FetchFunction,
  });
  return { things, calls };
}

describe("a mistake in the fetch option is reported as a FetchFunctionError and not retried", () => {
  test.for([
    ["a ReferenceError", () => new ReferenceError("dispatcher is not defined")],
    ["a SyntaxError", () => new SyntaxError("Unexpected token")],
    ["a RangeError", () => new RangeError("init.status must be in the range of 200 to 599")],
    ["a TypeError", () => new TypeError("agent.dispatch is not a function")],
  ] as const)("thrown as %s", async ([kind, makeError]) => {
    const { things, calls } = clientWith(() => {
      throw makeError();
    });
    const error = await errorOf(things.list());
    expect(error).toBeInstanceOf(FetchFunctionError);
    expect(error.message).toContain(`the function fetch threw ${kind}`);
    expect(error.message).toContain("Fix the function");
    expect(error.cause).toMatchObject({ name: makeError().name, message: makeError().message });
    expect(calls).toHaveLength(1);
  });

  test.for<[string, unknown, string]>([
    ["nothing", undefined, "returned undefined instead of a response"],
    ["null", null, "returned null instead of a response"],
    ["a string", "[]", "returned string instead of a response"],
    ["parsed JSON", [], "returned object instead of a response"],
    ["a record", { data: [] }, "without status and headers.get and a body"],
    ["plain headers", { status: 200, headers: {}, body: null }, "without headers.get"],
    [
      "a string body",
      { status: 200, headers: new Headers(), body: "[]" },
      "without a body that is a stream",
    ],
    ["no body", { status: 200, headers: new Headers() }, "without a body that is a stream"],
  ])("returned as %s", async ([, response, happened]) => {
    const { things, calls } = clientWith(() => response);
    const error = await errorOf(things.list());
    expect(error).toBeInstanceOf(FetchFunctionError);
    expect(error.message).toContain(happened);
    expect(calls).toHaveLength(1);
  });

  test.each([
    ["read", (response: Response) => response.text(), "whose body was read"],
    ["locked", (response: Response) => response.body?.getReader(), "whose body was read"],
  ])(
    "a response whose body is %s, for a read, a write and an error",
    async (_how, use, happened) => {
      for (const status of [200, 201, 401]) {
        const { things, calls } = clientWith(async () => {
          const response = Response.json([thing], { status });
          await use(response);
          return response;
        });
        for (const call of [() => things.list(), () => things.create({ name: "one" })]) {
          calls.length = 0;
          const error = await errorOf(call());
          expect(error).toBeInstanceOf(FetchFunctionError);
          expect(error.message).toContain(happened);
          expect(error.message).toContain("response.clone()");
          expect(calls).toHaveLength(1);
        }
      }
    },
  );

  test("one response for two calls", async () => {
    const response = Response.json([thing]);
    const { things } = clientWith(() => response);
    await things.list();
    expect(await errorOf(things.list())).toBeInstanceOf(FetchFunctionError);
  });

  test("the cause of the error shows no key of the call", async () => {
    const { things } = clientWith((url) => {
      throw new TypeError(`cannot parse ${url} with ${API_KEY}`);
    });
    const error = await errorOf(things.create({ name: "one", key: "c4n4ry-device-key" }));
    expect(error.cause).toMatchObject({ name: "TypeError", message: "[redacted]" });
    // The location in the code helps the caller.
    expect((error.cause as Error).stack).toContain("fetch-function.test.ts");
    expect(inspect(error, { depth: 9 })).not.toContain(API_KEY);
  });
});

describe("the client accepts as a response", () => {
  test("a response of another class", async () => {
    const { body, headers } = Response.json([thing]);
    const { things } = clientWith(() => ({ status: 200, ok: true, headers, body }));
    expect(await things.list()).toEqual([thing]);
  });
});

const coded = (error: Error, code: string): Error => Object.assign(error, { code });

describe("a network failure is a ConnectionError and is retried", () => {
  test.for<[string, () => Error]>([
    ["undici's fetch failed", () => new TypeError("fetch failed")],
    [
      "undici's fetch failed with a cause",
      () =>
        new TypeError("fetch failed", {
          cause: coded(new Error("other side closed"), "UND_ERR_SOCKET"),
        }),
    ],
    ["undici's terminated", () => new TypeError("terminated")],
    ["ECONNRESET", () => coded(new Error("read ECONNRESET"), "ECONNRESET")],
    [
      "node-fetch's FetchError",
      () =>
        Object.assign(new Error("request to http://proxy failed, reason: socket hang up"), {
          name: "FetchError",
          type: "system",
          code: "ECONNRESET",
        }),
    ],
    ["a TypeError with a code", () => coded(new TypeError("closed"), "ERR_STREAM_DESTROYED")],
    ["Chrome's", () => new TypeError("Failed to fetch")],
    ["Firefox's", () => new TypeError("NetworkError when attempting to fetch resource.")],
    ["Safari's", () => new TypeError("Load failed")],
    ["Deno's", () => new TypeError("error sending request for url (http://things.test/)")],
    ["a worker's", () => new Error("Network connection lost.")],
  ])("%s", async ([, makeError]) => {
    const { things, calls } = clientWith(() => {
      throw makeError();
    });
    expect(await errorOf(things.list())).toBeInstanceOf(ConnectionError);
    expect(calls).toHaveLength(3);
  });
});

test("the error of fetch is not shown, and the message says where to look", async () => {
  const { things } = clientWith(() => {
    throw new Error("Proxy response (407) !== 200 when HTTP Tunneling");
  });
  const { message } = await errorOf(things.list());
  expect(message).toContain("according to the fetch function of this client");
  expect(message).not.toContain("407");
});

test("an unexpected error is not a timeout, and its copy in cause contains no key", async () => {
  const { things, calls } = clientWith(() => ({
    status: 200,
    body: null,
    headers: {
      get() {
        throw new TypeError(`headers of ${API_KEY}`);
      },
    },
  }));
  const error = await errorOf(things.create({ name: "x" }));
  expect(error).toMatchObject({ name: "CallError", outcome: "unknown" });
  expect(error.message).toContain("failed with TypeError, which the client did not expect.");
  expect(inspect(error, { depth: 9 })).not.toContain(API_KEY);
  expect(error.cause).toMatchObject({ name: "TypeError", message: "[redacted]" });
  expect(calls).toHaveLength(1);
});

test("a body that the runtime cannot decompress causes a ConnectionError instead of a bare TypeError", async () => {
  const { things, calls } = clientWith(() => {
    const body = new ReadableStream({
      pull: (controller) => controller.error(new TypeError("Gzip decompression failed.")),
    });
    return new Response(body);
  });
  const error = await errorOf(things.list());
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ code: "NETWORK_ERROR", outcome: "unknown" });
  expect(calls).toHaveLength(3);
});

test("fetch is not called as a method, because the fetch of browsers and workers would throw", async () => {
  const things = createThings({
    async fetch(this: unknown) {
      if (this !== undefined && this !== globalThis) throw new TypeError("Illegal invocation");
      return Response.json([thing]);
    },
  });
  expect(await things.list()).toHaveLength(1);
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
