import * as z from "zod/mini";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  bind,
  endpoint,
  isApiError,
  page,
  withResponse,
  type ApiError,
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
    ["x".repeat(201), undefined],
    ["two words", undefined],
    ["y \u00e9", undefined],
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
    ["http://things.test/api/b", false],
    ["https://user@things.test/api/b", false],
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

describe("a caller's schema", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const fetch: FetchFunction = async () => Response.json(thing);
  const schemaOf = (validate: (value: unknown) => unknown): Schema<unknown> =>
    ({ "~standard": { version: 1, vendor: "test", validate } }) as Schema<unknown>;
  const create = (schema: Schema<unknown>, signal?: AbortSignal) =>
    createThings({ fetch, totalTimeout: 5_000 }).create({ name: "one" }, { schema, signal });

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
});
