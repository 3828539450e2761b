import { mock } from "node:test";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { FetchFunction } from "../src/internal.ts";
import { createThings, errorOf, thing } from "./things.ts";

// Time that stands still for `performance`, and passes for timers. Jest has the same timers as Vitest.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const settle = (): Promise<void> => new Promise((done) => void setImmediate(done));

const timers = {
  "node:test": {
    fake: () => mock.timers.enable({ apis: ["setTimeout", "Date"] }),
    tick: (ms: number) => mock.timers.tick(ms),
    restore: () => mock.timers.reset(),
  },
  Vitest: {
    fake: () => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }),
    tick: (ms: number) => void vi.advanceTimersByTime(ms),
    restore: () => void vi.useRealTimers(),
  },
};

/** A service that responds with these statuses first, and to which the header says when to come back. */
function failing(status: number, times: number, retryAfter?: number): FetchFunction {
  let sent = 0;
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { "retry-after": `${retryAfter}` };
  return async () =>
    sent++ < times ? new Response("{}", { status, headers }) : Response.json([thing]);
}
const working = failing(200, 0);
const hanging: FetchFunction = () => new Promise(() => undefined);
const list = (fetch: FetchFunction, options = {}) => createThings({ fetch, ...options }).list();

/** Waits that end within some milliseconds. */
const waits = {
  "a retry": [3 * SECOND, () => list(failing(503, 1))],
  "a Retry-After of a 503": [50 * SECOND, () => list(failing(503, 1, 30))],
  "a Retry-After of a 429": [50 * SECOND, () => list(failing(429, 1, 20))],
  "a pause without a hint": [31 * SECOND, () => list(failing(429, 3))],
  "a permit": [
    2 * MINUTE,
    () => {
      const things = createThings({ fetch: working, rateLimit: 60, totalTimeout: 5 * MINUTE });
      return Promise.all(Array.from({ length: 65 }, () => things.list()));
    },
  ],
  "a timeout": [31 * SECOND, () => errorOf(list(hanging, { retry: false }))],
  "the timeouts of a whole call": [
    31 * SECOND,
    () => errorOf(list(hanging, { timeout: 20 * SECOND, totalTimeout: 30 * SECOND })),
  ],
  "the wait for a place": [
    61 * SECOND,
    async () => {
      const things = createThings({ fetch: hanging, maxConcurrent: 1, retry: false });
      return await Promise.all([things.list(), things.list()].map((call) => errorOf(call)));
    },
  ],
  "patience with a page": [
    11 * MINUTE,
    () =>
      createThings({ fetch: failing(503, 9, 60), retry: false })
        .walk({}, { keepTrying: 60 * MINUTE })
        .toArray({ limit: 1 })
        .catch((error: Error) => error),
  ],
} satisfies Record<string, readonly [within: number, start: () => Promise<unknown>]>;

describe.each(Object.entries(timers))(
  "under the fake timers of %s",
  (_, { fake, tick, restore }) => {
    afterEach(restore);

    test.each(Object.entries(waits))("%s ends", async (_name, [within, start]) => {
      fake();
      const ended = vi.fn<() => void>();
      const call = start().finally(ended);
      for (let passed = 0; passed < within; passed += SECOND / 2) {
        if (ended.mock.calls.length > 0) break;
        for (let turns = 0; turns < 10; turns++) await settle();
        tick(SECOND / 2);
      }
      for (let turns = 0; turns < 10; turns++) await settle();
      expect(ended).toHaveBeenCalled();
      await call;
    });
  },
);
