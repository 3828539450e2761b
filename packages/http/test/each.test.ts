import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { tracingChannel } from "node:diagnostics_channel";
import * as fc from "fast-check";
import { parseJson, stringifyJson } from "@fieldmesh/core";
import { canaries } from "../../../tools/canaries/canaries.ts";
import {
  AbortError,
  ConnectionError,
  InputError,
  isSecret,
  ResponseValidationError,
  TimeoutError,
  type CallError,
  type Drift,
  type FailureEvent,
  type FetchFunction,
  type ResponseEvent,
  type Logger,
} from "../src/internal.ts";
import { sendJson, startHttp } from "../../../tools/testing/http-server.ts";
import { createThings, eachThing, errorOf, thing, type ThingsOptions } from "./things.ts";
import { splitArray } from "../src/wire/split-array.ts";

const once = { retry: false } as const;
const two = { id: 2, name: "two" };

/** Returns the records until the end or a failure. */
async function readAll<T>(list: AsyncIterable<T>): Promise<{ records: T[]; error?: CallError }> {
  const records: T[] = [];
  try {
    for await (const each of list) records.push(each);
  } catch (error) {
    return { records, error: error as CallError };
  }
  return { records };
}

/** A client whose server responds with these parts of a body. */
function responding(...parts: readonly (string | Uint8Array)[]): { fetch: FetchFunction } {
  return { fetch: async () => new Response(streamOf(parts)) };
}

function streamOf(parts: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const left = [...parts];
  return new ReadableStream({
    pull(controller) {
      const part = left.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(typeof part === "string" ? new TextEncoder().encode(part) : part);
    },
  });
}

describe("the records", () => {
  test("are returned while the list arrives, before its end is sent", async () => {
    const gate = Promise.withResolvers<void>();
    await using server = await startHttp((_, response) => {
      response.write(`[${JSON.stringify(thing)},{"id":2,`);
      void gate.promise.then(() => response.end('"name":"two"}]'));
    });
    const iterator = eachThing({ baseUrl: server.baseUrl })[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: thing });
    gate.resolve();
    expect(await iterator.next()).toEqual({ done: false, value: two });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test("have exact integers and secrets, as in the list at once", async () => {
    const fetch = responding(
      `[{"id":1,"name":"one","key":"${canaries.appKey}","total":12345678901234567890}]`,
    );
    const { records } = await readAll(eachThing(fetch));
    const all = await createThings(fetch).list();
    expect(records).toEqual(all);
    expect(records[0]).toMatchObject({ total: 12345678901234567890n });
    expect(isSecret(records[0]?.key)).toBe(true);
  });

  test("arrive with gzip, after a redirect, and with a byte order mark", async () => {
    await using server = await startHttp(({ url }, response) => {
      if (url === "/v1/things") response.writeHead(301, { location: "/v1/moved" }).end("moved");
      else
        response
          .writeHead(200, { "content-encoding": "gzip" })
          .end(gzipSync(`\uFEFF \n [${JSON.stringify(thing)} , ${JSON.stringify(two)}\n]\n`));
    });
    expect(await readAll(eachThing({ baseUrl: server.baseUrl }))).toEqual({
      records: [thing, two],
    });
    expect(server.received.map(({ headers }) => headers["key"])).toEqual([
      canaries.apiKey,
      canaries.apiKey,
    ]);
  });

  test("of each loop come from a request of its own, sent when the first one is requested", async () => {
    await using server = await startHttp((_, response) => sendJson(response, [thing]));
    const list = eachThing({ baseUrl: server.baseUrl });
    expect(server.received).toHaveLength(0);
    await readAll(list);
    await readAll(list);
    expect(server.received).toHaveLength(2);
  });
});

describe("a record that does not fit", () => {
  const body = `[${JSON.stringify(thing)},{"id":"2","name":"two"},{"id":3,"name":"three"}]`;

  test("is an error with its place, after the records before it", async () => {
    const { records, error } = await readAll(eachThing({ ...once, ...responding(body) }));
    expect(records).toEqual([thing]);
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error).toMatchObject({
      recordsRead: 1,
      outcome: "applied",
      problems: [{ path: "[1].id" }],
    });
    expect(error?.message).toContain("Records read until then: 1; another call begins at");
  });

  test('is reported and returned with validation "warn", at the same place as in the list', async () => {
    const drifts: Drift[] = [];
    const onDrift = (drift: Drift): void => void drifts.push(drift);
    const options: ThingsOptions = { ...responding(body), validation: "warn", onDrift };
    const { records, error } = await readAll(eachThing(options));
    expect(error).toBeUndefined();
    expect(records).toEqual(await createThings(options).list());
    expect(drifts.map(({ call }) => call)).toEqual(["things.each", "things.list"]);
    expect(drifts[0]?.problems).toEqual(drifts[1]?.problems);
  });
});

