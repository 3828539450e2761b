import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { checkBaseUrl } from "../src/options/base-url.ts";
import { mergeRequestHeaders } from "../src/wire/headers.ts";
import { buildUrl, checkSegment, fillPath, writeSearch } from "../src/wire/url.ts";
import { readRateLimitReset, readRetryAfter } from "../src/wire/hint.ts";
import { spread } from "../src/limit/spread.ts";
import type { CallError, CursorLoopError, FetchFunction } from "../src/internal.ts";
import { createThings, errorOf, thing } from "./things.ts";

const text = fc.string({ unit: "grapheme" }).filter((value) => value.isWellFormed());
const base = new URL("https://things.test/prefix");
const NO_WORDS = new Set<string>();

describe("a URL", () => {
  test("has the origin and the number of segments of its route with any accepted values", () => {
    fc.assert(
      fc.property(text, (value) => {
        fc.pre(checkSegment(value, NO_WORDS) === undefined);
        const url = new URL(buildUrl(base, fillPath("/v1/:id/end", { id: value }), []));
        expect(url.origin).toBe(base.origin);
        const segments = url.pathname.split("/");
        expect(segments).toHaveLength(5);
        expect(decodeURIComponent(segments[3]!)).toBe(value);
        expect([url.search, url.hash]).toEqual(["", ""]);
      }),
    );
  });

  test("keeps a query with any names and values", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
        const url = new URL(`https://things.test/${writeSearch(pairs)}`);
        expect([...url.searchParams]).toEqual(pairs);
        expect(url.hash).toBe("");
      }),
    );
  });

  test("never contains a segment that a server could resolve to another one", () => {
    const dots = fc.constantFrom(".", "..", "%2e", "%2E%2e", "..%2f", "%252e%252e", "a/b", "..;x");
    fc.assert(
      fc.property(dots, (value) => {
        expect(checkSegment(value, NO_WORDS)).toBeDefined();
      }),
    );
  });
});

test("a base URL keeps everything but its trailing slashes, and must be an HTTP URL", () => {
  const path = fc.array(fc.stringMatching(/^[a-z0-9-]{1,8}$/), { maxLength: 4 });
  fc.assert(
    fc.property(path, fc.nat({ max: 5 }), (segments, slashes) => {
      const whole = ["https://things.test", ...segments].join("/");
      const given = whole + "/".repeat(slashes);
      const url = checkBaseUrl(given, { hasCredential: true, allowInsecureHttp: false });
      expect(url.href.replace(/\/$/, "")).toBe(whole);
    }),
  );
  fc.assert(
    fc.property(fc.string(), (given) => {
      const options = { hasCredential: true, allowInsecureHttp: false };
      try {
        expect(checkBaseUrl(given, options).protocol).toMatch(/^https?:$/);
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
        expect((error as Error).message).toMatch(/^baseUrl /);
      }
    }),
  );
});

describe("the wait in response headers", () => {
  const isWait = (wait: number | undefined): boolean => wait === undefined || wait >= 0;
  const header = fc.oneof(
    fc.stringMatching(/^[\x20-\x7e]*$/),
    fc.integer().map(String),
    fc.double().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  );

  test("is never NaN or negative with any headers", () => {
    fc.assert(
      fc.property(header, header, (value, date) => {
        const headers = new Headers({ "retry-after": value, "ratelimit-reset": value, date });
        expect(isWait(readRetryAfter(headers))).toBe(true);
        expect(isWait(readRateLimitReset(headers))).toBe(true);
      }),
    );
  });

  test("is the time between the two dates of a response with any local clock", () => {
    const second = fc.integer({ min: 0, max: 4_000_000_000 });
    fc.assert(
      fc.property(second, fc.nat({ max: 1_000_000 }), fc.nat(), (sent, wait, now) => {
        const dateOf = (seconds: number): string => new Date(seconds * 1_000).toUTCString();
        const headers = new Headers({ date: dateOf(sent), "retry-after": dateOf(sent + wait) });
        expect(readRetryAfter(headers, now)).toBe(wait * 1_000);
      }),
    );
  });

  test("is at most a year in retryAt, which is a valid date", async () => {
    await fc.assert(
      fc.asyncProperty(header, fc.constantFrom(429, 503), async (value, status) => {
        const headers = { "retry-after": value };
        const fetch: FetchFunction = async () => new Response("", { status, headers });
        const options = { fetch, retry: false as const };
        const error = await errorOf<Error & { retryAt?: Date }>(createThings(options).list());
        const wait = (error.retryAt?.getTime() ?? Date.now()) - Date.now();
        expect(wait).toBeLessThanOrEqual(366 * 24 * 3_600_000);
        expect(wait).toBeGreaterThan(-1_000);
      }),
    );
  });

  test("passes completely, with at most a second or a tenth more, within the time left", () => {
    const time = fc.nat({ max: 10_000_000 });
    fc.assert(
      fc.property(time, time, (wait, more) => {
        const waited = spread(wait, wait + more);
        expect(waited).toBeGreaterThanOrEqual(wait);
        expect(waited - wait).toBeLessThanOrEqual(Math.max(1_000, wait / 10));
        expect(waited).toBeLessThanOrEqual(wait + more);
      }),
    );
  });
});

test("the last layer of headers wins in any letter case, and none overrides a header of the client", () => {
  const name = fc.stringMatching(/^x-[a-z]{1,3}$/);
  const layer = fc.dictionary(name, fc.stringMatching(/^[a-z0-9]{1,5}$/));
  fc.assert(
    fc.property(layer, layer, (one, two) => {
      const upper = Object.fromEntries(
        Object.entries(two).map(([key, value]) => [key.toUpperCase(), value]),
      );
      const headers = mergeRequestHeaders({
        userAgent: "test/1",
        credential: undefined,
        layers: [one, upper],
      });
      const own = [...headers].filter(([key]) => key.startsWith("x-"));
      expect(Object.fromEntries(own)).toEqual({ ...one, ...two });
      expect(headers.get("user-agent")).toBe("test/1");
    }),
  );
});

