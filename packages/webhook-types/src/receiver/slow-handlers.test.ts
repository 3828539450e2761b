import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { createEventRouter } from "../router/index.ts";
import { sampleEvent } from "../samples.ts";
import { sqliteInbox } from "../stores/index.ts";
import { handleEvent, memoryStore } from "./index.ts";

test.each([
  ["a lease store", () => memoryStore()],
  ["an inbox", () => sqliteInbox(new DatabaseSync(":memory:"))],
])("handlers that have not ended after 60 s are named once, with %s", async (_, create) => {
  vi.useFakeTimers();
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  const ended = Promise.withResolvers<void>();
  const router = createEventRouter({ "*": () => ended.promise });
  const handling = handleEvent(sampleEvent("plan.created", { id: "evt_slow" }), {
    router,
    store: create(),
  });
  await vi.advanceTimersByTimeAsync(59_000);
  expect(warn).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(warn.mock.calls).toEqual([[expect.stringMatching(/plan\.created.*evt_slow.*60 s/)]]);
  ended.resolve();
  expect(await handling).toEqual({ outcome: "handled" });
  warn.mockRestore();
  vi.useRealTimers();
});
