import { expect, test } from "vitest";
import { readInChild } from "./run-list.ts";

test("20,000 devices are read one by one, within a heap of 50 MB", async () => {
  const { count, heap } = await readInChild(20_000, { method: "each", rounds: 1, heap: 50 });
  expect(count).toBe(20_000);
  expect(heap).toBeLessThan(50);
});
