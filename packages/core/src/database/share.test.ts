import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createShare } from "./share.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that holds a connection until it is ended. */
function hold(share: ReturnType<typeof createShare>) {
  const ended = Promise.withResolvers<void>();
  let hasBegun = false;
  const done = share(async () => {
    hasBegun = true;
    await ended.promise;
    return "done";
  });
  return { done, end: ended.resolve, hasBegun: () => hasBegun };
}

test("no more work than allowed holds a connection, and the next begins when one ends", async () => {
  const share = createShare({ most: 2 });
  const [first, second, third] = [hold(share), hold(share), hold(share)];
  await vi.advanceTimersByTimeAsync(0);
  expect([first, second, third].map((each) => each.hasBegun())).toEqual([true, true, false]);
  first.end();
  expect(await first.done).toBe("done");
  await vi.advanceTimersByTimeAsync(0);
  expect(third.hasBegun()).toBe(true);
});

test("work that gets none is rejected with what to do, and takes no place later", async () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  const share = createShare({ most: 1 });
  const first = hold(share);
  const late = hold(share);
  const failure = late.done.catch((error: unknown) => String(error));
  await vi.advanceTimersByTimeAsync(9_000);
  expect(await failure).toContain("pass a pool with more connections");
  first.end();
  await first.done;
  const next = hold(share);
  await vi.advanceTimersByTimeAsync(0);
  expect([late.hasBegun(), next.hasBegun()]).toEqual([false, true]);
  warn.mockRestore();
});

test("a place that becomes free at the moment when a wait ends is not lost, and nobody else loses theirs", async () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  const share = createShare({ most: 1 });
  const ended = Promise.withResolvers<void>();
  const first = share(() => ended.promise);
  const failure = hold(share).done.catch((error: unknown) => String(error));
  await vi.advanceTimersByTimeAsync(8_000);
  const patient = hold(share);
  // Both before anything that waits for them has run.
  ended.resolve();
  vi.advanceTimersByTime(1_000);
  await Promise.all([first, failure]);
  await vi.advanceTimersByTimeAsync(0);
  expect(patient.hasBegun()).toBe(true);
  warn.mockRestore();
});

test.each<[string, number, number]>([
  ["others wait for it", 1, 1],
  ["nobody waits", 0, 0],
])("connections that are held for 5 s are reported once, if %s", async (_, waiting, times) => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  const share = createShare({ most: 2, waiting: () => waiting });
  const held = [hold(share), hold(share)];
  await vi.advanceTimersByTimeAsync(60_000);
  expect(warn).toHaveBeenCalledTimes(times);
  if (times > 0) expect(String(warn.mock.lastCall)).toContain("inbox.transaction(context)");
  for (const each of held) each.end();
  warn.mockRestore();
});