describe("a body that is not a list", () => {
  test.for(['{"id":1,"name":"one"}', '"text"', "not JSON", "", "<html>Sign in</html>", '{"id":1'])(
    "behaves as in the list at once: %s",
    async (body) => {
      for (const validation of ["strict", "warn", "off"] as const) {
        const options = { ...once, ...responding(body), validation, onDrift: () => undefined };
        const listed = await createThings(options)
          .list()
          .then(
            (value) => ({ value: value as unknown }),
            (error: Error) => ({ error }),
          );
        const { records, error } = await readAll(eachThing(options));
        if ("error" in listed)
          expect(error?.message).toBe(
            listed.error.message.replaceAll("things.list", "things.each"),
          );
        else expect({ records, error }).toEqual({ records: [listed.value], error: undefined });
      }
    },
  );
});

describe("a list that is not whole", () => {
  const FIRST_WAIT = 100;
  const first = JSON.stringify(thing);

  test.for([
    [`[${first}`, undefined],
    [`[${first},`, 1],
    [`[${first},${first},${first}`, 2],
  ] as const)("is an error, and never a shorter list: %s", async ([body, recordsRead]) => {
    const { records, error } = await readAll(eachThing({ ...once, ...responding(body) }));
    expect(error).toMatchObject({ name: "ConnectionError", code: "TRUNCATED" });
    expect(error?.recordsRead).toBe(recordsRead);
    expect(records).toHaveLength(recordsRead ?? 0);
  });

  test.for([
    `[${first},,${first}]`,
    `[${first},]`,
    `[${first}}`,
    `[${first} ${first}]`,
    `[${first}] ${first}`,
    `[nonsense]`,
  ])("is an error in every mode if it is not JSON: %s", async (body) => {
    for (const validation of ["strict", "warn", "off"] as const) {
      for (const parts of [[body], Array.from(body)]) {
        const { error } = await readAll(
          eachThing({ ...once, ...responding(...parts), validation }),
        );
        expect(error).toBeInstanceOf(ResponseValidationError);
        expect(error?.message).toContain("is not JSON");
      }
    }
  });

  test("is an error if a part of it is not UTF-8, after the records before that part", async () => {
    const bad = new Uint8Array([0x7b, 0xff, 0x7d, 0x5d]);
    const { records, error } = await readAll(
      eachThing({ ...once, ...responding(`[${first},`, bad) }),
    );
    expect(records).toEqual([thing]);
    expect(error?.message).toContain("[1]: is not UTF-8");
  });

  test("is retried if it breaks before its first record", async () => {
    const bodies = ["[", `[{"id":`, `[${first}]`];
    const fetch: FetchFunction = async () => new Response(streamOf([bodies.shift() as string]));
    expect(await readAll(eachThing({ fetch }))).toEqual({ records: [thing] });
    expect(bodies).toEqual([]);
  });

  test("is not retried after its first record: the error says how many were read", async () => {
    let requests = 0;
    const failures: FailureEvent[] = [];
    await using server = await startHttp((_, response) => {
      requests++;
      setTimeout(() => response.write(`[${first},`), FIRST_WAIT);
      setTimeout(() => response.destroy(), FIRST_WAIT + 20);
    });
    const onFailure = (event: FailureEvent): void => void failures.push(event);
    const { records, error } = await readAll(
      eachThing({ baseUrl: server.baseUrl, hooks: { onFailure } }),
    );
    expect(records).toEqual([thing]);
    expect(requests).toBe(1);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ recordsRead: 1, outcome: "unknown" });
    expect(error?.attempts).toMatchObject([
      { number: 1, status: 200, reason: expect.stringContaining("no cursor") },
    ]);
    expect(failures).toMatchObject([{ attempt: 1, failure: error?.attempts[0]?.failure }]);
    // Also the time until the first record.
    expect(failures[0]?.duration).toBeGreaterThan(FIRST_WAIT);
  });
});

