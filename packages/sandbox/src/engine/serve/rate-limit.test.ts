import { createVirtualClock } from "../time/virtual-clock.ts";
import { expect, test } from "vitest";
import { limitRate } from "./rate-limit.ts";
import { serve } from "./serve.ts";

function limited(perMinute: number) {
  const clock = createVirtualClock(0);
  const handler = serve({}, {}, { layers: [limitRate(perMinute, clock)] });
  const ask = async (remoteAddress?: string) =>
    handler(new Request("http://127.0.0.1/"), { remoteAddress });
  return { clock, ask };
}

test("a request beyond the limit within a minute receives a 429 with only a string", async () => {
  const { ask } = limited(2);
  expect([(await ask()).status, (await ask()).status]).toEqual([404, 404]);
  const response = await ask();
  expect(response.status).toBe(429);
  expect([...response.headers]).toEqual([]);
  expect(await response.text()).toBe("Too many requests");
});

test("each address has its own limit", async () => {
  const { ask } = limited(1);
  await ask("127.0.0.1");
  expect((await ask("127.0.0.1")).status).toBe(429);
  expect((await ask("127.0.0.2")).status).toBe(404);
});

test("the count restarts a minute after the first request, and not before", async () => {
  const { clock, ask } = limited(1);
  await ask();
  await clock.advance(59_999);
  expect((await ask()).status).toBe(429);
  await clock.advance(1);
  expect((await ask()).status).toBe(404);
});
