import { afterEach, expect, test, vi } from "vitest";
import { fakeSleep } from "../testing/context.ts";
import { serveDeliveries } from "./delivery-server.ts";

afterEach(() => void vi.useRealTimers());

/** Starts a server with a delivery in progress. `respond` ends it. */
async function inProgress() {
  const verified = Promise.withResolvers<never>();
  const verify = vi.fn(() => verified.promise);
  const server = await serveDeliveries({
    port: 0,
    verify,
    forwardTo: undefined,
    report: async () => {},
  });
  const delivery = fetch(server.origin, { method: "POST", body: "{}" });
  delivery.catch(() => {});
  await vi.waitFor(() => expect(verify).toHaveBeenCalled());
  return { server, delivery, respond: () => verified.resolve({} as never) };
}

test("after two seconds, a server cuts off the deliveries in progress, and leaves no timer", async () => {
  const passed = Promise.withResolvers<void>();
  fakeSleep(() => passed.promise);
  const { server, delivery } = await inProgress();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const before = vi.getTimerCount();
  const closing = server.close();
  expect(vi.getTimerCount()).toBe(before + 1);
  passed.resolve();
  await closing;
  await expect(delivery).rejects.toThrow("fetch failed");
  expect(vi.getTimerCount()).toBe(before);
});