describe("a call", () => {
  const step = fc.constantFrom<number | string>(
    200,
    301,
    303,
    400,
    404,
    408,
    409,
    429,
    500,
    502,
    503,
    504,
    "ECONNREFUSED",
    "ECONNRESET",
    "UND_ERR_SOCKET",
    "ENOTFOUND",
  );
  const NOT_DONE = new Set<number | string>([429, 409, "ECONNREFUSED", "ENOTFOUND"]);

  test("that creates a record is retried only after a request without effect, and has the correct outcome", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const seen: (number | string)[] = [];
        const fetch: FetchFunction = async () => {
          const next = steps[seen.length] ?? 200;
          seen.push(next);
          if (typeof next === "string") throw Object.assign(new Error(next), { code: next });
          return Response.json(next === 200 ? thing : {}, { status: next });
        };
        const result = await createThings({ fetch })
          .create({ name: "one" })
          .catch((error: CallError) => error);
        expect(seen.slice(0, -1).filter((each) => !NOT_DONE.has(each))).toEqual([]);
        if (!(result instanceof Error)) return;
        const last = seen.at(-1)!;
        if (last === "ECONNRESET" || last === "UND_ERR_SOCKET" || Number(last) >= 500)
          expect(result.outcome).toBe("unknown");
        if (last === 400 || last === 404) expect(["rejected", "unknown"]).toContain(result.outcome);
      }),
      { numRuns: 150 },
    );
  });

  test("ends within totalTimeout with any waits of the server", async () => {
    vi.useFakeTimers();
    try {
      const response = fc.tuple(fc.constantFrom(408, 429, 500, 503), fc.nat({ max: 20 }));
      await fc.assert(
        fc.asyncProperty(
          fc.array(response, { minLength: 1, maxLength: 8 }),
          fc.integer({ min: 50, max: 20_000 }),
          async (responses, totalTimeout) => {
            const began = performance.now();
            let at = 0;
            const fetch: FetchFunction = async () => {
              const [status, wait] = responses[Math.min(at++, responses.length - 1)]!;
              return new Response("", { status, headers: { "retry-after": String(wait) } });
            };
            const ended = errorOf(createThings({ fetch, totalTimeout }).list()).then(
              () => performance.now() - began,
            );
            await vi.advanceTimersByTimeAsync(totalTimeout + 1);
            expect(await Promise.race([ended, Promise.resolve(Infinity)])).toBeLessThanOrEqual(
              totalTimeout + 1,
            );
          },
        ),
        { numRuns: 60 },
      );
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("a walk over any graph of pages", () => {
  /** Each page leads to any page or none, and has up to three items. */
  const graph = fc.array(
    fc.record({ items: fc.nat({ max: 3 }), next: fc.option(fc.nat({ max: 11 })) }),
    { minLength: 1, maxLength: 12 },
  );
  const fetchOf =
    (pages: readonly { items: number; next: number | null }[]): FetchFunction =>
    async (url) => {
      const at = Number(new URL(url).searchParams.get("cursor") ?? 0);
      const { items, next } = pages[at]!;
      const data = Array.from({ length: items }, (_, index) => ({
        id: at * 10 + index,
        name: "x",
      }));
      const to = next === null ? undefined : String(next % pages.length);
      return Response.json({ data, ...(to !== undefined && { cursor: to }) });
    };
  /** Returns the ids on the way from the first page. Only the first page, which has no cursor, can occur twice. */
  function wayOf(pages: readonly { items: number; next: number | null }[]) {
    const ids: number[] = [];
    const seen = new Set<number>();
    for (let at = 0; ;) {
      ids.push(...Array.from({ length: pages[at]!.items }, (_, index) => at * 10 + index));
      const { next } = pages[at]!;
      if (next === null) return { ids, isLoop: false };
      at = next % pages.length;
      if (seen.has(at)) return { ids, isLoop: true };
      seen.add(at);
    }
  }

  test("returns every item exactly once, and ends or rejects with a CursorLoopError", async () => {
    await fc.assert(
      fc.asyncProperty(graph, async (pages) => {
        const ids: number[] = [];
        let error: unknown;
        try {
          for await (const { id } of createThings({ fetch: fetchOf(pages) }).walk()) ids.push(id);
        } catch (thrown) {
          error = thrown;
        }
        const way = wayOf(pages);
        expect(ids).toEqual(way.ids);
        expect((error as CursorLoopError | undefined)?.name).toBe(
          way.isLoop ? "CursorLoopError" : undefined,
        );
      }),
      { numRuns: 100 },
    );
  });

  test("that stops at any item and resumes from its checkpoint loses and repeats no item", async () => {
    const line = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(line, fc.nat({ max: 24 }), async (sizes, stop) => {
        const last = sizes.length - 1;
        const pages = sizes.map((items, at) => ({ items, next: at === last ? null : at + 1 }));
        const things = createThings({ fetch: fetchOf(pages) });
        const walk = things.walk().walk();
        const ids: number[] = [];
        while (ids.length < stop) {
          const { done, value } = await walk.next();
          if (done === true) break;
          ids.push(value.id);
        }
        const checkpoint = JSON.parse(JSON.stringify(walk.checkpoint())) as never;
        await walk.return();
        for await (const { id } of things.walk({}, { checkpoint })) ids.push(id);
        expect(ids).toEqual(wayOf(pages).ids);
      }),
      { numRuns: 100 },
    );
  });
});
