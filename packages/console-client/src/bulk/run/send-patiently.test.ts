import { expect, test, vi } from "vitest";
import { answering, errorOf, ids } from "../../../test/answering.ts";
import { startOddConsole } from "../../../test/odd-console.ts";
import { contextOf, NOW } from "../../../test/run-context.ts";
import { sendPatiently } from "./send-patiently.ts";
import type { PendingItem } from "./run-parts.ts";
import { createWaits } from "./waits.ts";

const failureOf = (status: number, body: unknown = ""): Promise<Error> =>
  errorOf(answering(body, { status }).client.devices.delete({ id: ids.device }));
const ITEM: PendingItem = { index: 0, key: "", content: "", identity: { index: 0 } };

test("a request that the console puts off is sent at most six times, after doubled waits", async () => {
  const error = await failureOf(429);
  const context = contextOf();
  const send = vi.fn(() => Promise.reject(error));
  await expect(sendPatiently("devices.delete", [], context, send)).rejects.toBe(error);
  expect(send).toHaveBeenCalledTimes(6);
  expect(send).toHaveBeenCalledWith(
    expect.objectContaining({
      signal: undefined,
      timeout: 1_000,
      totalTimeout: 2_000,
      priority: "background",
    }),
    undefined,
  );
  const { sleeps, waits, announced } = context.used;
  for (const [index, least] of [1_000, 2_000, 4_000, 8_000, 16_000].entries()) {
    expect(sleeps[index]).toBeGreaterThanOrEqual(least);
    expect(sleeps[index]).toBeLessThan(least + Math.max(1_000, least / 10));
  }
  expect([sleeps.length, announced]).toEqual([5, 6]);
  expect(waits[1]).toEqual({ why: error.message, until: NOW + sleeps[0]! });
});

test.each([
  [502, "broken"],
  [504, "at_work"],
])("a %i is broken, with the doubt %s", async (status, kind) => {
  const error = await failureOf(status);
  const item = { ...ITEM };
  const send = (): Promise<never> => Promise.reject(error);
  expect(await sendPatiently("devices.delete", [item], contextOf(), send)).toEqual({
    broken: error,
  });
  expect(item).toEqual({ ...ITEM, doubt: kind });
});

test("a request that an abort or an unexpected error ends may be at work, and a rejected one is not", async () => {
  const { client } = startOddConsole({}, { fetch: () => new Promise(() => undefined) });
  const stop = new AbortController();
  const item: PendingItem = { ...ITEM };
  const left = sendPatiently("devices.delete", [item], contextOf(), () => {
    const call = client.devices.delete({ id: ids.device }, { signal: stop.signal });
    setImmediate(() => stop.abort());
    return call;
  });
  expect(await left).toMatchObject({ broken: { name: "AbortError" } });
  expect(item.doubt).toBe("at_work");
  for (const [error, doubt] of [
    [new Error("odd"), "at_work"],
    [await failureOf(401), undefined],
  ] as const) {
    const other: PendingItem = { ...ITEM };
    const send = () => Promise.reject(error);
    await expect(sendPatiently("devices.delete", [other], contextOf(), send)).rejects.toBe(error);
    expect(other.doubt).toBe(doubt);
  }
});

test("any other failure is thrown at once", async () => {
  for (const error of [await failureOf(401), new Error("odd")]) {
    const send = vi.fn(() => Promise.reject(error));
    await expect(sendPatiently("devices.delete", [], contextOf(), send)).rejects.toBe(error);
    expect(send).toHaveBeenCalledOnce();
  }
});

test("a wait with an end is reported at once, those that end together once, and others every 5 s", async () => {
  vi.useFakeTimers();
  try {
    let now = 0;
    const report = vi.fn();
    const waits = createWaits({ now: () => now, sleep: () => Promise.resolve() }, report);
    const { promise, resolve } = Promise.withResolvers<void>();
    const wait = (why: string, until?: number) => waits.during(why, () => promise, until);
    const all = [wait("a response")];
    expect([report.mock.calls.length, waits.current]).toEqual([0, undefined]);
    now = 4_499;
    expect(waits.current).toBeUndefined();
    now = 4_500;
    expect(waits.current).toEqual({ why: "a response", since: new Date(0), until: undefined });
    all.push(wait("an end", 10_000));
    expect(report).toHaveBeenCalledTimes(1);
    expect(waits.current).toMatchObject({ why: "an end", until: new Date(10_000) });
    all.push(wait("the same", 10_499), wait("a later end", 11_000));
    expect(report).toHaveBeenCalledTimes(2);
    expect(waits.current?.why).toBe("a later end");
    vi.advanceTimersByTime(10_000);
    expect(report).toHaveBeenCalledTimes(4);
    resolve();
    await Promise.all(all);
    expect([waits.current, vi.getTimerCount()]).toEqual([undefined, 0]);
  } finally {
    vi.useRealTimers();
  }
});
