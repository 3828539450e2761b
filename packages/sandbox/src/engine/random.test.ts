import { expect, test } from "vitest";
import { createRandom } from "./random.ts";

test("only the same seed and purpose return the same sequence", () => {
  const draw = (seed: number | string, purpose: string) => createRandom(seed, purpose).guid();
  expect(draw(1, "ids")).toBe(draw("1", "ids"));
  expect(new Set([draw(1, "ids"), draw(2, "ids"), draw(1, "faults"), draw(12, "ids")]).size).toBe(
    4,
  );
});

test("numbers are spread evenly, including both limits", () => {
  const random = createRandom(1, "spread");
  const counts = new Map<number, number>();
  for (let i = 0; i < 6_000; i++) {
    const face = random.int(1, 6);
    counts.set(face, (counts.get(face) ?? 0) + 1);
  }
  expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
  for (const count of counts.values()) expect(count).toBeGreaterThan(850);
});

test("a GUID has version 4 and its variant, and is unique", () => {
  const random = createRandom(1, "guids");
  const guids = Array.from({ length: 20_000 }, () => random.guid());
  for (const guid of guids) {
    expect(guid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect(new Set(guids).size).toBe(guids.length);
});
