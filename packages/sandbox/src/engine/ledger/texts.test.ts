import { expect, test } from "vitest";
import { createTexts } from "./texts.ts";

const hashes = createTexts(1, "block", { length: 43 });

test("a hash is found by its number, and its number by the hash", () => {
  for (const number of [0, 1, 57, 58, 1_000_000]) {
    expect(hashes.of(number)).toMatch(/^[1-9A-HJ-NP-Za-km-z]{43}$/);
    expect(hashes.numberOf(hashes.of(number))).toBe(number);
  }
  expect(createTexts(1, "block", { length: 43 }).of(7)).toBe(hashes.of(7));
  expect(createTexts(2, "block", { length: 43 }).of(7)).not.toBe(hashes.of(7));
  expect(createTexts(1, "transaction", { length: 43 }).of(7)).not.toBe(hashes.of(7));
});

test("any other string is the hash of no number", () => {
  const hash = hashes.of(7);
  for (const text of ["", hash.slice(1), `x${hash}`, `2${hash.slice(1)}`, hash.replace(/.$/, "0")])
    expect([text, hashes.numberOf(text)]).toEqual([text, undefined]);
});
