import { expect, test, vi } from "vitest";
import * as z from "zod";
import {
  canaries,
  everyHook,
  everythingPrinted,
  findCanary,
} from "../../../tools/canaries/canaries.ts";
import type {
  CallEvent,
  CallOptions,
  FailureEvent,
  RequestEvent,
  ResponseEvent,
} from "../src/internal.ts";
import { httpResponse, startScriptedTcp, type TcpStep } from "./scripted-tcp.ts";
import { createThings, errorOf, thing, type Things } from "./things.ts";

// Every secret and every value of a call is a canary. A test fails if any canary is printed.

const INPUT = { name: "canary-name", key: "canary-input-key" };
const echo = JSON.stringify({
  ...INPUT,
  message: `canary-name was refused with ${canaries.apiKey}`,
});
const respondWith = (status: string, body = echo): TcpStep => ({
  kind: "respond",
  text: httpResponse(body, { status, headers: "set-cookie: canary-cookie\r\n" }),
});

const calls: Record<string, (things: Things, options?: CallOptions) => Promise<unknown>> = {
  path: (things, options) => things.get({ name: INPUT.name }, options),
  query: (things, options) => things.lookUp({ name: INPUT.name }, options),
  body: (things, options) => things.createOnce(INPUT, options),
};

const failures: readonly [string, TcpStep, string, CallOptions?][] = [
  ["a 401", respondWith("401 No"), "ApiError"],
  ["a 422", respondWith("422 No"), "ApiError"],
  ["a redirect", { kind: "respond", text: redirect() }, "ApiError"],
  ["a 500", respondWith("500 Oh"), "ApiError"],
  ["a web page of a proxy", respondWith("502 Bad", "<html>canary-name</html>"), "ApiError"],
  ["a reset connection", { kind: "reset" }, "ConnectionError"],
  [
    "a connection that breaks off",
    { kind: "cut", after: success().slice(0, -4) },
    "ConnectionError",
  ],
  ["a response that is not HTTP", { kind: "garbage" }, "ConnectionError"],
  ["timeout", { kind: "hang" }, "TimeoutError", { timeout: 30 }],
  ["totalTimeout", { kind: "hang" }, "TimeoutError", { totalTimeout: 30 }],
  [
    "a response that does not match",
    respondWith("201 Created", '{"id":"x","key":"canary","token":["canary"]}'),
    "ResponseValidationError",
  ],
  [
    "a response that is too large",
    respondWith("200 OK"),
    "ResponseValidationError",
    { maxResponseBytes: 10 },
  ],
];

test.for(failures)(
  "the error after %s prints no value of the call",
  async ([, step, name, options]) => {
    for (const call of Object.values(calls)) {
      await using server = await startScriptedTcp(step);
      const { seen, hooks } = watching();
      const things = createThings({ baseUrl: server.baseUrl, retry: false, hooks });
      const error = await errorOf(call(things, options));
      expect(error.name).toBe(name);
      expectNoCanary(error, seen);
    }
  },
);

test("an AbortError does not print the reason of the signal", async () => {
  await using server = await startScriptedTcp({ kind: "hang" });
  for (const call of Object.values(calls)) {
    const { seen, hooks } = watching();
    const things = createThings({ baseUrl: server.baseUrl, hooks });
    const error = await errorOf(call(things, { signal: AbortSignal.timeout(30) }));
    expect(error.name).toBe("AbortError");
    expectNoCanary(error, seen);
  }
});

test.for<[string, (things: Things) => unknown]>([
  ["a path value that leaves its segment", (things) => things.get({ name: "canary/../x" })],
  ["a path value of the wrong type", (things) => things.get({ name: ["canary"] as never })],
  ["a secret that is too short", (things) => things.create({ name: "one", key: "can" })],
  ["an unknown field", (things) => things.create({ name: "one", other: "canary" } as never)],
  ["an input that is not an object", (things) => things.create("canary" as never)],
])("the error of %s prints no value of the input", async ([, call]) => {
  const { seen, hooks } = watching();
  const error = await errorOf(call(createThings({ hooks })) as Promise<unknown>);
  expect(error.name).toBe("InputError");
  expect(everythingPrinted(error)).not.toContain("can:");
  expectNoCanary(error, seen);
});

test("an error of a caller's schema prints no value of the response", async () => {
  await using server = await startScriptedTcp(
    respondWith("201 Created", JSON.stringify({ ...thing, key: "canary" })),
  );
  const { seen, hooks } = watching();
  const schema = z.object({ name: z.literal("x"), key: z.string() });
  const things = createThings({ baseUrl: server.baseUrl, hooks });
  const error = await errorOf(things.create(INPUT, { schema }));
  expect(error.name).toBe("ResponseValidationError");
  expectNoCanary(error, seen);
});

