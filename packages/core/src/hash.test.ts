import { expect, test } from "vitest";
import { hashText, isIntact, withChecksum } from "./hash.ts";

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

const value = { b: 1, a: [{ d: "x", c: null }, [2, 3]], e: { g: true, f: "" } };
const sealed = withChecksum(value);

test("a value is intact, also after JSON, and with its keys in another order", () => {
  expect(sealed).toEqual({ ...value, checksum: expect.stringMatching(/^[\da-z]{5,11}$/) });
  expect(isIntact(sealed)).toBe(true);
  expect(isIntact(JSON.parse(JSON.stringify(sealed, null, 2)) as typeof sealed)).toBe(true);
  const { checksum, b, a, e } = sealed;
  const reordered = { e: { f: e.f, g: e.g }, checksum, a: [{ c: null, d: "x" }, a[1]], b };
  expect(isIntact(reordered)).toBe(true);
  expect(JSON.stringify(withChecksum(reordered))).not.toBe(JSON.stringify(sealed));
});

test("a field that is undefined is no field, as in JSON", () => {
  expect(withChecksum({ ...value, h: undefined }).checksum).toBe(sealed.checksum);
});

test.each<[string, object]>([
  ["a changed number", { ...sealed, b: 2 }],
  ["a number that became text", { ...sealed, b: "1" }],
  ["an added field", { ...sealed, h: 1 }],
  ["an added field in a part", { ...sealed, e: { ...value.e, h: 1 } }],
  ["a missing field", { a: sealed.a, e: sealed.e, checksum: sealed.checksum }],
  ["items in another order", { ...sealed, a: value.a.toReversed() }],
  ["a null that is missing", { ...sealed, a: [{ d: "x" }, [2, 3]] }],
  ["another checksum", { ...sealed, checksum: `${sealed.checksum}0` }],
])("%s is detected", (_what, changed) => {
  expect(isIntact(changed as typeof sealed)).toBe(false);
});
