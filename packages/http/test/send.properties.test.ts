import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { readRateLimitReset, readRetryAfter } from "../src/wire/hint.ts";
import { spread } from "../src/limit/spread.ts";
import type { CallError, CursorLoopError, FetchFunction } from "../src/internal.ts";
import { createThings, errorOf, thing } from "./things.ts";

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
});