test("drift and a success print no value of the response", async () => {
  const wire = JSON.stringify({ id: "canary", name: "one", key: "canary" });
  await using server = await startScriptedTcp(respondWith("201 Created", wire));
  const { seen, hooks } = watching();
  const onDrift = (drift: unknown): void => void seen.push(drift);
  const things = createThings({
    baseUrl: server.baseUrl,
    hooks: { onRequest: hooks.onRequest },
    validation: "warn",
    onDrift,
  });
  const output = (await things.create({ ...INPUT, name: "one" })) as { key: unknown };
  expect(seen).toHaveLength(2);
  expectNoCanary(output.key, seen);
});

test("ky receives only the origin, so that none of its errors can contain a path, a query or a key", async () => {
  const made: string[] = [];
  class Watched extends Request {
    constructor(...args: ConstructorParameters<typeof Request>) {
      super(...args);
      made.push(this.url, JSON.stringify([...this.headers]));
    }
  }
  vi.stubGlobal("Request", Watched);
  try {
    await createThings({ fetch: async () => Response.json([thing]) }).find({ name: "canary" });
  } finally {
    vi.unstubAllGlobals();
  }
  expect(made).toContain("https://things.test/");
  expect(made.join()).not.toMatch(/canary|search/);
});

function watching() {
  const seen: unknown[] = [];
  return { seen, hooks: everyHook((_, event) => seen.push(hideName(event))) };
}

/** Hooks may show the name, which is a plain field of the input. The tests require that no error shows it. */
function hideName(event: CallEvent & { readonly input?: unknown }): object {
  return "input" in event ? { ...event, input: { ...(event.input as object), name: "" } } : event;
}

function expectNoCanary(error: unknown, seen: readonly unknown[]): void {
  expect(everythingPrinted(error)).not.toMatch(/canary|c4n4ry/i);
  expect(everythingPrinted(seen)).not.toMatch(/canary|c4n4ry/i);
  expect(findCanary(everythingPrinted([error, seen]))).toBeUndefined();
  expect(findCanary(everythingPrinted(error))).toBeUndefined();
}

function success(): string {
  return httpResponse(echo, { status: "200 OK" });
}

function redirect(): string {
  return httpResponse("", {
    status: "302 Found",
    headers: `location: https://x.test/?key=${canaries.apiKey}\r\n`,
  });
}

test("hooks receive each attempt in redacted form", async () => {
  const seen: unknown[] = [];
  let count = 0;
  const things = createThings({
    fetch: async () => {
      if (++count === 1)
        throw Object.assign(new TypeError("fetch failed"), {
          cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }),
        });
      return Response.json(
        { ...thing, key: "canary-answer" },
        { status: 201, headers: { "set-cookie": "canary-cookie" } },
      );
    },
    headers: { authorization: "Basic canary-header" },
    hooks: {
      onRequest: ({ call, route, attempt, headers, input }: RequestEvent) =>
        seen.push({
          call,
          route,
          attempt,
          key: headers["key"],
          authorization: headers["authorization"],
          input,
        }),
      onFailure: ({ call, attempt, failure, duration }: FailureEvent) =>
        seen.push({ call, attempt, failure, timed: duration >= 0 }),
      onResponse: ({ call, attempt, status, bytes, body, headers }: ResponseEvent) =>
        seen.push({ call, attempt, status, sized: bytes > 0, body, cookie: headers["set-cookie"] }),
    },
  });
  await things.create({ name: "one", key: "canary-input" });
  const request = {
    call: "things.create",
    route: "POST /v1/things",
    key: "[redacted]",
    authorization: "[redacted]",
    input: { name: "one", key: "[redacted]" },
  };
  expect(seen).toEqual([
    { ...request, attempt: 1 },
    { call: "things.create", attempt: 1, failure: "ECONNREFUSED", timed: true },
    { ...request, attempt: 2 },
    {
      call: "things.create",
      attempt: 2,
      status: 201,
      sized: true,
      body: { ...thing, key: "[redacted]" },
      cookie: "[redacted]",
    },
  ]);
  expect(everythingPrinted(seen)).not.toMatch(/canary|c4n4ry/);
  expect(findCanary(everythingPrinted(seen))).toBeUndefined();
});

test("a hook receives no error body, because the body may repeat anything", async () => {
  const seen: ResponseEvent[] = [];
  const things = createThings({
    fetch: async () => Response.json({ any: "canary" }, { status: 422 }),
    hooks: { onResponse: (event) => seen.push(event) },
  });
  await things.create({ name: "one" }).catch(() => undefined);
  expect(seen).toMatchObject([{ status: 422, body: undefined }]);
});

test("hooks receive only the names of undeclared fields, such as a recorded request", async () => {
  const seen: ResponseEvent[] = [];
  const recorded = {
    headers: { accept: "canary-1", "x-any": "canary-2" },
    body: { downlink_url: "https://console.test/down/canary-3", name: "shown" },
    url_params: { a: "canary-4" },
  };
  const things = createThings({
    fetch: async () => Response.json([{ ...thing, req: recorded }]),
    hooks: { onResponse: (event) => seen.push(event) },
  });
  await things.list();
  expect(seen).toMatchObject([{ body: [{ ...thing, req: "[undeclared]" }] }]);
  expect(everythingPrinted(seen)).not.toMatch(/canary|shown/);
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
