import { expect, test } from "vitest";
import { hashText } from "./hash.ts";

test("gives the same for the same text and seed, and something else otherwise", () => {
  expect(hashText("a", 1)).toEqual(hashText("a", 1));
  expect(hashText("a", 1)).not.toEqual(hashText("a", 2));
  expect(hashText("ab", 1)).not.toEqual(hashText("ba", 1));
});

test("gives 200,000 similar texts as many hashes", () => {
  const seen = new Set<string>();
  for (let i = 0; i < 200_000; i++) seen.add(hashText(i.toString(16).padStart(16, "0"), 7).join());
  expect(seen.size).toBe(200_000);
});

test("spreads similar texts evenly over slots", () => {
  const slots = Array.from({ length: 64 }, () => 0);
  for (let i = 0; i < 64_000; i++) slots[hashText(`0004A30B${i}`, 7)[1] % 64]!++;
  expect(Math.min(...slots)).toBeGreaterThan(800);
  expect(Math.max(...slots)).toBeLessThan(1_200);
});
