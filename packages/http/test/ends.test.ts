import { expect, test, afterEach, beforeEach, describe, vi } from "vitest";
import { getEventListeners } from "node:events";
import {
  AbortError,
  type CallError,
  type FailureEvent,
  type FetchFunction,
  TimeoutError,
  type CallOptions,
  type Fence,
  type Schema,
  ResponseValidationError,
  withResponse,
  type ClientOptions,
} from "../src/internal.ts";
import { sendJson, startHttp } from "../../../tools/testing/http-server.ts";
import { startScriptedTcp } from "./scripted-tcp.ts";
import {
  abortAfterResponse,
  createThings,
  errorOf,
  thing,
  type ThingsOptions,
  type Things,
} from "./things.ts";
import { everyHook } from "../../../tools/canaries/canaries.ts";

const reason = new Error("the user left");

test("a call with an aborted signal sends nothing", async () => {
  await using server = await startHttp((_, response) => sendJson(response, []));
  const error = await errorOf<AbortError>(
    createThings({ baseUrl: server.baseUrl }).create(
      { name: "one" },
      { signal: AbortSignal.abort(reason) },
    ),
  );
  expect(error).toMatchObject({ name: "AbortError", outcome: "not_sent", attempts: [] });
  expect(error.cause).toBe(reason);
  expect(server.received).toEqual([]);
});

test("an abort during the wait for a retry sends nothing more", async () => {
  await using server = await startHttp((_, response) =>
    response.writeHead(429, { "retry-after": "30" }).end(),
  );
  const { signal, hooks } = abortAfterResponse("no error at all");
  const error = await errorOf<AbortError>(
    createThings({ baseUrl: server.baseUrl, hooks }).create({ name: "one" }, { signal }),
  );
  expect(error).toMatchObject({
    name: "AbortError",
    outcome: "rejected",
    cause: "no error at all",
  });
  expect(server.received).toHaveLength(1);
});

test("a call accepts AbortSignal.timeout as its signal", async () => {
  await using server = await startScriptedTcp({ kind: "hang" });
  const error = await errorOf<AbortError>(
    createThings({ baseUrl: server.baseUrl }).list({ signal: AbortSignal.timeout(50) }),
  );
  expect(error.name).toBe("AbortError");
  expect((error.cause as Error).name).toBe("TimeoutError");
});

test.for(["GET", "POST"])(
  "a %s whose signal is aborted in onRequest is not sent, and its outcome is not_sent",
  async (method) => {
    const controller = new AbortController();
    let sent = 0;
    const things = createThings({
      fetch: async () => {
        sent++;
        return Response.json([thing]);
      },
      hooks: { onRequest: () => controller.abort("the user left") },
    });
    const { signal } = controller;
    const call =
      method === "GET" ? things.list({ signal }) : things.create({ name: "one" }, { signal });
    const error = await errorOf<CallError>(call);
    expect(error).toMatchObject({ name: "AbortError", outcome: "not_sent" });
    expect(sent).toBe(0);
  },
);

test("a request during which totalTimeout runs out has the outcome unknown and is in attempts", async () => {
  await using server = await startScriptedTcp({ kind: "hang" });
  const failed: FailureEvent[] = [];
  const things = createThings({
    baseUrl: server.baseUrl,
    // The limit is long enough for a busy machine to send the request.
    totalTimeout: 1_000,
    hooks: { onFailure: (event) => failed.push(event) },
  });
  const error = await errorOf<CallError>(things.create({ name: "one" }));
  expect(error).toMatchObject({ name: "TimeoutError", limit: "totalTimeout", outcome: "unknown" });
  expect(error.message).toContain("1000 ms");
  expect(error.message).toContain("check the result before you send it again");
  expect(error.attempts).toMatchObject([
    { number: 1, status: undefined, failure: "timeout", wait: undefined },
  ]);
  expect(failed).toMatchObject([{ attempt: 1, failure: "timeout" }]);
  expect(server.received).toHaveLength(1);
});

/** A fence with this time, which aborts the signal of its call instead of a request. */
function fenceOf(timeLeft: () => number) {
  const lost = new AbortController();
  const fence = { timeLeft, reject: () => lost.abort(new Error("the lease was lost")) };
  return [{ signal: lost.signal }, fence] as const;
}

/** Passes a fence after the options, as our packages do. */
function listOf(options: ThingsOptions) {
  return createThings(options).list as (given: CallOptions, fence: Fence) => Promise<unknown>;
}

test("a request without time in its lease is not sent, and its call is aborted", async () => {
  let sent = 0;
  const fetch: FetchFunction = async () => Response.json([sent++]);
  const error = await errorOf(listOf({ fetch })(...fenceOf(() => 0)));
  expect(error).toBeInstanceOf(AbortError);
  expect(error).toMatchObject({ outcome: "not_sent", cause: { message: "the lease was lost" } });
  expect(sent).toBe(0);
});

