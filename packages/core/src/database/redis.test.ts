import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openRedis } from "./redis.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a connection that hangs is replaced once, whichever stores of the client wait for it", async () => {
  const client = {
    call: () => new Promise(() => {}),
    disconnect: vi.fn(),
    connect: vi.fn(async () => {}),
    once: (_event: "end", listener: () => void) => listener(),
  };
  const stores = ["redisStore", "redisOrder"].map((owner) => openRedis(owner, client));
  const asked = stores.flatMap(({ command }) =>
    ["a", "b"].map((key) => command(["GET", key]).catch((error: unknown) => String(error))),
  );
  await vi.advanceTimersByTimeAsync(9_000);
  expect(await Promise.all(asked)).toEqual(
    Array(4).fill(expect.stringContaining("did not respond within 9 s")),
  );
  expect([client.disconnect, client.connect].map((each) => each.mock.calls.length)).toEqual([1, 1]);
});