test("an error status is retried, and then thrown as for any call", async () => {
  const statuses = [503, 200];
  const fetch: FetchFunction = async () => {
    const status = statuses.shift() as number;
    return new Response(status === 200 ? `[${JSON.stringify(thing)}]` : "busy", { status });
  };
  expect(await readAll(eachThing({ fetch }))).toEqual({ records: [thing] });
  const { error } = await readAll(
    eachThing({ ...once, fetch: async () => new Response("no", { status: 400 }) }),
  );
  expect(error).toMatchObject({ name: "ApiError", status: 400 });
  expect(error).not.toHaveProperty("recordsRead");
});

describe("maxResponseBytes", () => {
  const record = JSON.stringify(thing);

  test("limits one record, in bytes, and not the list", async () => {
    const text = JSON.stringify({ id: 1, name: "ü€😀" });
    const bytes = new TextEncoder().encode(text).byteLength;
    const list = responding(`[${Array(50).fill(text).join(",")}]`);
    const options = { ...once, ...list };
    expect((await readAll(eachThing(options, { maxResponseBytes: bytes }))).records).toHaveLength(
      50,
    );
    const { error } = await readAll(eachThing(options, { maxResponseBytes: bytes - 1 }));
    expect(error?.message).toContain(`[0]: is larger than maxResponseBytes (${bytes - 1})`);
    expect(error?.message).toContain("raise maxResponseBytes");
  });

  test("is 1 MiB by default, also for a record that never ends", async () => {
    let sent = 0;
    const part = new TextEncoder().encode("x".repeat(64 * 1024));
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(sent === 0 ? new TextEncoder().encode(`[${record},"`) : part);
        sent++;
      },
    });
    const { records, error } = await readAll(
      eachThing({ ...once, fetch: async () => new Response(body) }),
    );
    expect(records).toEqual([thing]);
    expect(error?.message).toContain("[1]: is larger than maxResponseBytes (1048576)");
    expect(sent).toBeLessThan(20);
  });

  test("that is not a number of bytes is an InputError, and nothing is sent", async () => {
    await using server = await startHttp((_, response) => sendJson(response, []));
    const wrong = { maxResponseBytes: 0 };
    const { error } = await readAll(eachThing({ baseUrl: server.baseUrl }, wrong));
    expect(error).toBeInstanceOf(InputError);
    expect(server.received).toHaveLength(0);
  });
});