test("the lease is checked after the wait for a permit, and after the hooks", async () => {
  let sent = 0;
  let isHeld = true;
  const fetch: FetchFunction = async () => {
    sent++;
    return Response.json([thing]);
  };
  const list = listOf({
    fetch,
    rateLimit: { requests: 1, window: 1_000 },
    hooks: { onRequest: () => void (isHeld = sent === 0) },
  });
  const options = fenceOf(() => (isHeld ? 1_000 : 0));
  expect(await list(...options)).toEqual([thing]);
  expect(await errorOf(list(...options))).toBeInstanceOf(AbortError);
  expect(sent).toBe(1);
});

test("the timeout of a request is cut to the time in its lease, and its error says so", async () => {
  const fetch: FetchFunction = () => new Promise(() => undefined);
  const [{ signal }, fence] = fenceOf(() => 50);
  const list = listOf({ fetch, retry: false });
  const error = await errorOf(list({ signal, timeout: 20_000 }, fence));
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ limit: "timeout", message: expect.stringContaining("50 ms") });
});

describe("a call that hangs", () => {
  // These tests use a virtual clock: a call that does not end at once waits for a timer that never fires, and the test fails.
  const never = new Promise<never>(() => undefined);

  /** Rejects after the call has ended, when nothing awaits the promise any more. */
  async function late(after = 150): Promise<never> {
    await new Promise((resolve) => setTimeout(resolve, after));
    throw new Error("canary-late");
  }

  const schemaThat = (validate: () => unknown): Schema<unknown> =>
    ({ "~standard": { version: 1, vendor: "test", validate } }) as unknown as Schema<unknown>;

  const respondWithThing: FetchFunction = async () => Response.json(thing, { status: 201 });
  const bodyThat = (pull: () => Promise<never>): Response =>
    new Response(new ReadableStream({ pull }), { status: 201 });

  const unhandled: unknown[] = [];
  const keep = (error: unknown): void => void unhandled.push(error);
  beforeEach(() => {
    vi.useFakeTimers();
    unhandled.length = 0;
    process.on("unhandledRejection", keep);
  });
  afterEach(async () => {
    if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(200);
    vi.useRealTimers();
    // Node reports an unhandled rejection once the microtask queue is empty.
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off("unhandledRejection", keep);
    if (unhandled.length > 0) throw new Error("an unhandled rejection");
  });

  /** Phases in which a call can hang: its options, its outcome if it ends there, and its schema. */
  const PHASES: readonly [
    phase: string,
    options: ThingsOptions,
    outcome: string,
    schema?: Schema<unknown>,
  ][] = [
    [
      "the apiKey function is pending",
      { fetch: respondWithThing, apiKey: () => never },
      "not_sent",
    ],
    [
      "the apiKey function rejects late",
      { fetch: respondWithThing, apiKey: () => late() },
      "not_sent",
    ],
    ["the fetch is pending", { fetch: () => never }, "unknown"],
    ["the fetch rejects late", { fetch: () => late() }, "unknown"],
    ["the body is pending", { fetch: async () => bodyThat(() => never) }, "unknown"],
    ["the body fails late", { fetch: async () => bodyThat(() => late()) }, "unknown"],
    ["the schema is pending", { fetch: respondWithThing }, "applied", schemaThat(() => never)],
    ["the schema rejects late", { fetch: respondWithThing }, "applied", schemaThat(() => late())],
    [
      "a hook is pending",
      { fetch: () => never, hooks: { onRequest: () => never } as never },
      "unknown",
    ],
  ];

  describe.each(PHASES)("while %s", (_phase, options, outcome, schema) => {
    const create = (things: Things, more: object): Promise<unknown> =>
      things.create({ name: "one" }, { ...(schema && { schema }), ...more });

    test("an abort ends the call and leaves no listener", async () => {
      const controller = new AbortController();
      const ended = errorOf<CallError>(
        create(createThings(options), { signal: controller.signal }),
      );
      await vi.advanceTimersByTimeAsync(30);
      controller.abort(reason);
      const error = await ended;
      expect(error).toMatchObject({ name: "AbortError", outcome, cause: reason });
      expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
    });

    test("totalTimeout ends the call", async () => {
      const ended = errorOf<CallError>(create(createThings(options), { totalTimeout: 60 }));
      await vi.advanceTimersByTimeAsync(60);
      const error = await ended;
      expect(error).toMatchObject({ name: "TimeoutError", limit: "totalTimeout", outcome });
    });
  });

  describe("a walk ends with its signal", () => {
    test.each<[string, FetchFunction]>([
      ["while a page is pending", () => never],
      [
        "while the second page is pending",
        (url) =>
          url.includes("cursor")
            ? never
            : Promise.resolve(Response.json({ data: [], cursor: "c" })),
      ],
      ["while it waits to retry a page", async () => new Response("", { status: 503 })],
    ])("%s", async (_when, fetch) => {
      const controller = new AbortController();
      const walk = createThings({ fetch }).walk(
        {},
        { signal: controller.signal, keepTrying: 3_600_000 },
      );
      const ended = errorOf<CallError>(walk.toArray({ limit: 10 }));
      await vi.advanceTimersByTimeAsync(40);
      controller.abort(reason);
      expect(await ended).toMatchObject({ name: "AbortError", cause: reason });
      expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
    });
  });

  test("a response after the end of its call runs no hook", async () => {
    const seen: string[] = [];
    let respond: (response: Response) => void = () => undefined;
    const fetch: FetchFunction = () => new Promise((resolve) => (respond = resolve));
    const hooks = { onResponse: () => seen.push("response") };
    const ended = errorOf(createThings({ fetch, hooks }).list({ totalTimeout: 30 }));
    await vi.advanceTimersByTimeAsync(30);
    await ended;
    respond(Response.json([thing]));
    await vi.advanceTimersByTimeAsync(20);
    expect(seen).toEqual([]);
  });
});

