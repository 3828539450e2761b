import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FetchFunction } from "../src/internal.ts";
import { createThings, createThingsTransport, thing } from "./things.ts";

// A permit that is not given back is lost until the process ends. Each run is a few calls of one client, whose waits end at random
// moments of a virtual clock: by a response, a timeout, totalTimeout or an abort.

const RUNS = 2_000;
const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const ms = (max: number) => fc.integer({ min: 1, max });
const call = fc.record({
  startsAfter: ms(40),
  timeout: ms(30),
  totalTimeout: ms(60),
  abortsAfter: fc.option(ms(60), { nil: undefined }),
  /** How long the service takes. Without a number, it hangs. */
  takes: fc.option(ms(40), { nil: undefined }),
  status: fc.constantFrom(200, 200, 401, 429, 503),
  attempts: fc.integer({ min: 1, max: 3 }),
  priority: fc.constantFrom("normal" as const, "background" as const),
});
const client = fc.record({
  requests: fc.integer({ min: 1, max: 3 }),
  keyTakes: fc.option(ms(30), { nil: undefined }),
});

type Call = typeof call extends fc.Arbitrary<infer T> ? T : never;

/** Makes one call of a client, and ends with it. */
async function run(things: ReturnType<typeof createThings>, own: Call): Promise<void> {
  const { startsAfter, timeout, totalTimeout, abortsAfter, attempts, priority } = own;
  const controller = new AbortController();
  await new Promise((resolve) => setTimeout(resolve, startsAfter));
  if (abortsAfter !== undefined) setTimeout(() => controller.abort(), abortsAfter);
  const retry = { attempts, baseDelay: 5, maxDelay: 10 };
  const { signal } = controller;
  await things.list({ timeout, totalTimeout, signal, retry, priority }).catch(() => undefined);
}

test(`no permit is lost in ${RUNS} runs, and each limit is whole again after its window`, async () => {
  await fc.assert(
    fc.asyncProperty(
      client,
      fc.array(call, { minLength: 2, maxLength: 5 }),
      async ({ requests, keyTakes }, calls) => {
        const responses = calls.map(({ takes, status }) => ({ takes, status }));
        const fetch: FetchFunction = async () => {
          const { takes, status } = responses.shift() ?? { takes: 1, status: 200 };
          await new Promise((resolve) => takes !== undefined && setTimeout(resolve, takes));
          return Response.json([thing], { status });
        };
        const key = async (): Promise<string> => {
          await new Promise((resolve) => setTimeout(resolve, keyTakes));
          return "a-key-of-mine";
        };
        const options = {
          fetch,
          rateLimit: { requests, window: 100 },
          ...(keyTakes !== undefined && { apiKey: key }),
        };
        const transport = createThingsTransport(options);
        const things = createThings({ ...options, parent: transport });
        const all = Promise.all(calls.map((own) => run(things, own)));
        await vi.advanceTimersByTimeAsync(500);
        await all;
        expect(transport.connection.shared.limits.state().reads).toMatchObject({
          inFlight: 0,
          waiting: 0,
        });
        await vi.advanceTimersByTimeAsync(MINUTE);
        expect(transport.connection.shared.limits.state().reads.left).toBe(requests);
        expect(vi.getTimerCount()).toBe(0);
      },
    ),
    { numRuns: RUNS },
  );
}, 600_000);