describe("time", () => {
  const item = JSON.stringify(thing);
  /** A server that sends each part after a wait in milliseconds. */
  const slowly = (parts: readonly (readonly [wait: number, text: string])[]) =>
    startHttp((_, response) => {
      void (async () => {
        for (const [wait, text] of parts) {
          await sleep(wait);
          response.write(text);
        }
        response.end();
      })();
    });

  test("timeout runs until the first record, and then between two parts", async () => {
    const parts = ["[", item, ",", item, "]"].map((text) => [150, text] as const);
    await using server = await slowly(parts);
    const { records } = await readAll(eachThing({ baseUrl: server.baseUrl }, { timeout: 600 }));
    expect(records).toEqual([thing, thing]);
    await using stuck = await slowly([
      [0, `[${item},`],
      [5_000, `${item}]`],
    ]);
    const late = await readAll(eachThing({ ...once, baseUrl: stuck.baseUrl }, { timeout: 200 }));
    expect(late.records).toEqual([thing]);
    expect(late.error).toBeInstanceOf(TimeoutError);
    expect(late.error).toMatchObject({ limit: "timeout", recordsRead: 1 });
  });

  test("timeout before the first record is retried, also after the first byte", async () => {
    let requests = 0;
    await using server = await startHttp((_, response) => {
      if (requests++ === 0) response.write("[");
      else response.end(`[${item}]`);
    });
    const { records } = await readAll(eachThing({ baseUrl: server.baseUrl }, { timeout: 300 }));
    expect(records).toEqual([thing]);
    expect(requests).toBe(2);
  });

  test("totalTimeout covers the waits for parts together", async () => {
    await using list = await slowly([
      [0, `[${item}`],
      ...Array.from({ length: 50 }, () => [100, `,${item}`] as const),
    ]);
    const options = { timeout: 5_000, totalTimeout: 700 };
    const { records, error } = await readAll(
      eachThing({ ...once, baseUrl: list.baseUrl }, options),
    );
    expect(error).toMatchObject({ name: "TimeoutError", limit: "totalTimeout" });
    expect(records.length).toBeGreaterThan(1);
    expect(records.length).toBeLessThan(20);
  });

  test("the work of the caller counts for neither of them", async () => {
    const parts = Array.from({ length: 6 }, (_, at) => `${at === 0 ? "[" : ","}${item}`);
    const times = { timeout: 300, totalTimeout: 400 };
    let count = 0;
    for await (const each of eachThing(responding(...parts, "]"), times)) {
      expect(each).toEqual(thing);
      count++;
      await sleep(150);
    }
    expect(count).toBe(6);
  });
});

describe("the connection", () => {
  /** A server that sends a list without an end, and counts what its socket accepted. */
  async function endless() {
    const state = { written: 0, closed: Promise.withResolvers<void>() };
    const part = `${JSON.stringify({ id: 1, name: "x".repeat(1_000) })},`.repeat(50);
    const server = await startHttp((_, response) => {
      response.on("close", () => state.closed.resolve());
      response.write("[");
      const more = (): void => {
        while (!response.destroyed) {
          state.written += part.length;
          if (!response.write(part)) return void response.once("drain", more);
        }
      };
      more();
    });
    return Object.assign(state, { server, baseUrl: server.baseUrl });
  }

  test("waits for a slow caller: the server is not read further", async () => {
    const list = await endless();
    await using _server = list.server;
    const iterator = eachThing({ baseUrl: list.baseUrl })[Symbol.asyncIterator]();
    await iterator.next();
    await sleep(300);
    const { written } = list;
    await sleep(300);
    expect(list.written).toBe(written);
    for (let count = 0; count < 20_000; count++) await iterator.next();
    expect(list.written).toBeGreaterThan(written);
    await iterator.return?.();
    await list.closed.promise;
  });

  test("is closed when the loop is left", async () => {
    const list = await endless();
    await using _server = list.server;
    for await (const each of eachThing({ baseUrl: list.baseUrl })) {
      expect(each.id).toBe(1);
      break;
    }
    await list.closed.promise;
  });

  test("is closed by an abort, also while the caller works, and the next record is an AbortError", async () => {
    const list = await endless();
    await using _server = list.server;
    const controller = new AbortController();
    const { signal } = controller;
    const iterator = eachThing({ baseUrl: list.baseUrl }, { signal })[Symbol.asyncIterator]();
    await iterator.next();
    controller.abort(new Error("enough"));
    await list.closed.promise;
    const error = await errorOf<CallError>(iterator.next());
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ recordsRead: 1, cause: { message: "enough" } });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });
});