/** Runs a function and returns the unhandled rejections during the run. */
async function uncaught(run: () => Promise<unknown>): Promise<unknown[]> {
  const caught: unknown[] = [];
  const listener = (thrown: unknown): void => void caught.push(thrown);
  const others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", listener);
  try {
    await run();
    // Node reports an unhandled rejection once the microtask queue is empty.
    await new Promise((resolve) => setTimeout(resolve, 30));
  } finally {
    process.off("unhandledRejection", listener);
    for (const other of others) process.on("unhandledRejection", other);
  }
  return caught;
}

const failing: FetchFunction = async () => new Response("", { status: 500 });

test("withResponse of a call that fails causes no unhandled rejection", async () => {
  const things = createThings({ fetch: failing, retry: false });
  expect(await uncaught(() => errorOf(withResponse(things.list())))).toEqual([]);
});

test("a caller's schema that throws causes a ResponseValidationError with the outcome applied", async () => {
  const schema = {
    "~standard": {
      validate: () => {
        throw new Error("canary-value");
      },
    },
  };
  const things = createThings({ fetch: async () => Response.json(thing, { status: 201 }) });
  const error = await errorOf(things.create({ name: "one" }, { schema }));
  expect(error instanceof ResponseValidationError && error.outcome).toBe("applied");
  expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain("canary");
});

describe("a function that only observes", () => {
  // A caller's function that only observes never changes the result of a call.

  const unhandled: unknown[] = [];
  const keep = (error: unknown): void => void unhandled.push(error);
  const print = vi.spyOn(console, "warn");

  beforeEach(() => {
    print.mockReset();
    unhandled.length = 0;
    process.on("unhandledRejection", keep);
  });
  afterEach(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off("unhandledRejection", keep);
    if (unhandled.length > 0) throw new Error("an unhandled rejection");
  });

  const boom = new Error("no disk");
  const WAYS: Readonly<Record<string, () => never>> = {
    throws: () => {
      throw boom;
    },
    "rejects at once": (() => Promise.reject(boom)) as () => never,
    "rejects later": (async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      throw boom;
    }) as () => never,
  };
  type Watch = (fail: () => never) => ThingsOptions;
  /** Every option that only observes. One that is missing does not compile. */
  const OPTIONS: Readonly<Record<Extract<keyof ClientOptions, `on${string}` | "logger">, Watch>> = {
    onDrift: (onDrift) => ({ onDrift }),
    logger: (fail) => ({ logger: { debug: fail, info: fail, warn: fail, error: fail } }),
  };
  /** Those, and every hook. */
  const WATCHERS: Readonly<Record<string, Watch>> = {
    ...Object.fromEntries(
      Object.keys(everyHook(() => undefined)).map((hook): [string, Watch] => [
        `hooks.${hook}`,
        (fail) => ({ hooks: { [hook]: fail } }),
      ]),
    ),
    ...OPTIONS,
  };

  /** Creates a service whose first connection breaks, and whose next response has drifted. */
  function service(): ThingsOptions {
    let count = 0;
    return {
      validation: "warn",
      fetch: async () => {
        if (count++ === 0)
          throw Object.assign(new Error("reset"), { code: "ECONNRESET", syscall: "read" });
        return Response.json([{ ...thing, name: 7 }]);
      },
    };
  }

  describe.each(Object.entries(WATCHERS))("%s", (name, options) => {
    test.each(Object.entries(WAYS))(
      "that %s is ignored, and its first error is printed",
      async (_way, fail) => {
        // Each test has its own function, because only the first error of a function is printed.
        const watched = { ...service(), ...options(() => fail()) };
        const things = createThings({
          ...watched,
          ...(name !== "onDrift" && { onDrift: () => {} }),
        });
        expect(await things.list()).toEqual([{ ...thing, name: 7 }]);
        await things.list();
        await vi.waitFor(() =>
          expect(
            print,
            `nothing called ${name}: write its call in packages/http/src/send, or make service() of this test cause its event`,
          ).toHaveBeenCalled(),
        );
        const lines = print.mock.calls.filter(([line]) => String(line).startsWith(name));
        expect(lines).toEqual([[expect.stringContaining(`${name} threw`), boom]]);
      },
    );
  });
});
