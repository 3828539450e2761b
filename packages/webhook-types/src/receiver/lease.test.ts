import { expect, test } from "vitest";
import { createVirtualClock } from "../../../sandbox/src/engine/time/virtual-clock.ts";
import { keepLease, newToken } from "./lease.ts";

/** A lease of 30 s, whose store answers as the list says, and then never again. */
async function keep(
  answers: readonly (boolean | Error | "hangs")[],
  { claimedUntil = 30_000 } = {},
) {
  const clock = createVirtualClock(0);
  const asked: number[] = [];
  const lease = keepLease({
    extend: async () => {
      const answer = answers[asked.push(clock.now()) - 1] ?? "hangs";
      if (answer instanceof Error) throw answer;
      return answer === "hangs" ? await new Promise<never>(() => {}) : answer;
    },
    duration: 30_000,
    claimedUntil,
    clock,
  });
  let lostAt: number | undefined;
  lease.signal.addEventListener("abort", () => (lostAt = clock.now()));
  return { clock, asked, lease, lostAt: () => lostAt };
}

test("a lease is extended three times in its duration, from the time of each extension", async () => {
  const { clock, asked, lostAt, lease } = await keep(Array.from({ length: 9 }, () => true));
  await clock.advance(95_000);
  expect(asked).toEqual([10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 70_000, 80_000, 90_000]);
  expect(lostAt()).toBeUndefined();
  lease.end();
});

test("another process has the event: the lease is lost at once, with a reason", async () => {
  const { clock, asked, lostAt, lease } = await keep([true, false]);
  await clock.advance(100_000);
  expect([asked.length, lostAt()]).toEqual([2, 20_000]);
  expect(lease.signal.reason).toMatchObject({
    name: "AbortError",
    message: "The lease of this event is lost: another process may have it.",
  });
});

test("failed extensions lose the lease when the last successful one ends, and not before", async () => {
  const down = new Error("down");
  const { clock, asked, lostAt } = await keep([true, down, down, down, true]);
  await clock.advance(100_000);
  // Extended at 10 s to 40 s.
  expect([asked, lostAt()]).toEqual([[10_000, 20_000, 30_000, 40_000], 40_000]);
});

test("an extension after failed ones keeps the lease", async () => {
  const down = new Error("down");
  const { clock, lostAt, lease } = await keep([down, down, true, true, true]);
  await clock.advance(55_000);
  expect(lostAt()).toBeUndefined();
  lease.end();
});

test("a store that never answers loses the lease at its end", async () => {
  const { clock, asked, lostAt } = await keep([true]);
  await clock.advance(100_000);
  expect([asked, lostAt()]).toEqual([[10_000, 20_000], 40_000]);
});

test("a lease whose end is known from the claim ends then", async () => {
  const { clock, lostAt } = await keep([], { claimedUntil: 15_000 });
  await clock.advance(100_000);
  expect(lostAt()).toBe(15_000);
});

test("an ended lease asks nothing more and is never lost", async () => {
  const { clock, asked, lostAt, lease } = await keep([true, true]);
  await clock.advance(10_000);
  lease.end();
  await clock.advance(200_000);
  expect([asked, lostAt()]).toEqual([[10_000], undefined]);
});

test("the tokens of a process differ, and share its name", () => {
  const [one, two] = [newToken(), newToken()];
  expect(one).not.toBe(two);
  expect(one.split(":")[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(two.split(":")[0]).toBe(one.split(":")[0]);
  expect(Number(two.split(":")[1])).toBe(Number(one.split(":")[1]) + 1);
});