test("a body of node-fetch, which is a stream of Node, is read too", async () => {
  const { Readable } = await import("node:stream");
  const body = Readable.from([Buffer.from(`[${JSON.stringify(thing)}`), Buffer.from("]")]);
  const response = { status: 200, ok: true, headers: new Headers(), body };
  const fetch = (async () => response) as unknown as FetchFunction;
  expect(await readAll(eachThing({ fetch }))).toEqual({ records: [thing] });
});

test("hooks receive the response with the first record, without its body", async () => {
  const events: ResponseEvent[] = [];
  const onResponse = (event: ResponseEvent): void => void events.push(event);
  await readAll(eachThing({ ...responding(`[${JSON.stringify(thing)}]`), hooks: { onResponse } }));
  expect(events).toMatchObject([{ call: "things.each", status: 200, body: undefined }]);
  expect(events[0]?.bytes).toBeGreaterThan(0);
});

const ok: FetchFunction = async () => Response.json([thing]);

describe("a list that is read record by record", () => {
  const recordsOf = async (list: AsyncIterable<unknown>): Promise<unknown[]> => {
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
      expect(await recordsOf(eachThing({ fetch }))).toEqual(records);
    }
  });

  test("closes the connection of a body that is too long and not a list", async () => {
    const cancel = vi.fn();
    const part = new TextEncoder().encode("x".repeat(20));
    const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(part);
    const fetch: FetchFunction = async () => new Response(new ReadableStream({ pull, cancel }));
    await errorOf(recordsOf(eachThing({ fetch, retry: false }, { maxResponseBytes: 50 })));
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
      await recordsOf(eachThing({ fetch: ok }));
      expect(vi.getTimerCount()).toBe(0);
      expect(started).toMatchObject([{ call: "things.each" }]);
      const bad: FetchFunction = async () => Response.json([{ id: "x" }]);
      const failed = await errorOf(recordsOf(eachThing({ fetch: bad, logger })));
      expect(error).toHaveBeenCalledExactlyOnceWith(failed.message, expect.anything());
    } finally {
      channel.unsubscribe(subscribers);
      vi.useRealTimers();
    }
  });
});

const MAX_BYTES = 1024 * 1024;
const NOISE = ["[", "]", "{", "}", ",", ":", '"', "\\", " ", "1", "a"];
const space = fc.stringMatching(/^[ \t\n\r]{0,3}$/);
const value = fc.oneof(
  fc.jsonValue(),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }),
  fc.constantFrom('\\"]}', "[{", "a\\", '"', "\\\\", "😀ü"),
);

/** Splits a text at the given places. */
function partsOf(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length];
  const sorted = places.toSorted((a, b) => a - b);
  return sorted.slice(1).map((end, index) => text.slice(sorted[index], end));
}

test("any array, cut at any places, has the elements that the parser finds in the whole", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(space, value, space)),
      space,
      fc.array(fc.nat()),
      (elements, end, cuts) => {
        const texts = elements.map(([before, each, after]) => before + stringifyJson(each) + after);
        const whole = `${texts.join(",") || end}]${end}`;
        const splitter = splitArray(MAX_BYTES);
        const found = partsOf(whole, cuts).flatMap((part) => splitter.push(part));
        expect(splitter.end).toBe("complete");
        expect(found.map(parseJson)).toEqual(parseJson(`[${whole}`));
      },
    ),
  );
});

test("what is not an array is never read as a complete one", () => {
  const noise = fc.string({ unit: fc.constantFrom(...NOISE), maxLength: 12 });
  fc.assert(
    fc.property(noise, fc.array(fc.nat()), (text, cuts) => {
      const splitter = splitArray(MAX_BYTES);
      const found = partsOf(text, cuts).flatMap((part) => splitter.push(part));
      const read = (): unknown => (splitter.end === "complete" ? found.map(parseJson) : undefined);
      const parse = (): unknown => parseJson(`[${text}`);
      expect(resultOf(read)).toEqual(resultOf(parse));
    }),
    { numRuns: 2_000 },
  );
});

function resultOf(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return undefined;
  }
}
