import { describe, expect, test, vi } from "vitest";
import { createVirtualClock } from "../../sandbox/src/engine/time/clocks.ts";
import { monotonicClock } from "./clock.ts";
import { keepLease, type LeaseRules } from "./lease.ts";

const DURATION = 30_000;
const down = new Error("down");

/** The configurations of the receiver and of the runs for many devices. */
const configurations = {
  "an event": { reserve: 0, retryAfter: 10_000 },
  "a run": { reserve: 1_000, retryAfter: 500 },
} satisfies Record<string, Pick<LeaseRules, "reserve" | "retryAfter">>;

type Response = boolean | Error | "hangs";
interface Row {
  readonly responses: readonly Response[];
  readonly endsAt?: number;
  readonly until: number;
  /** The times of the first extensions, and when the lease is lost. */
  readonly expected: Record<keyof typeof configurations, [number[], number | undefined]>;
}

const rules: Record<string, Row> = {
  "is extended at each third of its duration": {
    responses: [true, true, true, true],
    until: 49_999,
    expected: {
      "an event": [[10_000, 20_000, 30_000, 40_000], undefined],
      "a run": [[10_000, 20_000, 30_000, 40_000], undefined],
    },
  },
  "is lost at once if it has another holder": {
    responses: [true, false],
    until: 100_000,
    expected: {
      "an event": [[10_000, 20_000], 20_000],
      "a run": [[10_000, 20_000], 20_000],
    },
  },
  "is kept by a success after failed extensions, and then extended at thirds again": {
    responses: [down, down, true, true],
    until: 40_000,
    expected: {
      "an event": [[10_000, 20_000], 30_000],
      "a run": [[10_000, 10_500, 11_000, 21_000], undefined],
    },
  },
  "is lost when the last successful extension ends, less the reserve, and not before": {
    responses: [true, ...Array.from({ length: 99 }, () => down)],
    until: 100_000,
    expected: {
      "an event": [[10_000, 20_000, 30_000], 40_000],
      "a run": [[10_000, 20_000, 20_500, 21_000], 39_000],
    },
  },
  "is lost at its end if the store never responds": {
    responses: [true],
    until: 100_000,
    expected: {
      "an event": [[10_000, 20_000], 40_000],
      "a run": [[10_000, 20_000], 40_000],
    },
  },
  "is lost before the first third if its claim ends by then": {
    responses: [],
    endsAt: 8_000,
    until: 100_000,
    expected: { "an event": [[], 8_000], "a run": [[], 7_000] },
  },
};

/** Keeps a lease whose store responds as the list says, and then never again. */
function keep(
  configuration: keyof typeof configurations,
  responses: readonly Response[],
  endsAt = DURATION,
) {
  const clock = createVirtualClock(0);
  const lost = new AbortController();
  const asked: number[] = [];
  const lease = keepLease({
    ...configurations[configuration],
    duration: DURATION,
    endsAt,
    clock,
    lost,
    reason: () => "lost",
    async extend() {
      const response = responses[asked.push(clock.now()) - 1] ?? "hangs";
      if (response instanceof Error) throw response;
      return response === "hangs" ? await new Promise<never>(() => {}) : response;
    },
  });
  let lostAt: number | undefined;
  lost.signal.addEventListener("abort", () => (lostAt = clock.now()));
  return { clock, asked, lease, lost, lostAt: () => lostAt };
}

const names = Object.keys(configurations) as (keyof typeof configurations)[];
describe.each(names)("the lease of %s", (name) => {
  test.each(Object.entries(rules))("%s", async (_rule, { responses, endsAt, until, expected }) => {
    const { clock, asked, lease, lost, lostAt } = keep(name, responses, endsAt);
    await clock.advance(until);
    const [times, loss] = expected[name];
    expect([asked.slice(0, 4), lostAt()]).toEqual([times, loss]);
    expect(lost.signal.reason).toBe(loss === undefined ? undefined : "lost");
    lease.end();
  });

  test("has time left until the reserve, counted from before the last extension", async () => {
    const { clock, lease } = keep(name, [true, true]);
    const { reserve } = configurations[name];
    expect(lease.timeLeft()).toBe(DURATION - reserve);
    await clock.advance(12_000);
    expect(lease.timeLeft()).toBe(DURATION - reserve - 2_000);
    lease.lose();
    expect(lease.timeLeft()).toBe(0);
  });

  test("is neither extended nor lost after its end", async () => {
    const { clock, asked, lease, lostAt } = keep(name, [true, true]);
    await clock.advance(10_000);
    lease.end();
    lease.lose();
    await clock.advance(200_000);
    expect([asked, lostAt(), clock.pending]).toEqual([[10_000], undefined, 0]);
  });
});

test("a lease that nobody extends is lost under fake timers, for which performance stands still", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const lost = new AbortController();
  const endsAt = monotonicClock.now() + DURATION;
  const extend = () => Promise.reject(down);
  const reason = () => down;
  keepLease({ extend, duration: DURATION, endsAt, clock: monotonicClock, lost, reason });
  await vi.advanceTimersByTimeAsync(2 * DURATION);
  vi.useRealTimers();
  expect(lost.signal.aborted).toBe(true);
});
