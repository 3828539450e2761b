import { expect, test } from "vitest";
import { hashText } from "./hash.ts";

test("returns the same hash for the same string and seed, and otherwise a different one", () => {
  expect(hashText("a", 1)).toBe(hashText("a", 1));
  expect(hashText("a", 1)).not.toBe(hashText("a", 2));
  expect(hashText("ab", 1)).not.toBe(hashText("ba", 1));
});

test("returns 200,000 different hashes for 200,000 similar strings", () => {
  const seen = new Set<number>();
  for (let i = 0; i < 200_000; i++) seen.add(hashText(i.toString(16).padStart(16, "0"), 7));
  expect(seen.size).toBe(200_000);
});

test("returns the 53-bit hash of cyrb53", () => {
  // The published cyrb53 returns this value for the string.
  expect(hashText("a")).toBe(7929297801672961);
});

test("spreads similar strings evenly over slots", () => {
  const slots = Array.from({ length: 64 }, () => 0);
  for (let i = 0; i < 64_000; i++) slots[hashText(`0004A30B${i}`, 7) % 64]!++;
  expect(Math.min(...slots)).toBeGreaterThan(800);
  expect(Math.max(...slots)).toBeLessThan(1_200);
});
