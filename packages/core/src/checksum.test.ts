import { expect, test } from "vitest";
import { isIntact, withChecksum } from "./hash.ts";

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
