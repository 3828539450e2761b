import { afterEach, describe, expect, test, vi } from "vitest";
import { monotonicClock, steadyClock, systemClock } from "./clock.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("systemClock", () => {
  test("returns the system time and waits for the given time", async () => {
    const before = systemClock.now();
    await systemClock.sleep(20);
    expect(systemClock.now() - before).toBeGreaterThanOrEqual(19);
  });

  test("clears its timer when the signal aborts", async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const sleeping = systemClock.sleep(1000, controller.signal).catch(() => {});
    expect(vi.getTimerCount()).toBe(1);
    controller.abort();
    await sleeping;
    expect(vi.getTimerCount()).toBe(0);
  });

  test("waits longer than a single timer can", async () => {
    vi.useFakeTimers();
    const days = 60 * 24 * 60 * 60 * 1000;
    let woken = false;
    const sleeping = systemClock.sleep(days).then(() => (woken = true));
    await vi.advanceTimersByTimeAsync(days - 1);
    expect(woken).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await sleeping;
    expect(woken).toBe(true);
  });

  test("resolves at once when there is nothing to wait for", async () => {
    await systemClock.sleep(0);
    await systemClock.sleep(-5);
  });

  test("rejects with the reason of a signal that has already aborted", async () => {
    await expect(systemClock.sleep(0, AbortSignal.abort("gone"))).rejects.toBe("gone");
  });

  test("rejects with the reason of a signal that aborts during the wait", async () => {
    const controller = new AbortController();
    const sleeping = systemClock.sleep(60_000, controller.signal);
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
  });

  test("removes its listener from the signal when the wait ends and when the signal aborts", async () => {
    vi.useFakeTimers();
    for (const abort of [false, true]) {
      const controller = new AbortController();
      const added = vi.spyOn(controller.signal, "addEventListener");
      const removed = vi.spyOn(controller.signal, "removeEventListener");
      const sleeping = systemClock.sleep(10, controller.signal).catch(() => {});
      if (abort) controller.abort();
      await vi.advanceTimersByTimeAsync(10);
      await sleeping;
      expect(added).toHaveBeenCalledExactlyOnceWith("abort", expect.any(Function), { once: true });
      if (!abort)
        expect(removed).toHaveBeenCalledExactlyOnceWith("abort", added.mock.calls[0]?.[1]);
    }
  });
});

test("steadyClock replaces only the clock of the machine, by one that is never set back", async () => {
  expect([steadyClock(), steadyClock(systemClock)]).toEqual([monotonicClock, monotonicClock]);
  const own = { ...systemClock };
  expect(steadyClock(own)).toBe(own);
});

describe("monotonicClock after fake timers", () => {
  const sleep = async (ms: number): Promise<void> => {
    const sleeping = monotonicClock.sleep(ms);
    await vi.advanceTimersByTimeAsync(ms);
    await sleeping;
  };

  test("has passed what was slept while performance did not run, and runs on", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const before = monotonicClock.now();
    await sleep(60_000);
    const after = monotonicClock.now();
    expect(after - before).toBeGreaterThanOrEqual(60_000);
    vi.useRealTimers();
    await new Promise((done) => setTimeout(done, 20));
    expect(monotonicClock.now() - after).toBeGreaterThanOrEqual(19);
  });

  test("begins again with a performance that is set back", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    await sleep(60_000);
    const faked = monotonicClock.now();
    vi.useRealTimers();
    expect(Math.abs(monotonicClock.now() - performance.now())).toBeLessThan(1_000);
    expect(faked).toBeGreaterThanOrEqual(60_000);
  });
});
