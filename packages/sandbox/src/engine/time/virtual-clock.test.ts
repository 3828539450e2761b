import { afterEach, describe, expect, test, vi } from "vitest";
import { createVirtualClock } from "./virtual-clock.ts";

afterEach(() => {
  vi.useRealTimers();
});

const START = Date.UTC(2026, 0, 1);

describe("createVirtualClock", () => {
  test("starts at a Date, a number of milliseconds, a string, or the machine's time", () => {
    expect(createVirtualClock(new Date(START)).now()).toBe(START);
    expect(createVirtualClock(START).now()).toBe(START);
    expect(createVirtualClock("2026-01-01T00:00:00Z").now()).toBe(START);
    expect(Math.abs(createVirtualClock().now() - Date.now())).toBeLessThan(1000);
    expect(() => createVirtualClock("soon")).toThrow(RangeError);
  });

  test("does not move until it is advanced", async () => {
    const clock = createVirtualClock(START);
    let woken = false;
    const sleeping = clock.sleep(1).then(() => (woken = true));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([clock.now(), woken, clock.pending]).toEqual([START, false, 1]);
    await clock.advance(1);
    await sleeping;
    expect([clock.now(), woken, clock.pending]).toEqual([START + 1, true, 0]);
  });

  test("resolves sleeps in the order of their times, and of their calls if these are equal", async () => {
    const clock = createVirtualClock(0);
    const log: string[] = [];
    const note = (name: string, ms: number) =>
      clock.sleep(ms).then(() => log.push(`${name}@${clock.now()}`));
    const all = Promise.all([note("c", 30), note("a", 10), note("b", 20), note("a2", 10)]);
    await clock.advance(100);
    await all;
    expect(log).toEqual(["a@10", "a2@10", "b@20", "c@30"]);
    expect(clock.now()).toBe(100);
  });

  test("runs the code that awaited a sleep to its end before it moves the time", async () => {
    const clock = createVirtualClock(0);
    const log: string[] = [];
    const chain = clock.sleep(10).then(async () => {
      for (let i = 0; i < 50; i += 1) await Promise.resolve();
      log.push(`first, at ${clock.now()}`);
    });
    const other = clock.sleep(11).then(() => log.push(`second, at ${clock.now()}`));
    await clock.advance(20);
    await Promise.all([chain, other]);
    expect(log).toEqual(["first, at 10", "second, at 11"]);
  });

  test("resolves a sleep that starts during the advance and ends within it", async () => {
    const clock = createVirtualClock(0);
    const times: number[] = [];
    const loop = async () => {
      for (let i = 0; i < 5; i += 1) {
        await clock.sleep(10);
        times.push(clock.now());
      }
    };
    const running = loop();
    await clock.advance(35);
    expect(times).toEqual([10, 20, 30]);
    await clock.advance(15);
    await running;
    expect(times).toEqual([10, 20, 30, 40, 50]);
  });

  test("includes a sleep that pending promises of the caller are about to start", async () => {
    const clock = createVirtualClock(0);
    const running = (async () => {
      await Promise.resolve();
      await clock.sleep(10);
      return clock.now();
    })();
    await clock.advance(10);
    expect(await running).toBe(10);
  });

  test("adds overlapping calls of advance", async () => {
    const clock = createVirtualClock(0);
    const running = clock.sleep(15).then(() => clock.now());
    await Promise.all([clock.advance(10), clock.advance(10)]);
    expect(await running).toBe(15);
    expect(clock.now()).toBe(20);
  });

  test("may be advanced by code that runs after a sleep", async () => {
    const clock = createVirtualClock(0);
    const running = clock.sleep(10).then(() => clock.advance(5));
    await clock.advance(10);
    await running;
    expect(clock.now()).toBe(15);
  });

  test("rejects a negative advance, and an infinite one", async () => {
    const clock = createVirtualClock(0);
    for (const ms of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(clock.advance(ms)).rejects.toThrow(RangeError);
    }
    expect(clock.now()).toBe(0);
  });

  test("does not use the timers, which a test may have replaced", async () => {
    vi.useFakeTimers();
    const clock = createVirtualClock(0);
    const running = clock.sleep(10);
    await clock.advance(10);
    await running;
  });

  test("removes a sleep that was aborted", async () => {
    const clock = createVirtualClock(0);
    const controller = new AbortController();
    const sleeping = clock.sleep(10, controller.signal).catch(() => "aborted");
    expect(clock.pending).toBe(1);
    controller.abort();
    expect(clock.pending).toBe(0);
    expect(await sleeping).toBe("aborted");
  });
});

describe("sleep", () => {
  test("resolves immediately if there is no time to wait", async () => {
    await createVirtualClock(0).sleep(0);
    await createVirtualClock(0).sleep(-5);
  });

  test("rejects with the reason of a signal that has already aborted", async () => {
    await expect(createVirtualClock(0).sleep(0, AbortSignal.abort("gone"))).rejects.toBe("gone");
  });

  test("rejects with the reason of a signal that aborts during the sleep", async () => {
    const controller = new AbortController();
    const sleeping = createVirtualClock(0).sleep(60_000, controller.signal);
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
  });

  test("removes its listener from the signal when it resolves and when it is aborted", async () => {
    const clock = createVirtualClock(0);
    for (const abort of [false, true]) {
      const controller = new AbortController();
      const added = vi.spyOn(controller.signal, "addEventListener");
      const removed = vi.spyOn(controller.signal, "removeEventListener");
      const sleeping = clock.sleep(10, controller.signal).catch(() => {});
      if (abort) controller.abort();
      await clock.advance(10);
      await sleeping;
      expect(added).toHaveBeenCalledExactlyOnceWith("abort", expect.any(Function), { once: true });
      if (!abort)
        expect(removed).toHaveBeenCalledExactlyOnceWith("abort", added.mock.calls[0]?.[1]);
    }
  });
});
