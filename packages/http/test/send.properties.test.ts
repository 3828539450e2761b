import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { CallError, type CursorLoopError, type FetchFunction } from "../src/internal.ts";
import { createThings, errorOf, thing, type Things } from "./things.ts";
import { everyHook } from "../../../tools/canaries/canaries.ts";

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

// With any response, a call resolves to its output or rejects with an error of fieldmesh, never with one of the runtime.

const calls: readonly ((things: Things) => Promise<unknown>)[] = [
  (things) => things.list(),
  (things) => things.find({ name: "one" }),
  (things) => things.get({ name: "one" }),
  (things) => things.create({ name: "one", key: "abcd" }),
  (things) => things.delete({ name: "one" }),
  (things) => things.walk().toArray({ limit: 5 }),
];

async function endOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "output",
    (error: unknown) => (error instanceof CallError ? "our error" : error),
  );
}

const likely = fc.record(
  {
    ...Object.fromEntries(Object.keys(thing).map((key) => [key, fc.jsonValue()])),
    key: fc.jsonValue(),
    data: fc.oneof(fc.array(fc.constant(thing)), fc.jsonValue()),
    cursor: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  fc.oneof(likely, fc.array(likely), fc.jsonValue()).map((value) => JSON.stringify(value)),
  fc.string({ unit: "binary" }),
  fc.bigInt().map(String),
);
const header = fc.constantFrom("retry-after", "date", "location", "content-type", "x-request-id");

test("a call handles any status, headers and body", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 200, max: 599 }),
      fc.dictionary(header, fc.string({ unit: "grapheme-ascii" })),
      body,
      fc.constantFrom("strict", "warn"),
      async (status, headers, text, validation) => {
        const things = createThings({
          validation,
          retry: { attempts: 2, baseDelay: 0 },
          totalTimeout: 50,
          hooks: everyHook(() => undefined),
          fetch: async () => new Response(isBodiless(status) ? null : text, { status, headers }),
        });
        for (const call of calls)
          expect(await endOf(call(things))).toBeOneOf(["output", "our error"]);
      },
    ),
    { numRuns: 150 },
  );
}, 20_000);

function isBodiless(status: number): boolean {
  return [204, 205, 304].includes(status);
}
