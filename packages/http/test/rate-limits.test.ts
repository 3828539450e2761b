import { systemClock } from "@fieldmesh/core";
import { createConsoleClient } from "../../console-client/src/index.ts";
import { createMobileClient } from "../../mobile-client/src/index.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSandbox } from "../../sandbox/src/index.ts";

// Both services count requests within a minute. Fake timers skip that time.
beforeEach(
  () => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] }),
);
afterEach(() => void vi.useRealTimers());

async function settleAll(calls: Promise<unknown>[]): Promise<number> {
  const settled = Promise.allSettled(calls);
  await vi.advanceTimersByTimeAsync(119_000);
  return (await settled).filter(({ status }) => status === "fulfilled").length;
}

test("300 subscribers, 64 at a time, are created within the limit of 120 writes a minute", async () => {
  const { mobile } = createSandbox({ clock: systemClock });
  const client = createMobileClient({ ...mobile });
  let left = 300;
  let created = 0;
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      await client.subscribers.create({ email: `user-${left}@example.com`, name: `User ${left}` });
      created++;
    }
  };
  const workers = Promise.all(Array.from({ length: 64 }, worker));
  await vi.advanceTimersByTimeAsync(180_000);
  await workers;
  expect(created).toBe(300);
});

test("900 concurrent reads complete with a console that accepts 600 a minute and sends no time to wait", async () => {
  const { console: service } = createSandbox({
    clock: systemClock,
    console: { deployment: "hosted" },
  });
  const client = createConsoleClient({ ...service });
  const [label] = await client.labels.list();
  const calls = Array.from({ length: 900 }, () => client.labels.get({ label_id: label!.id }));
  expect(await settleAll(calls)).toBe(900);
});

test("with a longer totalTimeout, all requests complete within the rate limit", async () => {
  const { mobile } = createSandbox({ clock: systemClock });
  const client = createMobileClient({ ...mobile, maxConcurrent: false });
  const id = "sub_1";
  const read = (totalTimeout: number) =>
    Array.from({ length: 700 }, () =>
      client.subscribers.get({ id }, { totalTimeout }).catch((error: unknown) => error),
    );
  const soon = Promise.all(read(10_000));
  await vi.advanceTimersByTimeAsync(10_000);
  const statuses = (await soon).map((each) => (each as { status?: number }).status);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  const later = Promise.all(read(200_000));
  await vi.advanceTimersByTimeAsync(190_000);
  expect((await later).filter((each) => (each as { status?: number }).status === 429)).toEqual([]);
});
